// Decisions that depend on earlier decisions are made in the order of their events.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { jobBatches } from '#app/worker/job-batches.ts';
import type { OpportunityId, OrganizationId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import { lockDecisionOrder } from '#programs/store/decision-order.ts';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { type SaleRow, writeSales } from '#sales/store/sales.ts';
import { verify } from '#verify/verify.ts';
import { lockWaits } from '#test/support/paused.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop, startBeside } from '#test/support/shop.ts';
import { waitUntil } from '#tools/traffic/until.ts';

describe('decisions in the order of events', () => {
  const CAPPED = { autoApprove: true, capPerPeriod: { period: 'lifetime', amount: 1000 } };
  let service: TestService;
  let shop: Shop;
  beforeEach(async () => {
    service = await startService({ WHENCE_ROLE: 'api' });
    shop = openShop(service);
    await shop.collaborator('ada');
  });
  afterEach(async () => {
    assert.deepEqual((await replaySales(service.database)).differences, []);
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const awardedFor = async (sale: string): Promise<number[]> =>
    (await shop.earned(sale)).map(({ amount, status }) => (status === 'rejected' ? 0 : amount));

  /** Starts a worker, waits until it has decided every event that it can decide, and stops it. */
  const decideAll = async (): Promise<void> => {
    const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
    await worker.worker?.idle();
    await worker.stop();
  };

  it('the decision of a report waits for a report with a lower id that is still being written', async () => {
    await shop.program(CAPPED);
    const visitors = [await shop.visit('ada'), await shop.visit('ada')] as const;
    const { rows } = await service.database.query<{ id: OpportunityId; organization_id: OrganizationId }>(
      'select id, organization_id from opportunities order by id limit 1',
    );
    const { id, organization_id: organizationId } = rows[0] as { id: OpportunityId; organization_id: OrganizationId };
    const writer = await service.database.connect();
    await writer.query('begin');
    await writeSales({ connection: writer, organizationId }, 'sale', [soldTo(id)]);
    await shop.sell('second', visitors[1], { total: 90 });
    const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
    await lockWaits(service.database);
    await writer.query('commit');
    writer.release();
    await service.settled();
    await worker.stop();
    assert.deepEqual([await awardedFor('first'), await awardedFor('second')], [[900], [100]]);
  });

  it('a transaction that locks the decision order of one organization does not delay another organization', async () => {
    await shop.program(CAPPED);
    await shop.sell('delayed', await shop.visit('ada'), { total: 90 });
    const secretKey = await service.foundOrganization('Prompt');
    const prompt = openShop({ ...service, secretKey });
    await prompt.program({ autoApprove: true });
    await prompt.collaborator('ada');
    await prompt.sell('prompt', await prompt.visit('ada'), { total: 90 });
    const { rows } = await service.database.query<{ id: OrganizationId }>('select min(id) as id from organizations');
    const holder = await service.database.connect();
    await holder.query('begin');
    await lockDecisionOrder({ connection: holder, organizationId: (rows[0] as { id: OrganizationId }).id });
    const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
    while ((await prompt.get<object[]>('/v1/conversions')).length === 0) await lockWaits(service.database);
    assert.deepEqual(await shop.get('/v1/conversions'), []);
    await holder.query('commit');
    holder.release();
    await service.settled();
    await worker.stop();
    assert.deepEqual(await awardedFor('delayed'), [900]);
  });

  for (const [name, jobs, prepare] of [
    ['decisions', 'decided', async () => {}],
    [
      'approvals',
      'approved',
      async () => {
        await decideAll();
        await service.database.query(`update conversions set approve_at = now() - interval '1 day'`);
      },
    ],
  ] as const) {
    it(`locked sales of two organizations delay no ${name} of a third organization`, async () => {
      const second = openShop({ ...service, secretKey: await service.foundOrganization('Second') });
      const prompt = openShop({ ...service, secretKey: await service.foundOrganization('Prompt') });
      for (const each of [shop, second, prompt]) {
        await each.program({ approveAfterDays: 30 });
        if (each !== shop) await each.collaborator('ada');
        await each.sell('sold', await each.visit('ada'), { total: 90 });
      }
      await prepare();
      const holder = await service.database.connect();
      await holder.query('begin');
      await holder.query('select from transactions order by id limit 2 for update');
      const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
      const statesOf = async (each: Shop) =>
        (await each.get<{ status: string }[]>('/v1/conversions')).map(({ status }) => status);
      const done = jobs === 'decided' ? ['pending'] : ['approved'];
      const waiting = jobs === 'decided' ? [] : ['pending'];
      await waitUntil(async () => isDeepStrictEqual(await statesOf(prompt), done), `the other sale is ${jobs}`);
      assert.deepEqual(await statesOf(shop), waiting);
      await holder.query('commit');
      holder.release();
      await waitUntil(async () => isDeepStrictEqual(await statesOf(shop), done), `the locked sale is ${jobs}`);
      await worker.stop();
    });
  }

  it('a job that waits for a locked sale counts no failed attempts', async () => {
    await shop.program({ autoApprove: true });
    await shop.sell('sold', await shop.visit('ada'), { total: 90 });
    const holder = await service.database.connect();
    await holder.query('begin');
    await holder.query('select from transactions for update');
    const batches = jobBatches(service.database, { batchSize: 5, onDeadLettered: undefined, isStopping: () => false });
    const { rows } = await service.database.query<{ id: OrganizationId }>('select min(id) as id from organizations');
    for (const { id } of rows) assert.equal((await batches(id)).done, 0);
    const jobs = await service.database.query('select attempts, error from jobs');
    assert.deepEqual(jobs.rows, [{ attempts: 0, error: null }]);
    await holder.query('commit');
    holder.release();
    await decideAll();
    assert.deepEqual(await awardedFor('sold'), [900]);
  });

  for (const [name, terms, last] of [
    ['frees its sale’s part of the cap', CAPPED, [900]],
    ['reopens its sale’s engagement', { autoApprove: true, creditsPer: 'opportunity' }, [900]],
  ] as const) {
    it(`a full refund ${name}, even if the refund’s own job is dead-lettered`, async () => {
      await shop.program(terms);
      const visitor = await shop.visit('ada');
      await shop.sell('first', visitor, { total: 90 });
      await decideAll();
      await shop.refund('first');
      await service.database.query(`update jobs set dead_lettered_at = now(), error = 'a test dead-lettered it'`);
      await shop.sell('second', visitor, { total: 90 });
      await decideAll();
      assert.deepEqual([await awardedFor('first'), await awardedFor('second')], [[900], last]);
      assert.deepEqual((await replaySales(service.database)).differences, []);
      await service.database.query('update jobs set dead_lettered_at = null');
      await decideAll();
      assert.deepEqual([await awardedFor('first'), await awardedFor('second')], [[0], last]);
    });
  }

  for (const [name, terms] of [
    ['cap', CAPPED],
    ['one credit per opportunity', { autoApprove: true, creditsPer: 'opportunity' }],
  ] as const) {
    it(`${name}: a sale that is decided after later sales does not count those sales`, async () => {
      await shop.program(terms);
      const visitor = await shop.visit('ada');
      await shop.sell('first', visitor, { total: 90 });
      await service.database.query(`update jobs set dead_lettered_at = now(), error = 'a test dead-lettered it'`);
      await shop.sell('second', visitor, { total: 90 });
      await decideAll();
      assert.deepEqual(await awardedFor('second'), [900]);
      await service.database.query('update jobs set dead_lettered_at = null');
      await decideAll();
      assert.deepEqual([await awardedFor('first'), await awardedFor('second')], [[900], [900]]);
    });
  }
});

function soldTo(reportedOpportunityId: OpportunityId): SaleRow {
  const total = 9000n as Minor;
  return {
    source: 'shop',
    externalId: 'first',
    reportedOpportunityId,
    total,
    currency: 'USD',
    contentHash: Buffer.alloc(32),
    lines: [{ externalId: null, name: 'Order', type: 'product', quantity: 1, amount: total, total }],
  };
}
