import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { spansOrganizations } from '#test/support/one-organization.ts';
import { nodesOf, type Planned, type PlanNode, type PlanRecorder, recordPlans } from '#test/support/plans.ts';
import { openTill } from '#test/support/payouts.ts';
import { addRounds } from '#test/support/figures.ts';
import { openReceiver, type Receiver } from '#test/support/receiver.ts';
import { extendAllChains } from '#test/support/chain.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop } from '#test/support/shop.ts';
import { announceAll } from '#test/support/webhooks.ts';
import { keysOf, type Operation } from '#core/contract/operation.ts';
import { operations } from '#app/operations.ts';
import { forgetSome } from '#privacy/reactions/forget.ts';
import { NOTICE_DAYS } from '#notifications/domain/partner-email.ts';
import { findNotifying } from '#notifications/store/partner-emails.ts';
import type { OrganizationId } from '#core/ids.ts';
import { ROUND } from '#reporting/store/figure-sums.ts';

/*
 * Checks the requirements for sharding the database by organization (docs/explanation/scaling.md): all rows of an
 * organization can be on one machine, and no report or decision queries two machines.
 */

/** Tables without an organization. They are small, and can be replicated or kept on one machine. */
const OF_NO_ORGANIZATION = ['domains', 'ledger_chain', 'migrations', 'portal_slugs', 'throttles', 'visit_partitions'];

/** Patterns of the only statements that may read or write several organizations, each with the reason. */
const OVER_ALL: readonly { readonly says: RegExp; readonly because: string }[] = [
  {
    says: /from api_keys k where k.hash = any/,
    because: 'authentication looks up the organization of an API key, and caches the result for half a second',
  },
  { says: /as "jobsOf"/, because: 'a worker selects organizations with jobs, once per batch or second' },
  { says: /as "forDeliveries"/, because: 'the poller looks for work of all organizations, once a second' },
  { says: /with open as materialized/, because: 'the worker selects due deliveries, once per round or second' },
  {
    says: /with recursive pending_organizations/,
    because: 'the outbox serves the organizations in turn, one round at a time',
  },
  { says: /as k \(organization_id, id\)/, because: 'reads the resources of a round of outbox rows together' },
  {
    says: /from backtests where status in/,
    because: 'a worker that is woken looks for backtests that are queued or running',
  },
  {
    says: /opportunity_key as key from organizations where id = any/,
    because: 'reads the keys of the public numbers in a round of outbox rows',
  },
  { says: /insert into webhook_messages/, because: 'writes the messages of a round of outbox rows together' },
  {
    says: /from ledger_entries where (xid|id) >|from ledger_blocks where organization_id = o.id|insert into ledger_blocks/,
    because: 'one chain writer links the new ledger entries of all organizations, once a second',
  },
  {
    says: /from organizations o left join sum_marks m/,
    because: 'a worker selects organizations whose figures must be added up, once a minute',
  },
  {
    says: /from organizations o left join partner_emails e/,
    because: 'a worker selects organizations with facts to email to partners about, at most twice a minute',
  },
  {
    says: /< now\(\)( - make_interval\((hours|days) =>| order by idle_until)/,
    because: 'a worker deletes expired rows, once a minute',
  },
  { says: /count\(\*\) as waiting|as waits$/, because: 'only tests run these statements' },
];

describe('the database schema', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const rowsOf = async <Row extends Record<string, unknown>>(sql: string): Promise<Row[]> =>
    (await service.database.query<Row>(sql)).rows;

  it('every table of an organization starts with a bigint not null organization_id', async () => {
    const tables = await rowsOf<{ name: string; first: string }>(
      `select c.relname as name, concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end) as first
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum = 1
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`,
    );
    assert.ok(tables.length > 30);
    assert.deepEqual(
      tables.filter(({ first }) => first !== 'organization_id bigint not null').map(({ name }) => name),
      [...OF_NO_ORGANIZATION, 'organizations'].sort(),
    );
    assert.equal(tables.find(({ name }) => name === 'organizations')?.first, 'id bigint not null');
  });

  it('every primary key, unique key and unique index of a table of an organization starts with organization_id', async () => {
    const keys = await rowsOf<{ name: string; of: string; first: string }>(
      `select i.indexrelid::regclass::text as name, c.relname as of, a.attname as first
       from pg_index i join pg_class c on c.oid = i.indrelid
       left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
       where i.indisunique and c.relnamespace = 'public'::regnamespace`,
    );
    assert.ok(keys.length > 40);
    const strays = keys.filter(({ of, first }) => first !== (of === 'organizations' ? 'id' : 'organization_id'));
    assert.deepEqual(strays.map(({ of }) => of).sort(), [...OF_NO_ORGANIZATION].sort());
  });

  it('every table has a primary key, which replication needs', async () => {
    const without = await rowsOf<{ name: string }>(
      `select relname as name from pg_class c
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
         and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)`,
    );
    assert.deepEqual(without, []);
  });

  it('every foreign key refers to the same organization', async () => {
    const keys = await rowsOf<{ name: string; of: string; from: string; to: string }>(
      `select k.conname as name, k.confrelid::regclass::text as of, f.attname as from, t.attname as to
       from pg_constraint k
       join pg_attribute f on f.attrelid = k.conrelid and f.attnum = k.conkey[1]
       join pg_attribute t on t.attrelid = k.confrelid and t.attnum = k.confkey[1]
       where k.contype = 'f' and k.connamespace = 'public'::regnamespace`,
    );
    assert.ok(keys.length > 20);
    const strays = keys.filter(
      ({ of, from, to }) => from !== 'organization_id' || to !== (of === 'organizations' ? 'id' : 'organization_id'),
    );
    assert.deepEqual(strays, []);
  });

  it('sequences are bigint, increment by one without a cache, and never cycle', async () => {
    const unsafe = await rowsOf<{ name: string }>(
      `select sequencename as name from pg_sequences
       where schemaname = 'public' and (data_type <> 'bigint'::regtype or cache_size <> 1 or increment_by <> 1 or cycle)`,
    );
    assert.deepEqual(unsafe, []);
  });
});

