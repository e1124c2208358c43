import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Pair, startPair, tally } from '#test/support/pair.ts';
import { SEED } from '#test/support/random.ts';
import { eachRound, countRounds } from '#test/support/rounds.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { letPass, openShop, type Shop } from '#test/support/shop.ts';
import type { CollaboratorId, OrganizationId, UserId } from '#core/ids.ts';
import { hashReportKey } from '#core/report-key.ts';
import { type ReportVisits, type VisitReport, createVisitReporter } from '#tracking/commands/report-visits.ts';
import { openDatabase } from '#platform/postgres/database.ts';
import { verify } from '#verify/verify.ts';
import { forgetVisitKeys } from '#tracking/store/visit-keys.ts';

const ROUNDS = countRounds(200, 12);
/** The number of rounds of an expensive test. */
const FEW = countRounds(200, 4);

type VisitReply = { readonly status: number; readonly oid: string | null };

async function count(service: TestService, from: string, values: readonly unknown[] = []): Promise<number> {
  const { rows } = await service.database.query<{ n: number }>(`select count(*) as n from ${from}`, [...values]);
  return rows[0]?.n ?? NaN;
}

describe(`concurrent reports with one Idempotency-Key on two processes (TEST_SEED=${SEED})`, () => {
  let pair: Pair;
  let service: TestService;
  let shop: Shop;
  before(async () => {
    pair = await startPair();
    service = pair.service;
    shop = openShop(service);
    const key = service.secretKey;
    await service.request('POST', '/v1/custom-events', { key, body: { slug: 'quiz-done', name: 'Quiz' } });
    await shop.program({ triggers: { 'site-visit': 1, 'quiz-done': 5 } });
    for (const code of ['ada', 'bob', 'carl', 'dora']) await shop.collaborator(code);
  });
  after(async () => {
    await pair.isSound();
    await pair.stop();
  });

  /** Posts a report to a random process. */
  async function post(
    random: () => number,
    path: string,
    body: unknown,
    key?: string,
    oid?: string,
  ): Promise<VisitReply> {
    const { status, headers } = await pair.post(random, `/v1/event/${path}`, body, {
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(oid === undefined ? {} : { 'x-service-oid': oid }),
    });
    return { status, oid: headers.get('x-service-oid') };
  }
  const visit = (random: () => number, code: string, key?: string, more: object = {}, oid?: string) =>
    post(random, 'site-visited', { collaboratorId: `tracking:${code}`, ...more }, key, oid);
  const scores = async (oid: string): Promise<number[]> =>
    (await shop.get<{ score: number }[]>(`/v1/engagements?opportunityId=${oid}`)).map(({ score }) => score);

  it('16 identical visits count as one, without affecting other visits', async () => {
    await eachRound(ROUNDS, async (round, random) => {
      const keys = Array.from({ length: 4 }, () => randomUUID());
      const sent = Array.from({ length: 64 }, (_, n) => ({ key: keys[n % 4] as string, order: random() }));
      sent.sort((a, b) => a.order - b.order);
      const before = await count(service, 'visits');
      const [keyed, plain] = await Promise.all([
        Promise.all(sent.map(async ({ key }) => ({ key, replies: await visit(random, 'ada', key) }))),
        Promise.all(Array.from({ length: 16 }, (_, n) => visit(random, 'bob', n % 2 === 0 ? randomUUID() : undefined))),
      ]);
      assert.deepEqual(tally([...keyed.map(({ replies }) => replies), ...plain]), { 200: 80 }, `round ${round}`);
      assert.equal((await count(service, 'visits')) - before, 4 + 16, `round ${round}`);
      for (const [, group] of Map.groupBy(keyed, ({ key }) => key)) {
        const [oid, ...more] = new Set(group.map(({ replies }) => replies.oid as string));
        assert.deepEqual(more, [], `round ${round}`);
        assert.deepEqual(await scores(oid as string), [1], `round ${round}`);
      }
    });
  });

  it('one of four different visits with one key is recorded, and the others get 422', async () => {
    await eachRound(ROUNDS, async (round, random) => {
      const key = randomUUID();
      const before = await count(service, 'visits');
      const replies = await Promise.all(
        Array.from({ length: 16 }, (_, n) => visit(random, ['ada', 'bob', 'carl', 'dora'][n % 4] as string, key)),
      );
      assert.deepEqual(tally(replies), { 200: 4, 422: 12 }, `round ${round}`);
      assert.equal((await count(service, 'visits')) - before, 1, `round ${round}`);
    });
  });

  it('a user’s visit that is sent with four different opportunities claims or merges only one of them', async () => {
    await eachRound(ROUNDS, async (round, random) => {
      const key = randomUUID();
      const userId = 1_000 + round;
      const oids = await Promise.all(Array.from({ length: 4 }, () => shop.visit('bob')));
      // In every second round, the user already has an opportunity, so the visit merges two opportunities.
      if (round % 2 === 1) await shop.visit('carl', { userId });
      const before = await count(service, 'visits');
      const replies = await Promise.all(
        Array.from({ length: 16 }, (_, n) => visit(random, 'ada', key, { userId }, oids[n % 4])),
      );
      assert.deepEqual(tally(replies), { 200: 16 }, `round ${round}`);
      assert.equal(new Set(replies.map(({ oid }) => oid)).size, 1, `round ${round}`);
      assert.equal((await count(service, 'visits')) - before, 1, `round ${round}`);
      const states = await Promise.all(oids.map((each) => shop.get<{ state: string; userId: unknown }>(stateOf(each))));
      const taken = states.filter(({ state, userId }) => state === 'merged' || userId !== null);
      assert.equal(taken.length, 1, `round ${round}: ${JSON.stringify(states)}`);
    });
  });
  const stateOf = (oid: string) => `/v1/opportunities/${oid}`;

  it('a custom event for all engaged collaborators, sent 16 times, counts once for each', async () => {
    await eachRound(ROUNDS, async (round, random) => {
      const key = randomUUID();
      const trackingId = await shop.visit('ada');
      for (const code of ['bob', 'carl']) await shop.visit(code, { oid: trackingId });
      const replies = await Promise.all(
        Array.from({ length: 16 }, () => post(random, 'custom', { event: 'quiz-done', trackingId }, key)),
      );
      assert.deepEqual(tally(replies), { 200: 16 }, `round ${round}`);
      assert.deepEqual(await scores(trackingId), [6, 6, 6], `round ${round}`);
    });
  });

  it('a visit with a key counts once while the program is edited', async () => {
    const [program] = await shop.get<{ id: number }[]>('/v1/programs');
    let editing = true;
    const edit = async () => {
      for (let points = 1; editing; points += 1) {
        const triggers = { 'site-visit': 1, 'quiz-done': (points % 9) + 1 };
        await shop.change(`/v1/programs/${program?.id}`, { triggers });
      }
    };
    const edits = edit();
    await eachRound(FEW, async (round, random) => {
      const key = randomUUID();
      const replies = await Promise.all(Array.from({ length: 16 }, () => visit(random, 'ada', key)));
      assert.deepEqual(tally(replies), { 200: 16 }, `round ${round}`);
      assert.deepEqual(await scores(replies[0]?.oid as string), [1], `round ${round}`);
    });
    editing = false;
    await edits;
  });
});

