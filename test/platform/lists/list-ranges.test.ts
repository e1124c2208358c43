import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTill } from '../../support/payouts.ts';
import { faultCodes } from '../../support/replies.ts';
import { startService, type TestService } from '../../support/service.ts';
import { letPass, openShop } from '../../support/shop.ts';

type Row = Readonly<Record<string, string | null>>;

/** Each list with its times. Each time has two parameters, such as `createdFrom` and `createdUntil`. */
const LISTS: readonly (readonly [path: string, ...times: string[]])[] = [
  ['/v1/api-keys', 'createdAt'],
  ['/v1/collaborators', 'createdAt'],
  ['/v1/collaborators/{collaborator}/aliases', 'createdAt'],
  ['/v1/programs', 'createdAt'],
  ['/v1/programs/{program}/versions', 'createdAt'],
  ['/v1/programs/{program}/collaborators', 'createdAt'],
  ['/v1/program-groups', 'createdAt', 'updatedAt'],
  ['/v1/custom-events', 'createdAt'],
  ['/v1/opportunities', 'createdAt'],
  ['/v1/transactions', 'occurredAt'],
  ['/v1/conversions', 'createdAt'],
  ['/v1/fulfillments', 'createdAt'],
  ['/v1/payouts', 'createdAt', 'paidAt'],
  ['/v1/ledger-entries', 'occurredAt'],
  ['/v1/events', 'occurredAt'],
  ['/v1/audit-entries', 'at'],
];

