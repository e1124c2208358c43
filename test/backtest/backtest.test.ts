import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { CollaboratorId, OrganizationId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import type { Minor } from '#core/money.ts';
import { ALL_TIME, amountsOf, type Backtests, openBacktests, runAlone } from '#test/backtest/drafts.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { verify } from '#verify/verify.ts';

const DAY_MS = 86_400_000;
const percent = (value: number) => ({ type: 'percent', ratePpm: value * 10_000 }) as const;

describe('a backtest of drafts', () => {
  let service: TestService;
  let shop: Shop;
  let secretKey: string;
  let organizationId: OrganizationId;
  let backtests: Backtests;
  let organizations = 0;

  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  beforeEach(async () => {
    secretKey = await service.foundOrganization(`Backtest ${(organizations += 1)}`);
    shop = openShop({ ...service, secretKey });
    const { rows } = await service.database.query<{ id: OrganizationId }>('select max(id) as id from organizations');
    organizationId = (rows[0] as { id: OrganizationId }).id;
    backtests = openBacktests(service.database, organizationId);
  });

  async function report(path: string, body: Record<string, unknown>, oid?: string): Promise<string> {
    const headers = oid === undefined ? {} : { 'X-Service-OID': oid };
    const reply = await service.request('POST', `/v1/event/${path}`, { key: secretKey, body, headers });
    assert.equal(reply.status, 200, reply.text);
    return reply.headers.get('X-Service-OID') ?? '';
  }

  const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

  it('pays twice as much with a doubled percentage, and shows partners, months, lines, revenue and explanations', async () => {
    const program = await shop.program();
    const anna = await shop.collaborator('anna');
    const ben = await shop.collaborator('ben');
    await shop.sell('d-1', await shop.visit('anna'));
    await shop.sell('d-2', await shop.visit('ben'), {
      total: 90,
      items: [
        { externalId: 'tea', name: 'Tea', amount: 20, quantity: 3 },
        { externalId: 'cup', name: 'Cup', amount: 30, quantity: 1 },
      ],
    });
    await service.settled();
    const result = await backtests.run([await backtests.changed(program, { reward: percent(20) })]);
    const [total] = result.totals;
    assert.deepEqual(amountsOf(result.totals), [[1900, 3800]]);
    assert.deepEqual([total?.revenue, total?.gaining, total?.losing, total?.changingHands], [19000n, 2, 0, 0]);
    assert.deepEqual([total?.recordedPpm, total?.draftedPpm], [100_000, 200_000]);
    assert.deepEqual(
      result.partners.map(({ collaboratorId, name }) => [collaboratorId, name]),
      [
        [anna, 'anna'],
        [ben, 'ben'],
      ],
    );
    assert.deepEqual(amountsOf(result.partners), [
      [1000, 2000],
      [900, 1800],
    ]);
    assert.deepEqual(amountsOf(result.months), [[1900, 3800]]);
    assert.deepEqual(
      result.lines.map(({ name, type }) => [name, type]),
      [
        ['Order', 'product'],
        ['Tea', 'product'],
        ['Cup', 'product'],
      ],
    );
    assert.deepEqual(amountsOf(result.lines), [
      [1000, 2000],
      [600, 1200],
      [300, 600],
    ]);
    assert.deepEqual(amountsOf(result.differing), [
      [1000, 2000],
      [900, 1800],
    ]);
    assert.match(result.differing[0]?.recordedText ?? '', /10% of/);
    assert.match(result.differing[0]?.draftedText ?? '', /20% of/);
  });

  it('limits commissions with a drafted cap per period, which counts the awards before the backtested period', async () => {
    const program = await shop.program();
    await shop.collaborator('anna');
    const visitor = await shop.visit('anna');
    for (const sale of ['c-1', 'c-2', 'c-3']) await shop.sell(sale, visitor);
    await service.settled();
    const capped = await backtests.changed(program, { capPerPeriod: { period: 'lifetime', amount: 2500n as Minor } });
    assert.deepEqual(amountsOf((await backtests.run([capped])).totals), [[3000, 2500]]);
    // The first sale keeps its recorded commission, so 15.00 of the cap are left for the others.
    const period = { ...ALL_TIME, from: (await soldAt('c-2')) as Instant };
    assert.deepEqual(amountsOf((await backtests.run([capped], period)).totals), [[2000, 1500]]);
  });

  async function soldAt(externalId: string): Promise<number> {
    const { rows } = await service.database.query<{ at: number }>(
      `select (extract(epoch from occurred_at) * 1000000)::bigint as at from transactions
       where organization_id = $1 and external_id = $2`,
      [organizationId, externalId],
    );
    return rows[0]?.at ?? 0;
  }

  it('pays commissions of a program that does not exist yet, for visits that counted for no program', async () => {
    const program = await shop.program({ enrollment: 'selected' });
    const anna = await shop.collaborator('anna');
    const ben = await shop.collaborator('ben');
    const enrolled = await service.request('POST', `/v1/programs/${program}/collaborators`, {
      key: secretKey,
      body: { collaboratorId: anna },
    });
    assert.equal(enrolled.status, 201, enrolled.text);
    await shop.sell('n-1', await shop.visit('anna'));
    await shop.sell('n-2', await shop.visit('ben'));
    await service.settled();
    const terms = { ...(await backtests.terms(program)), reward: percent(5) };
    const open = { programId: null, enrolled: null, terms: { ...terms, enrollment: 'everyone' as const } };
    const result = await backtests.run([open]);
    assert.deepEqual(
      result.partners.map(({ collaboratorId, recorded, drafted }) => [collaboratorId, recorded, drafted]),
      [
        [anna, 1000n, 1500n],
        [ben, 0n, 500n],
      ],
    );
    const closed = { programId: null, enrolled: [ben as CollaboratorId], terms };
    const { totals } = await backtests.run([closed]);
    assert.deepEqual(amountsOf(totals), [[1000, 1500]]);
  });

  it('pays nothing for a visit before a shorter window', async () => {
    const program = await shop.program({ windowDays: 30 });
    const anna = await shop.collaborator('anna');
    const oid = await report('site-visited', { collaboratorId: anna, occurredAt: ago(20) });
    await shop.sell('w-1', oid);
    await service.settled();
    const result = await backtests.run([await backtests.changed(program, { windowDays: 7 })]);
    assert.deepEqual(amountsOf(result.totals), [[1000, 0]]);
    assert.equal(result.totals[0]?.losing, 1);
    assert.match(result.differing[0]?.draftedText ?? '', /window-expired/);
  });

  it('credits the first touch instead of the last touch, and lists the sale as changing hands', async () => {
    const program = await shop.program({ attribution: 'last-touch' });
    const anna = await shop.collaborator('anna');
    const ben = await shop.collaborator('ben');
    const visitor = await shop.visit('anna');
    await shop.visit('ben', { oid: visitor });
    await shop.sell('t-1', visitor);
    await service.settled();
    const result = await backtests.run([await backtests.changed(program, { attribution: 'first-touch' })]);
    assert.deepEqual(amountsOf(result.totals), [[1000, 1000]]);
    assert.equal(result.totals[0]?.changingHands, 1);
    assert.deepEqual(
      result.hands.map(({ recordedEarners, draftedEarners }) => [recordedEarners, draftedEarners]),
      [[[ben], [anna]]],
    );
  });

  it('applies refunds and corrections to drafted commissions, and pays renewals of sales before the period', async () => {
    const program = await shop.program({ pays: ['sale', 'renewal'] });
    await shop.collaborator('anna');
    const visitor = await shop.visit('anna');
    for (const sale of ['r-1', 'r-2', 'r-3', 'r-4']) await shop.sell(sale, visitor);
    await shop.refundPart('r-1', { refundId: 'half', amount: 50 });
    await shop.refund('r-2');
    await shop.correct('r-3', { correctionId: 'less', total: 70 });
    await service.settled();
    await shop.renew('r-5', 'r-4');
    await service.settled();
    const doubled = await backtests.changed(program, { reward: percent(20) });
    // The recorded commissions are 5.00, 0.00, 7.00, 10.00 and 10.00.
    assert.deepEqual(amountsOf((await backtests.run([doubled])).totals), [[3200, 6400]]);
    // The renewal pays the earner of a sale before the period.
    const period = { ...ALL_TIME, from: (await soldAt('r-5')) as Instant };
    assert.deepEqual(amountsOf((await backtests.run([doubled], period)).totals), [[1000, 2000]]);
  });

  it('counts a person’s rejection for the same collaborator in every program, but for no other collaborator', async () => {
    const program = await shop.program({ autoApprove: false });
    const anna = await shop.collaborator('anna');
    const ben = await shop.collaborator('ben');
    const visitor = await shop.visit('anna');
    await shop.visit('ben', { oid: visitor });
    await shop.sell('j-1', visitor);
    await service.settled();
    await shop.reject('j-1');
    const doubled = await backtests.changed(program, { reward: percent(20) });
    assert.deepEqual(amountsOf((await backtests.run([doubled])).partners), []);
    const other = {
      programId: null,
      enrolled: null,
      terms: { ...(await backtests.terms(program)), attribution: 'linear' as const },
    };
    const result = await backtests.run([other]);
    assert.deepEqual(
      result.partners.map(({ collaboratorId, drafted }) => [collaboratorId, drafted]),
      [[anna, 500n]],
    );
    assert.notEqual(anna, ben);
  });

  it('keeps manual credits, and counts them for a drafted cap', async () => {
    const program = await shop.program();
    const anna = await shop.collaborator('anna');
    await shop.collaborator('ben');
    const visitor = await shop.visit('ben');
    await shop.sell('m-1', visitor);
    await service.settled();
    await shop.credit('m-1', { programId: program, collaboratorId: anna, amount: 700 });
    await shop.sell('m-2', await shop.visit('anna'));
    await service.settled();
    const capped = await backtests.changed(program, { capPerPeriod: { period: 'lifetime', amount: 900n as Minor } });
    const { partners } = await backtests.run([capped]);
    assert.deepEqual(amountsOf(partners), [
      [1700, 900],
      [1000, 900],
    ]);
  });

  it('pays a drafted tier once its threshold is reached', async () => {
    const program = await shop.program();
    await shop.collaborator('anna');
    const visitor = await shop.visit('anna');
    for (const sale of ['u-1', 'u-2', 'u-3']) await shop.sell(sale, visitor);
    await service.settled();
    const tiers = { period: 'lifetime', by: 'count', steps: [{ from: 1n, reward: percent(20) }] } as const;
    const result = await backtests.run([await backtests.changed(program, { tiers })]);
    assert.deepEqual(amountsOf(result.totals), [[3000, 5000]]);
  });

  it('starts with the engagements that sales before the period completed', async () => {
    const program = await shop.program({ creditsPer: 'opportunity' });
    await shop.collaborator('anna');
    const visitor = await shop.visit('anna');
    await shop.sell('o-1', visitor);
    await shop.sell('o-2', visitor);
    await shop.visit('anna', { oid: visitor });
    await shop.sell('o-3', visitor);
    await service.settled();
    const doubled = await backtests.changed(program, { reward: percent(20) });
    assert.deepEqual(amountsOf((await backtests.run([doubled])).totals), [[2000, 4000]]);
    const period = { ...ALL_TIME, from: (await soldAt('o-2')) as Instant };
    assert.deepEqual(amountsOf((await backtests.run([doubled], period)).totals), [[1000, 2000]]);
  });

  it('counts only touches with a trigger of the drafted program', async () => {
    const program = await shop.program({ triggers: { 'site-visit': 1 } });
    const aliases = [
      { type: 'tracking', code: 'anna' },
      { type: 'coupon', code: 'ANNA10' },
    ];
    const anna = await shop.collaborator('anna', { aliases });
    const ben = await shop.collaborator('ben');
    const visitor = await shop.visit('anna');
    await shop.applyCoupon('ANNA10', visitor);
    await shop.sell('k-1', visitor);
    await shop.sell('k-2', await shop.visit('ben'));
    await service.settled();
    const result = await backtests.run([await backtests.changed(program, { triggers: { 'coupon-applied': 1 } })]);
    assert.deepEqual(
      result.partners.map(({ collaboratorId, recorded, drafted }) => [collaboratorId, recorded, drafted]),
      [
        [ben, 1000n, 0n],
        [anna, 1000n, 1000n],
      ],
    );
    assert.match(result.differing[0]?.draftedText ?? '', /no-engagement/);
  });

  it('compares several drafts side by side, each with the same books', async () => {
    const program = await shop.program();
    await shop.collaborator('anna');
    await shop.sell('s-1', await shop.visit('anna'));
    await service.settled();
    const drafts = await Promise.all(
      [5, 10, 30].map(async (value) => ({
        name: `${value}%`,
        programs: [await backtests.changed(program, { reward: percent(value) })],
      })),
    );
    const progress: number[] = [];
    const outcome = await runAlone(
      { connection: service.database, organizationId },
      { period: ALL_TIME, drafts },
      { onProgress: ({ decided, total }) => progress.push(decided / total) },
    );
    assert.ok(outcome.kind === 'done');
    assert.deepEqual(
      outcome.drafts.map(({ name, totals }) => [name, ...amountsOf(totals)]),
      [
        ['5%', [1000, 500]],
        ['10%', [1000, 1000]],
        ['30%', [1000, 3000]],
      ],
    );
    assert.deepEqual(progress, [1 / 3, 2 / 3, 1]);
  });

  it('lists the twenty largest differences, and adds up lines that are not listed', async () => {
    // Give recorded conversions the ids from 4, which a draft's conversions would also have if their ids began with 1.
    await service.database.query(`select setval(pg_get_serial_sequence('conversions', 'id'), 3)`);
    const program = await shop.program();
    await shop.collaborator('anna');
    const visitor = await shop.visit('anna');
    for (let n = 22; n > 0; n -= 1) await shop.sell(`b-${n}`, visitor, { total: n });
    for (const half of [0, 1]) {
      const items = Array.from({ length: 501 }, (_, n) => ({
        externalId: `${half}-${n}`,
        name: `Article ${half}-${n}`,
        quantity: 1,
        amount: 10,
      }));
      await shop.sell(`lines-${half}`, visitor, { total: 5010, items });
    }
    await service.settled();
    const result = await backtests.run([await backtests.changed(program, { reward: percent(20) })]);
    assert.equal(result.differing.length, 20);
    // The differences are those of the two sales with many lines and of the 18 largest other sales.
    assert.deepEqual(amountsOf(result.differing).at(2), [220, 440]);
    assert.deepEqual(amountsOf(result.differing).at(-1), [50, 100]);
    assert.equal(result.lines.length, 1001);
    // 1,003 kinds of lines: the line Order, and 1,002 articles of 1.00 each.
    assert.deepEqual(result.lines.at(-1), { currency: 'USD', name: null, type: null, recorded: 300n, drafted: 600n });
  });

  it('changes no books, and stops when it is aborted', async () => {
    const program = await shop.program({ creditsPer: 'opportunity' });
    await shop.collaborator('anna');
    await shop.sell('a-1', await shop.visit('anna'));
    await service.settled();
    const fingerprint = async (): Promise<unknown> => {
      const tables = [
        'transactions',
        'conversions',
        'engagements',
        'explanations',
        'visits',
        'program_versions',
        'jobs',
      ];
      const hashes = tables.map((table) => `(select md5(string_agg(t::text, '' order by t::text)) from ${table} t)`);
      const { rows } = await service.database.query(
        `select ${hashes.map((hash, n) => `${hash} as t${n}`).join()}, (select last_value from event_ids) as events,
           (select last_value from engagement_ids) as engagements`,
      );
      return rows;
    };
    const before = await fingerprint();
    const drafts = [{ name: 'draft', programs: [await backtests.changed(program, { reward: percent(20) })] }];
    const tenant = { connection: service.database, organizationId };
    await runAlone(tenant, { period: ALL_TIME, drafts });
    const stop = new AbortController();
    const stopped = runAlone(
      tenant,
      { period: ALL_TIME, drafts },
      { signal: stop.signal, pause: async () => stop.abort(new Error('stopped')) },
    );
    await assert.rejects(stopped, /stopped/);
    assert.deepEqual(await fingerprint(), before);
    assert.deepEqual((await verify(service.database)).breaches, []);
  });
});
