import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { MAX_ENGAGED, MAX_ENGAGEMENTS } from '#tracking/domain/visit.ts';
import { replayReports } from '#attribution/reactions/replay-reports.ts';
import { verify } from '#verify/verify.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';

const PROGRAMS = 10;
/** The number of collaborators that reaches the limit, if each has an engagement in every program. */
const ENOUGH = MAX_ENGAGEMENTS / PROGRAMS;

describe('an opportunity with many engagements', () => {
  let service: TestService;
  let shop: Shop;
  let codes: string[];
  let ids: number[];
  let full: string;
  /** The id of the full opportunity in the database, which differs from its public number. */
  let fullId: number;
  let runs = 0;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    for (let n = 1; n <= PROGRAMS; n += 1) await shop.program({ name: `Program ${n}` });
    codes = Array.from({ length: ENOUGH + 10 }, (_, n) => `partner${n}`);
    ids = [];
    for (const code of codes) ids.push(await shop.collaborator(code));
  });
  after(async () => {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    assert.deepEqual((await replayReports(service.database)).differences, []);
    await service.stop();
  });
  beforeEach(async () => {
    runs += 1;
    full = await shop.visit('partner0');
    const { rows } = await service.database.query<{ id: number }>('select max(id) as id from opportunities');
    fullId = rows[0]?.id as number;
    // Concurrent visits are written in batches. The limit on engagements also applies within a batch.
    await Promise.all(codes.slice(1).map((code) => shop.visit(code, { oid: full })));
  });

  const engagements = async (): Promise<{ collaborator_id: number; score: number }[]> =>
    (
      await service.database.query<{ collaborator_id: number; score: number }>(
        'select collaborator_id, score from engagements where opportunity_id = $1',
        [fullId],
      )
    ).rows;
  const engagedWith = async (): Promise<Set<number>> =>
    new Set((await engagements()).map(({ collaborator_id: id }) => id));
  /** Returns the code of a collaborator without an engagement on the full opportunity. */
  const refusedCode = async (): Promise<string> => {
    const engaged = await engagedWith();
    return codes.find((_, n) => !engaged.has(ids[n] as number)) as string;
  };

  it('gets no engagement beyond 1,000, but its engagements still score', async () => {
    assert.equal((await engagements()).length, MAX_ENGAGEMENTS);
    assert.equal((await engagedWith()).size, ENOUGH);
    await shop.visit(await refusedCode(), { oid: full });
    await shop.visit('partner0', { oid: full });
    const rows = await engagements();
    assert.equal(rows.length, MAX_ENGAGEMENTS);
    assert.deepEqual(
      rows.filter(({ collaborator_id: id }) => id === ids[0]).map(({ score }) => score),
      Array.from({ length: PROGRAMS }, () => 2),
    );
  });

  it('records the reason for visits that create no engagement', async () => {
    const refused = await refusedCode();
    await shop.sell(`full-${runs}`, full);
    const { rows } = await service.database.query<{ collaborator_id: number; reason: string | null }>(
      'select distinct collaborator_id, reason from visits where opportunity_id = $1 and reason is not null',
      [fullId],
    );
    assert.equal(rows.length, 10);
    assert.ok(rows.every(({ reason }) => reason === 'too-many-engagements'));
    assert.ok(rows.some(({ collaborator_id: id }) => codes[ids.indexOf(id)] === refused));
  });

  it('gets no engagement from a coupon if it already has 1,000', async () => {
    const coupon = `SAVE${runs}`;
    await shop.collaborator(`coupon${runs}`, { aliases: [{ type: 'coupon', code: coupon }] });
    await shop.program({ name: `Coupons ${runs}`, triggers: { 'coupon-applied': 1 } });
    await shop.applyCoupon(coupon, full);
    assert.equal((await engagements()).length, MAX_ENGAGEMENTS);
    const { rows } = await service.database.query<{ reason: string }>(
      `select reason from visits where opportunity_id = $1 and trigger = 'coupon-applied'`,
      [fullId],
    );
    assert.deepEqual(rows, [{ reason: 'too-many-engagements' }]);
  });

  it('gets no engagement from a custom event if it already has 1,000', async () => {
    const event = `signup-${runs}`;
    await service.request('POST', '/v1/custom-events', { key: service.secretKey, body: { slug: event, name: event } });
    for (let n = 1; n <= PROGRAMS + 1; n += 1) await shop.program({ name: `Signups ${n}`, triggers: { [event]: 1 } });
    await shop.custom(event, full);
    assert.equal((await engagements()).length, MAX_ENGAGEMENTS);
    const { rows } = await service.database.query<{ visits: number }>(
      `select count(*)::int as visits from visits
       where opportunity_id = $1 and trigger = $2 and reason = 'too-many-engagements'`,
      [fullId, event],
    );
    assert.deepEqual(rows, [{ visits: ENOUGH }]);
  });

  it('is not merged with the opportunity of a user, to which the user’s visit is added instead', async () => {
    const userId = 1_000 + runs;
    const own = await shop.visit('partner1', { userId });
    assert.equal(await shop.visit('partner2', { oid: full, userId }), own);
    const { status } = await shop.get<{ status: string }>(`/v1/opportunities/${full}`);
    assert.equal(status, 'active');
  });

  it('counts a custom event for the 100 collaborators with the newest touches', async () => {
    const key = await service.foundOrganization('Few programs');
    const other = openShop({ ...service, secretKey: key });
    await service.request('POST', '/v1/custom-events', { key, body: { slug: 'signup', name: 'Sign-up' } });
    await other.program({ triggers: { 'site-visit': 1, signup: 1 } });
    const engaged: number[] = [];
    let oid: string | undefined;
    for (const code of codes.slice(0, MAX_ENGAGED + 2)) {
      engaged.push(await other.collaborator(code));
      oid = await other.visit(code, oid === undefined ? {} : { oid });
    }
    // The first collaborator has an older engagement than the next two, but a newer touch.
    await other.visit('partner0', { oid: oid! });
    await other.custom('signup', oid!);
    const { rows } = await service.database.query<{ collaborator_id: number }>(
      `select collaborator_id from visits where trigger = 'signup' and collaborator_id = any ($1) order by 1`,
      [engaged],
    );
    assert.deepEqual(
      rows.map(({ collaborator_id: id }) => id),
      [engaged[0], ...engaged.slice(3)],
    );
  });

  it('lists the 100 engagements that were completed last in the explanation of a sale', async () => {
    const key = await service.foundOrganization('Regular customers');
    const other = openShop({ ...service, secretKey: key });
    await other.program({ creditsPer: 'opportunity' });
    await other.collaborator('partner0');
    const oid = await other.visit('partner0');
    for (let n = 1; n <= 102; n += 1) {
      await other.sell(`order-${n}`, oid);
      await service.settled();
      if (n < 102) await other.visit('partner0', { oid });
    }
    await other.sell('order-103', oid);
    const { candidates } = await other.explain('order-103');
    assert.deepEqual(
      candidates.map(({ outcome, reason }) => [outcome, reason]),
      Array.from({ length: 100 }, () => ['lost', 'already-credited']),
    );
    assert.equal((await other.earned('order-102')).length, 1);
  });
});
