import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { OrganizationId } from '#core/ids.ts';
import { claimAndReact, ROUNDS_PER_CHECK } from '#attribution/reactions/react-to-events.ts';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { type Database, inTransaction, openDatabase } from '#platform/postgres/database.ts';
import { verify } from '#verify/verify.ts';
import { lockWaits, pauseDatabase } from '#test/support/paused.ts';
import { type Reply, startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop, startBeside } from '#test/support/shop.ts';

/** The number of waiting sales. Each depends on the results of earlier sales, so each is decided in its own round. */
const SALES = 40;
/** The position of the first SQL statement after a worker has claimed its jobs and locked their sales. */
const CLAIMED = 8;

describe('calls that wait while an organization’s sales are decided in order', () => {
  let service: TestService;
  let shop: Shop;
  let pipeline: Database;
  let organizationId: OrganizationId;
  let oid: string;
  before(async () => {
    service = await startService({ WHENCE_ROLE: 'api' });
    shop = openShop(service);
    pipeline = openDatabase(service.databaseUrl, { connections: 2, steadyPlans: true });
    await shop.program({ capPerPeriod: { period: 'lifetime', amount: 100_000_000 } });
    await shop.collaborator('ada');
    oid = await shop.visit('ada');
    const { rows } = await service.database.query<{ id: OrganizationId }>('select id from organizations');
    organizationId = rows[0]?.id as OrganizationId;
  });
  after(async () => {
    await work();
    assert.deepEqual((await verify(service.database)).breaches, []);
    assert.deepEqual((await replaySales(service.database)).differences, []);
    await pipeline.end();
    await service.stop();
  });

  const step = (database: Database): Promise<number> =>
    inTransaction(database, (connection) => claimAndReact({ connection, organizationId }, 500, new Map()));
  const work = async (): Promise<void> => {
    while ((await step(pipeline)) > 0);
  };
  const left = async (): Promise<number> => {
    const { rows } = await service.database.query<{ n: number }>(
      `select count(*) as n from jobs where type = 'SaleTriggered'`,
    );
    return rows[0]?.n ?? NaN;
  };
  const post = (path: string, body?: object): Promise<Reply> =>
    service.request('POST', path, { key: service.secretKey, ...(body === undefined ? {} : { body }) });
  /** Creates a conversion that can be reviewed, and then SALES undecided sales. Returns the conversion's id. */
  const sellMany = async (name: string): Promise<number> => {
    await shop.sell(`${name}-first`, oid);
    await work();
    const { id } = await shop.transactionOf(`${name}-first`);
    const [conversion] = await shop.get<{ id: number }[]>(`/v1/conversions?transactionId=${id}`);
    for (let n = 0; n < SALES; n += 1) await shop.sell(`${name}-${n}`, oid);
    return conversion?.id ?? NaN;
  };
  /**
   * Makes a call after a worker has claimed all waiting jobs. Returns the answer and the number of sales undecided when
   * that worker finished.
   */
  const beside = async <Answer>(call: () => Promise<Answer>): Promise<readonly [Answer, number]> => {
    const paused = pauseDatabase(pipeline, CLAIMED);
    const stepping = step(paused.database);
    await paused.reached;
    const calling = call();
    await lockWaits(service.database);
    paused.goOn();
    await stepping;
    const undecided = await left();
    return [await calling, undecided];
  };

  const reviews = {
    'approves a conversion': (id: number) => post(`/v1/conversions/${id}/approve`),
    'rejects a conversion': (id: number) => post(`/v1/conversions/${id}/reject`, { reason: 'Own order' }),
    'approves conversions in bulk': (id: number) => post('/v1/conversions/bulk', { action: 'approve', ids: [id] }),
  };
  for (const [what, review] of Object.entries(reviews))
    it(`a call that ${what} proceeds before the rest of a batch`, async () => {
      const conversion = await sellMany(what.replaceAll(' ', '-'));
      const [reply, undecided] = await beside(() => review(conversion));
      assert.equal(reply.status, 200, reply.text);
      assert.equal(undecided, SALES - ROUNDS_PER_CHECK);
    });

  it('a refund of a sale in the batch proceeds before the rest of the batch', async () => {
    await sellMany('refunded');
    const [reply, undecided] = await beside(() =>
      post('/v1/event/refund', { source: 'shop', externalId: `refunded-${SALES - 1}` }),
    );
    assert.equal(reply.status, 200, reply.text);
    assert.equal(undecided, SALES - ROUNDS_PER_CHECK);
    await work();
    const [rejected] = await shop.earned(`refunded-${SALES - 1}`);
    assert.equal(rejected?.status, 'rejected');
  });

  it('a second worker skips the organization, and does not interrupt the first worker’s batch', async () => {
    await sellMany('two');
    const paused = pauseDatabase(pipeline, CLAIMED);
    const stepping = step(paused.database);
    await paused.reached;
    assert.equal(await step(pipeline), 0);
    paused.goOn();
    await stepping;
    assert.equal(await left(), 0);
  });

  it('jobs that a worker returns to the queue keep their order, attempts and errors', async () => {
    const conversion = await sellMany('kept');
    await service.database.query(`update jobs set attempts = 2, error = 'once' || event_id`);
    const jobs = async () =>
      (await service.database.query('select event_id, transaction_id, type, attempts, error from jobs order by 1'))
        .rows;
    const before = await jobs();
    await beside(() => post(`/v1/conversions/${conversion}/approve`));
    assert.deepEqual(await jobs(), before.slice(ROUNDS_PER_CHECK));
    assert.equal(await step(pipeline), SALES - ROUNDS_PER_CHECK);
  });
});

