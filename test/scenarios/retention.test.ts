import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { OrganizationId, TransactionId } from '#core/ids.ts';
import { forgetSome } from '#privacy/reactions/forget.ts';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { openDatabase } from '#platform/postgres/database.ts';
import { keepPartitions } from '#platform/postgres/partitions.ts';
import { dropOldVisits } from '#tracking/store/retention.ts';
import { loadClaims } from '#attribution/store/sale-facts.ts';
import { loadDecidedSales } from '#attribution/store/reported-sales.ts';
import { verify } from '#verify/verify.ts';
import { type ServiceProcess, startProcess } from '#test/support/process.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { letPass, openShop, type Shop, startBeside } from '#test/support/shop.ts';

const MONEY = ['transactions', 'transaction_lines', 'conversions', 'obligations', 'explanations', 'ledger_entries'];

async function read<Row extends object>({ database }: TestService, query: string): Promise<Row[]> {
  return (await database.query<Row>(query)).rows;
}

async function partitions(service: TestService): Promise<number[]> {
  const listed = `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'visits'::regclass`;
  const rows = await read<{ name: string }>(service, listed);
  return rows.map(({ name }) => Number(name.replace('visits_', ''))).sort((a, b) => a - b);
}

/** Deletes old data as a worker does, until nothing is left to delete. */
async function forgetAll({ database }: TestService, retentionDays: number): Promise<void> {
  while ((await forgetSome(database, { visitRetentionDays: retentionDays })).isMore);
}

/** Returns all rows of MONEY as text, and the status of each engagement with a conversion. */
async function money(service: TestService): Promise<unknown[]> {
  const all = MONEY.map((table) => read(service, `select t::text from ${table} t order by 1`));
  return Promise.all([
    ...all,
    read(service, `select id, status from engagements where id in (select engagement_id from conversions) order by id`),
  ]);
}