describe('reports with Idempotency-Keys in one batch', () => {
  let service: TestService;
  let organizationId: OrganizationId;
  let ada: CollaboratorId;
  let reportVisits: ReportVisits;
  let statements: string[];
  let end: () => Promise<void>;
  before(async () => {
    service = await startService();
    const shop = openShop(service);
    await shop.program();
    ada = (await shop.collaborator('ada')) as CollaboratorId;
    const { rows } = await service.database.query<{ id: OrganizationId }>('select id from organizations');
    organizationId = rows[0]?.id as OrganizationId;
    const database = openDatabase(service.databaseUrl, { steadyPlans: true });
    end = () => database.end();
    const watched = Object.assign(Object.create(database) as typeof database, {
      query: (statement: string | { name: string }, values?: unknown[]) => {
        statements.push(typeof statement === 'string' ? statement : statement.name);
        return database.query(statement as string, values);
      },
    });
    reportVisits = createVisitReporter(watched);
    statements = [];
    // Load the configuration into the cache with a visit, so that later batches need no statement for it.
    await reportVisits(organizationId, [plain()]);
  });
  beforeEach(() => {
    statements = [];
  });
  after(async () => {
    await end();
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const plain = (change: Partial<VisitReport> = {}): VisitReport => ({
    collaborator: { kind: 'id', id: ada },
    presented: null,
    userId: null,
    key: null,
    ...change,
  });
  const keyed = (key: string, content: unknown = 'same', change: Partial<VisitReport> = {}): VisitReport =>
    plain({ key: hashReportKey('secret', key, 'site-visited', content), ...change });
  const NOBODY: Partial<VisitReport> = { collaborator: { kind: 'alias', type: 'tracking', codeKey: 'nobody' } };
  const kindsOf = async (reports: readonly VisitReport[]) =>
    (await reportVisits(organizationId, reports)).map((outcome) => outcome?.kind);

  it('a batch of new reports and a batch of repeats each take one SQL statement', async () => {
    const batch = Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? plain() : keyed(`new-${n}`)));
    const first = await reportVisits(organizationId, batch);
    assert.deepEqual(new Set(first.map((outcome) => outcome?.kind)), new Set(['recorded']));
    const repeats = batch.filter(({ key }) => key !== null);
    assert.deepEqual(
      await reportVisits(organizationId, repeats),
      first.filter((_, n) => n % 2 === 1),
    );
    assert.deepEqual(statements, ['write-visits', 'write-visits']);
  });

  it('a repeat among new reports takes one additional SQL statement', async () => {
    await reportVisits(organizationId, [keyed('known')]);
    const before = await count(service, 'visits');
    statements = [];
    const kinds = await kindsOf([plain(), keyed('known'), keyed('known', 'other'), keyed('unknown')]);
    assert.deepEqual(kinds, ['recorded', 'recorded', 'other-request', 'recorded']);
    assert.deepEqual(statements, ['write-visits', 'write-visits']);
    assert.equal((await count(service, 'visits')) - before, 2);
  });

  it('with one key, equal reports get the same outcome, and reports that differ from the recorded report are rejected', async () => {
    const outcomes = await reportVisits(organizationId, [
      keyed('folded', 'a', NOBODY),
      keyed('folded', 'b'),
      keyed('folded', 'c'),
      keyed('folded', 'b'),
    ]);
    const kinds = outcomes.map((outcome) => outcome?.kind);
    assert.deepEqual(kinds, ['unknown-collaborator', 'recorded', 'other-request', 'recorded']);
    assert.deepEqual(outcomes[3], outcomes[1]);
  });

  it('a thousand different reports with one key take fewer than 20 SQL statements', async () => {
    const differing = (change: (n: number) => Partial<VisitReport>) =>
      Array.from({ length: 1_000 }, (_, n) => keyed('thousand', n, change(n)));
    assert.deepEqual(new Set(await kindsOf(differing(() => NOBODY))), new Set(['unknown-collaborator']));
    const mixed = await kindsOf(differing((n) => (n % 2 === 0 ? { userId: ((n % 7) + 1) as UserId } : {})));
    assert.deepEqual(
      [mixed.filter((kind) => kind === 'recorded').length, mixed.filter((kind) => kind === 'other-request').length],
      [1, 999],
    );
    assert.equal(new Set(await kindsOf(differing(() => NOBODY))).size, 2, 'the recorded visit is still recognized');
    assert.ok(statements.length < 20, statements.join(' '));
  });
});

