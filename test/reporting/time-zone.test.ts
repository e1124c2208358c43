import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addRounds, openWorkerPool } from '#test/support/figures.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { leavePartition } from '#platform/postgres/partitions.ts';
import { dropOldVisits } from '#tracking/store/retention.ts';
import { verify } from '#verify/verify.ts';

type Figures = { timeZone: string; rows: { day: string; visits: number }[] };

/** Moments just before or at the beginning of a day, with their day in the zone. */
const MOMENTS: readonly (readonly [zone: string, at: string, day: string])[] = [
  ['UTC', '2026-06-30T18:30:00Z', '2026-06-30'],
  ['Asia/Kolkata', '2026-06-30T18:29:59.999999Z', '2026-06-30'],
  ['Asia/Kolkata', '2026-06-30T18:30:00Z', '2026-07-01'],
  // March 29 has 23 hours in Berlin.
  ['Europe/Berlin', '2026-03-28T22:59:59.999999Z', '2026-03-28'],
  ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29'],
  ['Europe/Berlin', '2026-03-29T21:59:59.999999Z', '2026-03-29'],
  ['Europe/Berlin', '2026-03-29T22:00:00Z', '2026-03-30'],
  // October 25 has 25 hours in Berlin.
  ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25'],
  ['Europe/Berlin', '2026-10-25T22:59:59.999999Z', '2026-10-25'],
  ['Europe/Berlin', '2026-10-25T23:00:00Z', '2026-10-26'],
  // In Santiago, September 6 begins at 1:00, and the last hour of April 4 occurs twice.
  ['America/Santiago', '2026-09-06T03:59:59.999999Z', '2026-09-05'],
  ['America/Santiago', '2026-09-06T04:00:00Z', '2026-09-06'],
  ['America/Santiago', '2026-04-05T03:59:59.999999Z', '2026-04-04'],
  ['America/Santiago', '2026-04-05T04:00:00Z', '2026-04-05'],
  // In Havana, the first hour of November 1 occurs twice.
  ['America/Havana', '2026-11-01T03:59:59.999999Z', '2026-10-31'],
  ['America/Havana', '2026-11-01T04:00:00Z', '2026-11-01'],
];

describe('the days of figures', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService({ WHENCE_ROLE: 'api' });
    shop = openShop(service);
    await shop.program();
    await shop.collaborator('ada');
    for (const _ of MOMENTS) await shop.visit('ada');
    const { rows } = await service.database.query<{ id: number }>('select id from visits order by id');
    for (const [n, { id }] of rows.entries())
      await service.database.query('update visits set occurred_at = $2 where id = $1', [id, MOMENTS[n]?.[1]]);
  });
  after(() => service.stop());

  const setZone = async (timeZone: string) => {
    const reply = await service.request('PATCH', '/v1/organization', { key: service.secretKey, body: { timeZone } });
    assert.equal(reply.status, 200);
  };
  /** Asserts that figures show exactly the visits of each day in MOMENTS, requested alone or as part of nine months. */
  const assertDays = async (timeZone: string) => {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
    for (const [, , day] of MOMENTS.filter(([zone]) => zone === timeZone)) {
      const visits = MOMENTS.filter(([, at]) => format.format(new Date(at)) === day).length;
      const until = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
      const alone = await shop.get<Figures>(`/v1/figures?from=${day}&until=${until}&by=total`);
      assert.deepEqual([alone.timeZone, alone.rows[0]?.visits], [timeZone, visits], `${timeZone} ${day}`);
      const around = await shop.get<Figures>(`/v1/figures?from=2026-03-01&until=2026-12-01&by=day`);
      assert.equal(around.rows.find((row) => row.day === day)?.visits, visits, `${timeZone} ${day}`);
    }
    const all = await shop.get<Figures>('/v1/figures?from=2026-03-01&until=2026-12-01&by=total');
    assert.equal(all.rows[0]?.visits, MOMENTS.length, 'the sums of whole months');
  };
  const addAll = async (rounds = Infinity) => {
    const pool = openWorkerPool(service);
    try {
      return await addRounds(pool, new Date().toISOString(), { visits: 4, others: 4 }, rounds);
    } finally {
      await pool.end();
    }
  };

  for (const zone of new Set(MOMENTS.map(([zone]) => zone))) {
    it(`begin at the first moment of the day in ${zone}, before and after the visits are summed`, async () => {
      assert.equal(MOMENTS.filter(([each, at, day]) => each === zone && localDay(zone, at) !== day).length, 0);
      await setZone(zone);
      await assertDays(zone);
      assert.ok((await addAll()) > 1);
      await assertDays(zone);
      assert.deepEqual((await verify(service.database)).breaches, []);
    });
  }

  it('keep the former zone for visits that retention has dropped', async () => {
    await setZone('Asia/Kolkata');
    await addAll();
    const july = async () =>
      (await shop.get<Figures>('/v1/figures?from=2026-07-01&until=2026-07-02&by=total')).rows[0]?.visits;
    assert.equal(await july(), 2);
    await leavePartition(service.database);
    await service.database.query(`update visit_partitions set opened_at = '2026-11-20'`);
    for (let n = 0; n < 11; n += 1) await shop.visit('ada');
    await addAll();
    assert.equal(await dropOldVisits(service.database, 1), true);
    await setZone('UTC');
    await addAll(1);
    await setZone('Asia/Kolkata');
    assert.equal(await july(), 0, 'an interrupted restart is not used as if it were complete');
    await addAll();
    assert.equal(await july(), 2, 'the former zone is chosen again while the sums are restarted');
    assert.deepEqual((await verify(service.database)).breaches, []);
    await setZone('UTC');
    assert.ok((await addAll()) > 5, 'the remaining visits are taken from the sums and added again in rounds');
    assert.equal(await july(), 2, 'dropped visits can’t move to another day');
    const { rows } = await shop.get<Figures>('/v1/figures?from=2026-03-01&until=2027-03-01&by=total');
    assert.equal(rows[0]?.visits, MOMENTS.length + 11, 'and are not lost');
    assert.deepEqual((await verify(service.database)).breaches, []);
  });
});

function localDay(timeZone: string, at: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date(at));
}