describe('a list with a time range', () => {
  let service: TestService;
  let ids: Readonly<Record<string, number>>;
  before(async () => {
    service = await startService();
    const shop = openShop(service);
    const till = openTill(service);
    const post = (path: string, body: object) => service.request('POST', path, { key: service.secretKey, body });
    const program = await shop.program({ autoApprove: true });
    const collaborator = await shop.collaborator('ada');
    await post(`/v1/collaborators/${collaborator}/aliases`, { type: 'coupon', code: 'ADA10' });
    await post(`/v1/programs/${program}/collaborators`, { collaboratorId: collaborator });
    for (const name of ['One', 'Two']) {
      await post('/v1/program-groups', { name, rule: 'newest', programIds: [] });
      await post('/v1/custom-events', { slug: name.toLowerCase(), name });
      await post('/v1/api-keys', { label: name });
      await shop.collaborator(name.toLowerCase());
      await shop.program({ name });
      await shop.change(`/v1/programs/${program}`, { name });
      await shop.sell(name, await shop.visit('ada'));
      await service.settled();
      const run = await till.runOne();
      const [payout] = await till.payoutsOf(run);
      if (name === 'One') await till.mark(payout?.id ?? 0, 'paid');
      if (name === 'Two') await shop.refund('Two');
      await service.settled();
      await letPass(service, '1 hour');
    }
    ids = { program, collaborator };
  });
  after(() => service.stop());

  const get = async (path: string) => service.request('GET', path, { key: service.secretKey });
  const fill = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, noun: string) => String(ids[noun]));
  /**
   * Returns the rows and the count of a list, without `lastUsedAt`, which is written once a minute and could change
   * between two requests.
   */
  const rowsOf = async (path: string) => {
    const reply = await get(path);
    assert.equal(reply.status, 200, `${path}: ${reply.text}`);
    const rows = (reply.body as Row[]).map(({ lastUsedAt: _, ...row }) => row);
    return { rows, count: Number(reply.headers.get('x-service-estimated-count')) };
  };
  const bound = (time: string, name: string) => (time === 'at' ? name.toLowerCase() : time.replace(/At$/, name));

  for (const [path, ...times] of LISTS) {
    it(`${path} is filtered by ${times.join(', ')}: From is inclusive, Until is exclusive`, async () => {
      const { rows } = await rowsOf(`${fill(path)}?perPage=100`);
      assert.ok(rows.length > 0);
      for (const time of times) {
        // Responses show times with milliseconds, so compare them in milliseconds.
        const shown = rows.map((row) => (row[time] == null ? NaN : Date.parse(row[time])));
        const moments = new Set(shown.filter((moment) => !Number.isNaN(moment)));
        assert.ok(moments.size > 0, time);
        for (const moment of moments) {
          const at = new Date(moment).toISOString();
          const [from, until] = [`${bound(time, 'From')}=${at}`, `${bound(time, 'Until')}=${at}`];
          const later = await rowsOf(`${fill(path)}?perPage=100&${from}`);
          assert.deepEqual(
            asIn(rows, later.rows),
            rows.filter((_, index) => (shown[index] as number) >= moment),
            from,
          );
          assert.equal(later.count, later.rows.length);
          const earlier = await rowsOf(`${fill(path)}?perPage=100&${until}`);
          assert.deepEqual(
            asIn(rows, earlier.rows),
            rows.filter((_, index) => (shown[index] as number) < moment),
            until,
          );
        }
      }
    });
  }

  it('is sorted newest first by default', async () => {
    for (const [path, time, order] of [
      ['/v1/conversions', 'createdAt', 'createdAt'],
      ['/v1/transactions', 'occurredAt', 'occurredAt'],
      // The list of payouts can’t be sorted by `paidAt`.
      ['/v1/payouts', 'paidAt', 'id'],
    ] as const) {
      const range = `${bound(time, 'From')}=2020-01-01T00:00:00Z`;
      const { rows } = await rowsOf(`${path}?${range}`);
      assert.deepEqual(rows, (await rowsOf(`${path}?${range}&sort=-${order}`)).rows, `${path}?${range}`);
    }
  });

  it('two adjacent time ranges together return each row of a list once, with pagination, sort and filters', async () => {
    const { rows } = await rowsOf('/v1/ledger-entries?perPage=100&sort=id');
    const middle = new Date(Date.parse(rows[Math.floor(rows.length / 2)]?.['occurredAt'] as string)).toISOString();
    const walked: Row[] = [];
    for (const half of [`occurredUntil=${middle}`, `occurredFrom=${middle}`]) {
      let path: string | undefined = `/v1/ledger-entries?perPage=2&sort=id&currency=USD&${half}`;
      while (path !== undefined) {
        const reply = await get(path);
        walked.push(...(reply.body as Row[]));
        path = /^<([^>]+)>/.exec(reply.headers.get('link') ?? '')?.[1];
      }
    }
    assert.deepEqual(walked, rows);
  });

  it('a time range accepts any UTC offset and fractions of a second', async () => {
    const { rows } = await rowsOf(
      '/v1/transactions?occurredFrom=2020-01-01T00:00:00%2B05:30&occurredUntil=2100-01-01t00:00:00.5z',
    );
    assert.equal(rows.length, 2);
  });

  it('a list returns 422 for an invalid time, an empty range, or an unknown time field', async () => {
    for (const [query, faults] of [
      ['occurredFrom=yesterday', { '/occurredFrom': 'invalid-format' }],
      ['occurredFrom=2027-01-01', { '/occurredFrom': 'invalid-format' }],
      ['occurredUntil=2027-02-30T00:00:00Z', { '/occurredUntil': 'invalid-format' }],
      ['occurredFrom=', { '/occurredFrom': 'invalid-format' }],
      // An unencoded plus sign is a space.
      ['occurredFrom=2027-01-01T00:00:00+01:00', { '/occurredFrom': 'invalid-format' }],
      ['occurredFrom=2027-01-02T00:00:00Z&occurredUntil=2027-01-01T00:00:00Z', { '/occurredUntil': 'out-of-range' }],
      ['occurredFrom=2027-01-01T00:00:00Z&occurredUntil=2027-01-01T00:00:00Z', { '/occurredUntil': 'out-of-range' }],
      ['paidFrom=2027-01-01T00:00:00Z', { '/paidFrom': 'unknown-parameter' }],
      ['sort=refundedAt', { '/sort': 'unknown-value' }],
    ] as const) {
      const reply = await get(`/v1/transactions?${query}`);
      assert.deepEqual([reply.status, faultCodes(reply)], [422, faults], query);
    }
    for (const moment of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999999999Z', '0001-01-01T00:00:00%2B14:00']) {
      assert.equal((await get(`/v1/transactions?occurredFrom=${moment}`)).status, 200, moment);
    }
  });
});

/** Returns the rows of `some` in the order in which they occur in `all`. */
function asIn(all: readonly Row[], some: readonly Row[]): Row[] {
  const place = new Map(all.map((row, index) => [JSON.stringify(row), index]));
  return some.toSorted((a, b) => Number(place.get(JSON.stringify(a))) - Number(place.get(JSON.stringify(b))));
}