describe('stored Idempotency-Keys of visits', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program();
    await shop.collaborator('ada');
  });
  after(() => service.stop());

  const report = async (key: string): Promise<string | null> => {
    const reply = await service.request('POST', '/v1/event/site-visited', {
      key: service.secretKey,
      body: { collaboratorId: 'tracking:ada' },
      headers: { 'Idempotency-Key': key },
    });
    assert.equal(reply.status, 200, reply.text);
    return reply.headers.get('X-Service-OID');
  };

  it('are kept for a day, then deleted in batches, oldest first, while the visits stay', async () => {
    const oids = [];
    for (const key of ['a', 'b', 'c']) oids.push(await report(key));
    await letPass(service, '23 hours 59 minutes');
    await report('young');
    assert.equal(await forgetVisitKeys(service.database, 1_000), 0);
    assert.equal(await report('a'), oids[0]);

    await letPass(service, '2 minutes');
    assert.equal(await forgetVisitKeys(service.database, 2), 2);
    assert.notEqual(await report('a'), oids[0], 'after its key is purged, a repeat is a new visit');
    assert.equal(await report('c'), oids[2]);
    const atOnce = await Promise.all(Array.from({ length: 4 }, () => forgetVisitKeys(service.database, 2)));
    const forgotten = atOnce.reduce((sum, each) => sum + each, 0);
    assert.equal(forgotten, 1, 'concurrent purges delete each key once');
    assert.equal(await count(service, 'visits'), 5);
    assert.equal(await count(service, 'visit_keys'), 2);
    assert.deepEqual((await verify(service.database)).breaches, []);
  });

  it('are deleted without reading recent keys', async () => {
    const { database } = service;
    await database.query(
      `insert into visit_keys (organization_id, key, request_hash, opportunity_id)
       select k.organization_id, decode(lpad(to_hex(n), 32, '0'), 'hex'), k.request_hash, k.opportunity_id
       from (select * from visit_keys limit 1) k, generate_series(1, 5000) n`,
    );
    await database.query('vacuum analyze visit_keys');
    const steady = openDatabase(service.databaseUrl, { steadyPlans: true, connections: 1 });
    await letPassKeys(`length(ltrim(encode(key, 'hex'), '0')) > 4`);
    const forget = `explain (analyze, costs off, timing off, summary off, format json) execute "forget-visit-keys"(10, 24)`;
    assert.equal(await forgetVisitKeys(steady, 10), 2);
    const { rows } = await steady.query<{ 'QUERY PLAN': unknown }>(forget);
    const plan = JSON.stringify(rows);
    assert.match(plan, /visit_keys_old/);
    assert.match(plan, /Tid Scan/);
    assert.doesNotMatch(plan, /Seq Scan|visit_keys_pkey/);
    await steady.end();
  });

  async function letPassKeys(those: string): Promise<void> {
    await service.database.query(`update visit_keys set created_at = created_at - interval '25 hours' where ${those}`);
  }
});