describe('visits with a retention period', () => {
  let service: TestService;
  let shop: Shop;
  let ada: number;
  let bob: number;
  const visitors = { gone: '', sold: '', known: '', merged: '', survivor: '', returning: '', young: '' };

  before(async () => {
    service = await startService({ WHENCE_ROLE: 'api' });
    shop = openShop(service);
    await shop.program({ windowDays: 30, attribution: 'weighted' });
    await shop.program({
      name: 'Once',
      windowDays: 7,
      creditsPer: 'opportunity',
      reward: { type: 'per-sale', amount: 700 },
    });
    ada = await shop.collaborator('ada');
    bob = await shop.collaborator('bob');
    await shop.collaborator('cy', { status: 'pending' });
  });

  after(async () => {
    await service.stop();
  });

  const decided = async () => {
    const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
    await service.settled();
    await worker.stop();
  };
  const sound = async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    const replay = await replaySales(service.database);
    assert.deepEqual(replay.differences, []);
    return replay;
  };
  const status = async (oid: string) =>
    (await service.request('GET', `/v1/opportunities/${oid}`, { key: service.secretKey })).status;

  it('are kept for the longest window of a program, even with a shorter retention setting', async () => {
    visitors.gone = await shop.visit('ada');
    await shop.visit('bob', { oid: visitors.gone });
    visitors.sold = await shop.visit('ada');
    await shop.sell('first', visitors.sold);
    visitors.known = await shop.visit('ada', { userId: 1 });
    visitors.survivor = await shop.visit('ada');
    visitors.merged = await shop.visit('bob', { userId: 2 });
    await shop.visit('bob', { oid: visitors.survivor, userId: 2 });
    visitors.returning = await shop.visit('ada');
    for (let n = 0; n < 2; n += 1) await shop.visit('ada', { oid: visitors.returning });
    await shop.visit('bob', { oid: visitors.returning });
    await decided();
    assert.deepEqual(await partitions(service), [0, 1]);

    await letPass(service, '10 days');
    await forgetAll(service, 20);
    assert.deepEqual(await partitions(service), [0, 1, 2], 'the next partition is in use, and another is prepared');
    visitors.young = await shop.visit('bob');
    await shop.visit('ada', { oid: visitors.returning });
    await letPass(service, '29 days 23 hours');
    await forgetAll(service, 20);
    assert.ok((await partitions(service)).includes(0), 'a window of 30 days can still include the visit');
    assert.equal(await status(visitors.gone), 200);
  });

  it('are kept while an event that would count them is waiting', async () => {
    await shop.sell('waiting', visitors.returning);
    await shop.visit('bob', { oid: visitors.returning });
    await letPass(service, '20 days');
    await forgetAll(service, 20);
    assert.ok((await partitions(service)).includes(0));
    // The sale is reported within the window of its last touch. It is decided after the window has ended and a newer
    // touch was reported.
    await decided();
    const { candidates } = await shop.explain('waiting');
    const share = candidates.find((each) => each.collaboratorId === ada && (each.share ?? 0) > 0);
    assert.equal(share?.score, 4);
    assert.deepEqual((await verify(service.database)).breaches, []);
  });

  it('are deleted together with their unused opportunities after the period, and amounts stay unchanged', async () => {
    const before = await money(service);
    await forgetAll(service, 20);
    assert.ok(!(await partitions(service)).includes(0));
    assert.deepEqual(await money(service), before);
    const states = Object.entries(visitors).map(async ([name, oid]) => [name, await status(oid)]);
    assert.deepEqual(Object.fromEntries(await Promise.all(states)), {
      gone: 404,
      sold: 200,
      known: 200,
      merged: 200,
      survivor: 200,
      returning: 200,
      young: 200,
    });
    const [left] = await read<{ n: number }>(service, 'select count(*) as n from engagements where opportunity_id = 1');
    assert.equal(left?.n, 0, 'engagements are deleted with their opportunity');
  });

  it('can be deleted without breaking an invariant, and a replay reports the sales that it leaves out', async () => {
    const { decided: again, leftOut } = await sound();
    assert.deepEqual([again, leftOut], [0, 2]);
    const { text } = await shop.explain('first');
    assert.match(text, /ada/);
    const journey = await shop.get<{ steps: { kind: string }[] }>(`/v1/opportunities/${visitors.sold}/journey`);
    assert.deepEqual(new Set(journey.steps.map(({ kind }) => kind)), new Set(['engagement', 'sale']));
  });

  it('still count toward the score after they are deleted, even in a late decision', async () => {
    await shop.visit('bob', { oid: visitors.returning });
    await shop.visit('ada', { oid: visitors.returning });
    await shop.sell('late', visitors.returning);
    for (let n = 0; n < 3; n += 1) await shop.visit('ada', { oid: visitors.returning });
    await shop.sell('expired', visitors.known);
    await shop.visit('ada', { oid: visitors.known });
    await decided();
    const scores = (await shop.explain('late')).candidates.map(({ collaboratorId, score }) => [collaboratorId, score]);
    // Ada's score includes three deleted visits, and Bob's score includes one. Their later visits still exist.
    assert.ok(
      scores.some(([who, score]) => who === ada && score === 5),
      JSON.stringify(scores),
    );
    assert.ok(
      scores.some(([who, score]) => who === bob && score === 3),
      JSON.stringify(scores),
    );
    const expired = (await shop.explain('expired')).candidates;
    assert.deepEqual(new Set(expired.map(({ reason }) => reason)), new Set(['window-expired']));
    await sound();
  });

  it('can be deleted, and a refund of their sale still reopens the completed engagements', async () => {
    await shop.refund('first');
    await decided();
    const earned = await shop.earned('first');
    assert.deepEqual(new Set(earned.map((each) => each.status)), new Set(['rejected']));
    const engagements = await shop.get<{ status: string }[]>(`/v1/engagements?opportunityId=${visitors.sold}`);
    assert.deepEqual(new Set(engagements.map((each) => each.status)), new Set(['active']));
    await sound();
  });

  it('can be deleted: a later sale with their opportunity’s number earns nothing, and a visit starts a new opportunity', async () => {
    await shop.sell('too-late', visitors.gone);
    const later = await shop.visit('ada', { oid: visitors.gone });
    assert.notEqual(later, visitors.gone);
    await shop.sell('later', later);
    await decided();
    assert.equal((await shop.explain('too-late')).reason, 'opportunity-removed');
    assert.equal((await sound()).decided, 2, 'later sales are decided again');
  });

  it('are read only from partitions that can contain them', async () => {
    const oid = await shop.visit('ada');
    await shop.sell('recounted', oid);
    await shop.visit('ada', { oid });
    await decided();
    const { database, organizationId } = await steady();
    const { id } = await shop.transactionOf('recounted');
    const tenant = { connection: database, organizationId };
    const sales = await loadDecidedSales(tenant, [id as TransactionId]);
    assert.equal((await loadClaims(tenant, sales)).claims[0]?.score, 1);
    const explain = `explain (analyze, costs off, timing off, summary off)
      execute "load-engagements"(${organizationId}, '{${id}}', '{${sales[0]?.eventId}}', '{true}')`;
    const { rows } = await database.query<{ 'QUERY PLAN': string }>(explain);
    const scans = rows.map((row) => row['QUERY PLAN']).filter((line) => / on visits_\d/.test(line));
    const [first, ...others] = await partitions(service);
    const read = scans.filter((line) => !line.includes('never executed'));
    assert.equal(scans.length, others.length + 1, scans.join('\n'));
    assert.ok(read.length > 0 && read.every((line) => !line.includes(`on visits_${first} `)), scans.join('\n'));
    await database.end();
  });

  /** Opens a pool that plans statements as the pipeline does. Returns the pool and the organization's id. */
  async function steady() {
    const [organization] = await read<{ id: OrganizationId }>(service, 'select min(id) as id from organizations');
    return {
      database: openDatabase(service.databaseUrl, { connections: 1, steadyPlans: true }),
      organizationId: organization?.id as OrganizationId,
    };
  }
});

