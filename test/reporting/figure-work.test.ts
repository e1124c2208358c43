import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop } from '#test/support/shop.ts';
import { SUMMED_SALES } from '#reporting/store/figure-sums.ts';

const SALES = 120;
/**
 * The maximum number of rows that a plan node handles per sale. Each sale is part of many sums, by day and by month.
 */
const TIMES_EACH = 40;

type Node = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  readonly 'Actual Rows': number;
  readonly Plans?: readonly Node[];
};

describe('summing sales and refunds', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
    const shop = openShop(service);
    await shop.program({ autoApprove: true });
    await shop.collaborator('ada');
    const orders = Array.from({ length: SALES }, (_, n) => `order-${n}`);
    await Promise.all(
      orders.map(async (id) => {
        await shop.sell(id, await shop.visit('ada'), { total: 50 });
      }),
    );
    await service.settled();
    await Promise.all(orders.map((id) => shop.refund(id)));
    await service.settled();
    await service.database.query('analyze');
  });
  after(() => service.stop());

  it('handles a number of rows proportional to the number of sales', async () => {
    const connection = await service.database.connect();
    try {
      await connection.query('begin; set local plan_cache_mode = force_custom_plan');
      for (const scans of ['on', 'off']) {
        await connection.query(`set local enable_seqscan = ${scans}; set local enable_bitmapscan = ${scans}`);
        const { rows } = await connection.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
          `explain (analyze, format json) ${SUMMED_SALES}`,
          [1, '-infinity', 'infinity', 'UTC'],
        );
        const nodes = withAllBelow((rows[0] as { 'QUERY PLAN': [{ Plan: Node }] })['QUERY PLAN'][0].Plan);
        assert.ok(
          nodes.some((node) => node['Actual Loops'] >= SALES),
          'each sale is looked up separately',
        );
        const most = nodes.map((node) => ({ node: node['Node Type'], work: workOf(node) }));
        assert.deepEqual(
          most.filter(({ work }) => work > TIMES_EACH * SALES),
          [],
        );
      }
      await connection.query('rollback');
    } finally {
      connection.release();
    }
  });
});

function workOf(node: Node): number {
  return node['Actual Loops'] * Math.max(1, node['Actual Rows']);
}

function withAllBelow(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(withAllBelow)];
}