describe('the query plans of SQL statements', () => {
  let service: TestService;
  let recorder: PlanRecorder;
  let receiver: Receiver;
  let tables: Set<string>;
  before(async () => {
    service = await startService({ WEBHOOKS_PRIVATE_ADDRESSES: 'true' }, async (url) => {
      recorder = await recordPlans(url);
    });
    receiver = await openReceiver();
    const { rows } = await service.database.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    );
    tables = new Set(rows.map(({ name }) => name).filter((name) => !OF_NO_ORGANIZATION.includes(name)));
  });
  after(async () => {
    recorder.stop();
    await receiver.close();
    await service.stop();
  });

  it('span several organizations only for the listed statements', async () => {
    const first = { ...service };
    const second = { ...service, secretKey: await service.foundOrganization('Second') };
    recorder.clear();
    await Promise.all([first, second].map((each) => tradeForADay(each, receiver.url)));
    await service.settled();
    await announceAll(service);
    await until(service, `webhook_deliveries where status = 'pending'`);
    await extendAllChains(service.database);
    await until(service, 'organizations where id not in (select organization_id from ledger_blocks)');
    await forgetSome(service.database);
    await findNotifying(service.database, 0 as OrganizationId, NOTICE_DAYS);
    await addRounds(service.database, new Date(Date.now() + 1_000).toISOString(), ROUND);
    const plans = recorder.plans();
    assert.deepEqual(
      [...WRITTEN].filter((table) => !writtenBy(plans).has(table)),
      [],
      'the simulated day writes to every listed table',
    );

    const spanning = new Map<string, string>();
    for (const planned of plans) {
      const spans = spansOrganizations(planned, tables);
      if (spans.length > 0) spanning.set(planned.statement.replaceAll(/\s+/g, ' ').trim(), spans.join('; '));
    }
    assert.deepEqual(
      [...spanning].filter(([statement]) => !OVER_ALL.some(({ says }) => says.test(statement))),
      [],
      'only the listed statements span organizations',
    );
    assert.deepEqual(
      OVER_ALL.filter(({ says }) => ![...spanning.keys()].some((statement) => says.test(statement))),
      [],
      'every listed statement spans organizations',
    );
  });

  it('show for each sample statement whether it reads or writes several organizations', async () => {
    const spans = async (statement: string): Promise<string[]> => {
      const { rows } = await service.database.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (verbose, format json) ${statement}`,
      );
      return spansOrganizations({ statement, plan: rows[0]!['QUERY PLAN'][0].Plan }, tables);
    };
    for (const [statement, found] of SPANNING) assert.deepEqual((await spans(statement)).length > 0, found, statement);
  });
});

/** Sample statements, and whether each reads or writes the rows of more than one organization. */
const SPANNING: readonly (readonly [string, boolean])[] = [
  ['select * from visits where organization_id = 1 and id = 2', false],
  ['select * from visits where id = 2', true],
  ['select * from visits where organization_id > 1', true],
  ['select * from visits where organization_id = any (array[1, 2])', true],
  ['select * from visits where organization_id = 1 or id = 2', true],
  ['select * from events e join visits v using (organization_id, id) where e.organization_id = 1', false],
  ['select * from events e join visits v using (organization_id, id)', true],
  ['select * from events e join visits v using (id) where e.organization_id = 1', true],
  ['select * from events e join visits v using (id) where e.organization_id = 1 and v.organization_id = 2', true],
  ['select * from organizations o join visits v on v.organization_id = o.id where o.id = 1', false],
  ['update visits set reason = null where organization_id = (select min(id) from organizations where id = 1)', false],
  ['insert into jobs select 1, id, transaction_id, type from events where organization_id = 1', false],
  ['insert into jobs select organization_id, id, transaction_id, type from events', true],
  [`insert into jobs values (1, 1, 1, 'x'), (2, 1, 1, 'x')`, true],
  [
    'delete from jobs j using unnest(array[1, 2]) k (organization_id) where j.organization_id = k.organization_id',
    true,
  ],
];

/** The tables that a day of trade writes. A missing table would mean that its statements were not checked. */
const WRITTEN = [
  'opportunities',
  'visits',
  'engagements',
  'transactions',
  'transaction_lines',
  'events',
  'jobs',
  'explanations',
  'conversions',
  'obligations',
  'ledger_entries',
  'refunds',
  'refund_lines',
  'award_counters',
  'payouts',
  'payout_flags',
  'webhook_outbox',
  'webhook_messages',
  'webhook_deliveries',
  'webhook_attempts',
  'ledger_blocks',
  'ledger_balances',
  'visit_sums',
  'sale_sums',
  'idempotency_answers',
  'audit_entries',
];

/** The paths of all GET calls that accept a secret key and need no parameters. */
const LISTS = Object.values<Operation>(operations)
  .filter((each) => each.method === 'GET' && !each.path.includes('{') && keysOf(each).includes('secret'))
  // Exclude calls that need a time span or a currency, because `tradeForADay` makes these calls itself.
  .filter(({ query }) => query?.safeParse({}).success !== false)
  .map(({ path }) => path);

const LIMIT_MS = 30_000;

/** Resolves once no row matches `waiting`, a table with an optional condition. Fails after LIMIT_MS. */
async function until({ database }: TestService, waiting: string): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const { rows } = await database.query<{ waiting: number }>(`select count(*) as waiting from ${waiting}`);
    if (rows[0]?.waiting === 0) return;
    assert.ok(performance.now() < deadline, `Expected no rows of ${waiting} within ${LIMIT_MS} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function writtenBy(plans: readonly Planned[]): Set<string | undefined> {
  return new Set(
    plans.flatMap(({ plan }) => nodesOf(plan).flatMap((node) => (node.Operation ? node['Relation Name'] : []))),
  );
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}

/** Creates a webhook and programs, reports visits, sales and refunds, pays and reviews payouts, and reads all LISTS. */
async function tradeForADay(service: TestService, receiver: string): Promise<void> {
  const { secretKey: key, request } = service;
  const shop = openShop(service);
  const till = openTill(service);
  const call = async <Body>(method: string, path: string, body?: object, headers = {}): Promise<Body> => {
    const reply = await request(method, path, { key, body, headers });
    assert.ok(reply.status < 300, `${path}: ${reply.text}`);
    return reply.body as Body;
  };
  await call('POST', '/v1/webhooks', { url: receiver }, { 'Idempotency-Key': 'webhook' });
  await call('POST', '/v1/custom-events', { slug: 'trial', name: 'Trial' });
  await shop.program({ triggers: { 'site-visit': 1, 'coupon-applied': 2, trial: 3 }, approveAfterDays: 0 });
  await shop.program({ reward: { type: 'per-lead', amount: 5 }, autoApprove: true });
  await shop.program({
    pays: ['sale', 'renewal'],
    creditsPer: 'opportunity',
    capPerPeriod: { period: 'day', amount: 88 },
  });
  const ada = await shop.collaborator('ada');
  await call('POST', `/v1/collaborators/${ada}/aliases`, { type: 'coupon', code: 'ada10' });
  await shop.collaborator('bob', { userId: 7 });
  const helper = await shop.collaborator('helper');

  const keyed = { collaboratorId: 'tracking:ada' };
  await call('POST', '/v1/event/site-visited', keyed, { 'Idempotency-Key': 'visit' });
  const [one, other] = [await shop.visit('ada'), await shop.visit('bob')];
  await shop.visit('bob', { oid: one });
  // Both visits have the same user id, so the second visit merges the visitor's two opportunities.
  await shop.visit('ada', { oid: one, userId: 41 });
  await shop.visit('ada', { oid: other, userId: 41 });
  await shop.custom('trial', one, ada);
  await shop.applyCoupon('ada10', one);
  await shop.lead(one);
  const items = [{ externalId: 'mug', name: 'Mug', quantity: 4, amount: 25 }];
  for (const id of ['plain', 'back', 'partly', 'paid']) await shop.sell(id, one, { items });
  await shop.sell('coupon', one, { coupons: ['ada10'] });
  await shop.renew('again', 'plain');
  await service.settled();
  await shop.refund('back');
  await call('POST', '/v1/event/refund', {
    source: 'shop',
    externalId: 'partly',
    refundId: 'r',
    items: [{ externalId: 'mug' }],
  });
  const { id: transaction } = await shop.transactionOf('plain');
  const [program] = await shop.get<{ id: number }[]>('/v1/programs?sort=id');
  await call('POST', `/v1/transactions/${transaction}/credits`, {
    collaboratorId: helper,
    programId: program?.id,
    amount: 1,
  });
  await service.settled();

  const run = await till.runOne();
  await till.move(run.id, 'process');
  await till.move(run.id, 'complete');
  for (const { id } of await till.payoutsOf(run)) await till.mark(id, 'paid');
  await shop.refund('paid');
  await service.settled();
  for (const { id, review } of await till.payoutsOf(run)) if (review.state === 'flagged') await till.review(id, 'keep');
  for (const path of LISTS) await shop.get(path);
  const day = new Date().toISOString().slice(0, 10);
  for (const by of ['day', 'collaborator', 'program', 'source', 'link', 'total']) {
    await shop.get(`/v1/figures?from=2026-01-01&until=2026-02-01&by=${by}`);
    await shop.get(`/v1/figures?from=${day}&until=${dayAfter(day)}&by=${by}`);
  }
  await shop.get('/v1/balances?currency=USD');
  for (const path of [
    `opportunities/${one}/journey`,
    `collaborators/${ada}/balance`,
    `collaborators/${ada}/statement`,
  ]) {
    await shop.get(`/v1/${path}`);
  }
  await shop.explain('plain');
}