describe('visits that a late report may count', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  it('are kept longer by the maximum delay of a report', async () => {
    const shop = openShop(service);
    await shop.program({ windowDays: 7 });
    const ada = await shop.collaborator('ada');
    const oid = await shop.visit('ada');
    const forget = async (): Promise<void> => {
      while ((await forgetSome(service.database, { visitRetentionDays: 1, lateReportDays: 30 })).isMore);
    };
    await letPass(service, '5 days');
    await forget();
    await letPass(service, '30 days');
    await forget();
    assert.ok((await partitions(service)).includes(0));
    // 29 days ago, the visit was 6 days old, which is within the program's window of 7 days.
    const occurredAt = new Date(Date.now() - 29 * 86_400_000).toISOString();
    await shop.sell('late', oid, { occurredAt });
    assert.deepEqual(
      (await shop.earned('late')).map(({ collaboratorId }) => collaboratorId),
      [ada],
    );
    await letPass(service, '10 days');
    await forget();
    assert.ok(!(await partitions(service)).includes(0));
    assert.deepEqual((await verify(service.database)).breaches, []);
  });
});

describe('deleting visits while new visits arrive', () => {
  let service: TestService;
  let other: ServiceProcess;
  let shop: Shop;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program({ windowDays: 1 });
    for (const code of ['ada', 'bob']) await shop.collaborator(code);
    other = await startProcess({ DATABASE_URL: service.databaseUrl });
  });
  after(async () => {
    other.signal('SIGTERM');
    await other.exited;
    await service.stop();
  });

  it('loses and rejects no new visit, and keeps the order of each visitor’s visits', async () => {
    let flowing = true;
    const visit = async (base: string, code: string, oid?: string): Promise<string> => {
      const answer = await fetch(`${base}/v1/event/site-visited`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${service.secretKey}`,
          'content-type': 'application/json',
          ...(oid === undefined ? {} : { 'x-service-oid': oid }),
        },
        body: JSON.stringify({ collaboratorId: `tracking:${code}` }),
      });
      await answer.arrayBuffer();
      assert.equal(answer.status, 200);
      return answer.headers.get('x-service-oid') as string;
    };
    /** Reports visits of one visitor, through ada and bob alternately, to both processes. Returns their number. */
    const walk = async (n: number): Promise<number> => {
      let steps = 0;
      for (let oid: string | undefined; flowing; steps += 1) {
        oid = await visit((steps + n) % 3 === 0 ? service.url : other.url, steps % 2 === 0 ? 'ada' : 'bob', oid);
      }
      return steps;
    };
    const walks = Array.from({ length: 12 }, (_, n) => walk(n));
    const { database } = service;
    let sent = 0;
    for (let round = 0; round < 6; round += 1) {
      const came = await read<{ n: number }>(service, 'select count(*) as n from visits');
      for (;;) {
        const [now] = await read<{ n: number }>(service, 'select count(*) as n from visits');
        if ((now?.n ?? 0) > (came[0]?.n ?? 0) + 50) break;
      }
      // Make the existing partitions older, so that only existing visits are deleted, and no new visits.
      await database.query(`update visit_partitions set opened_at = opened_at - interval '2 days'`);
      await Promise.all([
        forgetSome(database, { visitRetentionDays: 1 }),
        forgetSome(database, { visitRetentionDays: 1 }),
        forgetSome(database, { visitRetentionDays: 1 }),
      ]);
    }
    flowing = false;
    for (const steps of await Promise.all(walks)) sent += steps;

    const kept = await read<{ opportunity_id: number; collaborators: number[]; n: number }>(
      service,
      `select opportunity_id, array_agg(collaborator_id order by id) as collaborators, count(*) as n
       from visits group by opportunity_id`,
    );
    const [scored] = await read<{ n: number }>(service, 'select sum(score)::bigint as n from engagements');
    assert.equal(scored?.n, sent, 'each visit has counted once');
    assert.ok(
      kept.every(({ collaborators }) => collaborators.every((id, n) => n === 0 || id !== collaborators[n - 1])),
    );
    const left = await partitions(service);
    assert.ok((left[0] ?? 0) >= 3, `some were dropped: ${left.join(' ')}`);
    assert.deepEqual((await verify(database)).breaches, []);
  });

  it('is postponed during a long read transaction, without blocking other calls', async () => {
    const { database } = service;
    await forgetAll(service, 1);
    await shop.visit('ada');
    await database.query(`update visit_partitions set opened_at = opened_at - interval '2 days'`);
    // `keepPartitions` does nothing while one of the two processes is changing the partitions, so repeat the call.
    while (!(await keepPartitions(database, { daysEach: 1 })));
    await forgetAll(service, 1);
    await database.query(`update visit_partitions set opened_at = opened_at - interval '2 days'`);
    const [lowest] = await partitions(service);
    const reader = openDatabase(service.databaseUrl, { connections: 1 });
    const connection = await reader.connect();
    await connection.query('begin; select from visits limit 1');
    const [dropped, oid] = await Promise.all([dropOldVisits(database, 1), shop.visit('bob')]);
    assert.equal(dropped, false);
    assert.ok((await partitions(service)).includes(lowest as number));
    await connection.query('commit');
    connection.release();
    await reader.end();
    assert.equal(await dropOldVisits(database, 1), true);
    assert.ok(!(await partitions(service)).includes(lowest as number));
    await shop.sell('after', oid);
    assert.equal((await shop.earned('after')).length, 1);
  });
});

describe('deleting unused opportunities', () => {
  it('covers every organization in batches, and keeps each opportunity that a concurrent sale found', async () => {
    const service = await startService();
    const shop = openShop(service);
    await shop.program({ windowDays: 1 });
    await shop.collaborator('ada');
    const oids = await Promise.all(Array.from({ length: 60 }, () => shop.visit('ada')));
    await service.foundOrganization('Another');
    const { database } = service;
    const [first] = await read<{ id: OrganizationId }>(service, 'select min(id) as id from organizations');
    await database.query(
      `insert into opportunities (organization_id, id, created_at)
       select $1, nextval('opportunity_ids'), now() from generate_series(1, 2500)`,
      [first?.id],
    );
    await letPass(service, '3 days');
    await forgetAll(service, 1);
    await letPass(service, '3 days');
    // Sales race with the deletion: each finds and keeps its opportunity, or finds it deleted.
    const sales = oids.slice(0, 30).map((oid, n) => shop.sell(`s-${n}`, oid));
    await Promise.all([forgetAll(service, 1), forgetAll(service, 1), ...sales]);
    await service.settled();
    const states = await read<{ state: string; there: boolean }>(
      service,
      `select opportunity_state as state, exists (select from opportunities o
         where o.organization_id = t.organization_id and o.id = t.opportunity_id) as there
       from transactions t`,
    );
    assert.equal(states.length, 30);
    assert.ok(
      states.every(({ state, there }) => there === (state === 'active')),
      JSON.stringify(states),
    );
    await forgetAll(service, 1);
    const [left] = await read<{ n: number }>(service, 'select count(*) as n from opportunities');
    assert.equal(left?.n, states.filter(({ there }) => there).length);
    assert.deepEqual((await verify(database)).breaches, []);
    await service.stop();
  });
});