/** The number of sales: more than four batches of a worker. */
const FLOOD = 2_100;
const AT_ONCE = 50;
const REVIEWS = 12;
/** The maximum number of sales decided before a review proceeds. A batch has 500 sales. */
const FEW = 100;
/**
 * The maximum number of jobs that the worker returns to the queue. After each interrupted batch, the next batch is half
 * as large, so not every review returns a full batch.
 */
const MOST_GIVEN_BACK = 2_000;
const COUNTING = `
  create table given_back (n bigint);
  create function count_given_back() returns trigger language plpgsql security definer as $$
    begin insert into given_back select count(*) from fresh; return null; end $$;
  create trigger count_given_back after insert on jobs referencing new table as fresh
    for each statement execute function count_given_back()`;
const DECIDING = `
  select from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and granted and objsubid = 2
    and database = (select oid from pg_database where datname = current_database())`;

describe('a flood of sales by one visitor', () => {
  it('delays each review by only a few decisions', async (test) => {
    const service = await startService({ WHENCE_ROLE: 'api' });
    const shop = openShop(service);
    await shop.program({ capPerPeriod: { period: 'lifetime', amount: 100_000_000 } });
    await shop.collaborator('ada');
    const oid = await shop.visit('ada');
    const worker = { WHENCE_ROLE: 'worker' };
    const first = await startBeside(service, worker);
    for (let n = 0; n < REVIEWS; n += 1) await shop.sell(`reviewed-${n}`, oid);
    await service.settled();
    await first.stop();
    const conversions = await shop.get<{ id: number }[]>('/v1/conversions?sort=id&perPage=100');
    for (let n = 0; n < FLOOD; n += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => shop.sell(`flood-${n + at}`, oid)));

    // No sale is reported from now on, so every inserted job is a job that the worker returned to the queue.
    await service.database.query(COUNTING);
    const undecided = async (): Promise<number> => {
      const { rows } = await service.database.query<{ n: number }>('select count(*) as n from jobs');
      return rows[0]?.n ?? NaN;
    };
    const beside = await startBeside(service, worker);
    const isDeciding = async () => (await service.database.query(DECIDING)).rowCount !== 0;
    while (!(await isDeciding()));
    const meanwhile: number[] = [];
    const took: number[] = [];
    for (const { id } of conversions.slice(0, REVIEWS)) {
      const [before, began] = [await undecided(), performance.now()];
      const reply = await service.request('POST', `/v1/conversions/${id}/approve`, { key: service.secretKey });
      took.push(Math.round(performance.now() - began));
      meanwhile.push(before - (await undecided()));
      assert.equal(reply.status, 200, reply.text);
    }
    test.diagnostic(
      `sales decided during each review: ${meanwhile.join()}; milliseconds: ${took.join()}; undecided: ${await undecided()}`,
    );
    assert.ok(Math.max(...meanwhile) <= FEW, meanwhile.join());
    assert.ok((await undecided()) > 0, 'the calls finished before the backlog did');
    await beside.stop();
    const { rows } = await service.database.query<{ n: number }>(
      'select coalesce(sum(n), 0)::int as n from given_back',
    );
    const givenBack = rows[0]?.n ?? NaN;
    test.diagnostic(`the worker returned ${givenBack} jobs to the queue`);
    assert.ok(givenBack > 0 && givenBack < MOST_GIVEN_BACK, `${givenBack} jobs were claimed and released`);
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });
});
