import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTill, type Till } from '../support/payouts.ts';
import { faultCodes, problemCode } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { verify } from '#verify/verify.ts';

type Line = {
  kind: string;
  amount: number;
  effect: number;
  balance: number;
  occurredAt: string;
  externalId: string | null;
};
type Statement = {
  collaboratorId: number;
  from: string | null;
  to: string | null;
  currencies: {
    currency: string;
    opening: number;
    closing: number;
    entries: Line[];
    totals: { kind: string; entries: number; amount: number; effect: number }[];
  }[];
};

describe('a collaborator’s statement', () => {
  let service: TestService;
  let shop: Shop;
  let till: Till;
  let ada: number;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    till = openTill(service);
    await shop.program({ autoApprove: true });
    await shop.program({ name: 'By hand', reward: { type: 'per-sale', amount: 250 } });
    ada = await shop.collaborator('ada');
    const oid = await shop.visit('ada');
    await shop.sell('order-1', oid, { total: 100 });
    await service.settled();
    await shop.sell('order-2', oid, { total: 40 });
    await service.settled();
    const run = await till.runOne();
    const [payout] = await till.payoutsOf(run);
    await till.mark(payout?.id ?? 0, 'paid');
    await shop.refund('order-2');
    await service.settled();
    await till.review(payout?.id ?? 0, 'claw-back');
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const statement = (query = '') => shop.get<Statement>(`/v1/collaborators/${ada}/statement${query}`);
  const fetchAs = (suffix: string) =>
    service.request('GET', `/v1/collaborators/${ada}${suffix}`, { key: service.secretKey });

  it('lists earnings, clawbacks and payments with the balance after each ledger entry', async () => {
    const { collaboratorId, from, to, currencies } = await statement();
    assert.deepEqual([collaboratorId, from, to, currencies.length], [ada, null, null, 1]);
    const [dollars] = currencies;
    assert.deepEqual([dollars?.opening, dollars?.closing], [0, -400]);
    const lines = dollars?.entries.map(({ kind, externalId, amount, effect, balance }) => [
      kind,
      externalId,
      amount,
      effect,
      balance,
    ]);
    // Compare sorted lines, because this test doesn’t check the order of all ledger entries.
    const texts = (of: readonly unknown[][]) =>
      of.map((line) => line.slice(0, 4).join(' ')).sort((a, b) => (a < b ? -1 : 1));
    assert.deepEqual(
      texts(lines ?? []),
      texts([
        ['award', 'order-1', 1000, 1000],
        ['award', 'order-1', 250, 0],
        ['award', 'order-2', 400, 400],
        ['award', 'order-2', 250, 0],
        ['fulfil', 'order-1', 1000, 0],
        ['fulfil', 'order-2', 400, 0],
        ['pay', null, 1400, -1400],
        ['reject', 'order-2', 250, 0],
        ['claw-back', 'order-2', 400, -400],
      ]),
    );
    assert.deepEqual(lines?.at(-1), ['claw-back', 'order-2', 400, -400, -400]);
    assert.deepEqual(
      dollars?.totals.map(({ kind, entries, amount, effect }) => [kind, entries, amount, effect]),
      [
        ['award', 4, 1900, 1400],
        ['reject', 1, 250, 0],
        ['fulfil', 2, 1400, 0],
        ['pay', 1, 1400, -1400],
        ['claw-back', 1, 400, -400],
      ],
    );
  });

  it('splits at any time into two adjacent statements without gaps or duplicates', async () => {
    const whole = (await statement()).currencies[0];
    const times = [...new Set(whole?.entries.map(({ occurredAt }) => occurredAt))];
    // Callers specify times in milliseconds, but ledger entries have microseconds.
    for (const time of times.map((each) => `${each.slice(0, 23)}Z`)) {
      const [before, since] = [await statement(`?to=${time}`), await statement(`?from=${time}`)].map(
        ({ currencies }) => currencies[0],
      );
      assert.equal(before?.closing ?? 0, since?.opening);
      assert.deepEqual([...(before?.entries ?? []), ...(since?.entries ?? [])], whole?.entries);
      assert.equal(since?.closing, whole?.closing);
      for (const part of [before, since]) {
        const sum = (part?.entries ?? []).reduce((total, { effect }) => total + effect, part?.opening ?? 0);
        assert.equal(sum, part?.closing ?? 0);
        const totals = (part?.totals ?? []).reduce((total, { effect }) => total + effect, part?.opening ?? 0);
        assert.equal(totals, part?.closing ?? 0);
      }
    }
  });

  it('accepts times with any offset, and an empty period', async () => {
    const { from, currencies } = await statement(
      '?from=2020-01-01T01:00:00%2B01:00&to=2020-01-01T00:00:00Z&currency=usd',
    );
    assert.equal(from, '2020-01-01T00:00:00.000Z');
    assert.deepEqual(currencies, [{ currency: 'USD', opening: 0, closing: 0, totals: [], entries: [] }]);
  });

  it('contains only the requested currency, even without ledger entries', async () => {
    const { currencies } = await statement('?currency=EUR');
    assert.deepEqual(currencies, [{ currency: 'EUR', opening: 0, closing: 0, totals: [], entries: [] }]);
    assert.equal((await statement('?currency=USD')).currencies[0]?.closing, -400);
  });

  it('ends with the collaborator’s current balance', async () => {
    const [balance] = await shop.get<{ balance: number }[]>(`/v1/collaborators/${ada}/balance`);
    assert.equal((await statement()).currencies[0]?.closing, balance?.balance);
  });

  it('is available as CSV with the same lines and amounts in major units', async () => {
    const reply = await fetchAs('/statement.csv');
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.get('content-disposition'), `attachment; filename="statement-${ada}.csv"`);
    const rows = cellsOf(reply.text);
    const [dollars] = (await statement()).currencies;
    assert.equal(rows.length, (dollars?.entries.length ?? 0) + 2);
    assert.deepEqual([rows[0]?.['kind'], rows[0]?.['balance']], ['opening', '0.00']);
    assert.deepEqual(
      [rows.at(-1)?.['kind'], rows.at(-1)?.['balance'], rows.at(-1)?.['currency']],
      ['closing', '-4.00', 'USD'],
    );
    assert.deepEqual(
      [rows.at(-2)?.['kind'], rows.at(-2)?.['effect'], rows.at(-2)?.['order']],
      ['claw-back', '-4.00', 'order-2'],
    );
  });

  for (const [query, pointer, code] of [
    ['?from=yesterday', '/from', 'invalid-format'],
    ['?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', '/to', 'out-of-range'],
    ['?currency=dollars', '/currency', 'unknown-value'],
    ['?month=5', '/month', 'unknown-parameter'],
  ] as const) {
    it(`is refused with 422 for the query ${query}`, async () => {
      for (const suffix of [`/statement${query}`, `/statement.csv${query}`]) {
        const reply = await fetchAs(suffix);
        assert.equal(reply.status, 422, reply.text);
        assert.deepEqual(faultCodes(reply), { [pointer]: code });
      }
    });
  }

  it('returns 404 for an unknown collaborator', async () => {
    for (const suffix of ['/statement', '/statement.csv']) {
      const reply = await service.request('GET', `/v1/collaborators/8999999${suffix}`, { key: service.secretKey });
      assert.deepEqual([reply.status, problemCode(reply)], [404, 'not-found']);
    }
  });
});

/** Parses CSV rows without quotes into records by column name. */
function cellsOf(file: string): Record<string, string | undefined>[] {
  const [columns, ...lines] = file
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  return lines.map((cells) => Object.fromEntries((columns ?? []).map((column, n) => [column, cells[n]])));
}
