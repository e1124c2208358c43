import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createDatabase } from '#test/support/database.ts';
import { type ServiceProcess, startProcess } from '#test/support/process.ts';
import { diceOf, SEED } from '#test/support/random.ts';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import { verify } from '#verify/verify.ts';

const KEY = `sk_live_${'m'.repeat(43)}`;
const APIS = 4;
const ROLES = [...Array.from({ length: APIS }, () => 'api' as const), 'worker', 'worker'] as const;
const CALLERS = 12;
/** The minimum number of completed orders between two kills. */
const BETWEEN_DEATHS = 25;
const LIMIT_MS = 60_000;
const REWARD = 0.1;

type Role = 'api' | 'worker';
/** A visitor's order, whose reports were all acknowledged. `given` is the refunded part of the total, in dollars. */
type Order = { readonly externalId: string; readonly total: number; readonly given: number };

describe(`four API processes and two workers on one database (TEST_SEED=${SEED})`, () => {
  const dice = diceOf(SEED);
  const running: Record<Role, ServiceProcess[]> = { api: [], worker: [] };
  let url: string;
  let drop: () => Promise<void>;
  let database: Database;

  const start = async (role: Role): Promise<void> => {
    const settings = { DATABASE_URL: url, DATABASE_CONNECTIONS: '8', WHENCE_SECRET_KEY: KEY, WHENCE_ROLE: role };
    running[role].push(await startProcess(settings));
  };
  before(async () => {
    ({ url, drop } = await createDatabase());
    database = openDatabase(url, { connections: 2 });
    await Promise.all(ROLES.map(start));
  });
  after(async () => {
    const all = [...running.api, ...running.worker];
    for (const process of all) process.signal('SIGTERM');
    const codes = await Promise.all(all.map(({ exited }) => exited));
    await database.end();
    await drop();
    assert.deepEqual(new Set(codes), new Set([0]));
  });

  const post = async (
    base: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> => {
    const answer = await fetch(`${base}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    await answer.arrayBuffer();
    return answer;
  };
  /**
   * Sends a request to random API processes until a process returns 200. A caller that gets no answer or a 503 can't
   * know the outcome and must retry.
   */
  const insist = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> => {
    const deadline = performance.now() + LIMIT_MS;
    for (;;) {
      const { url: base } = dice.pick(running.api);
      const answer = await post(base, path, body, headers).catch(() => undefined);
      if (answer?.status === 200) return answer;
      assert.ok(answer === undefined || answer.status === 503, `${path} returned ${answer?.status}`);
      assert.ok(performance.now() < deadline, `${path} is acknowledged`);
    }
  };
  /** Sends a request until it is acknowledged, and sometimes sends it twice concurrently. Returns the responses. */
  const insistOften = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response[]> =>
    Promise.all(Array.from({ length: dice.chance(0.25) ? 2 : 1 }, () => insist(path, body, headers)));

  it('store and decide every acknowledged report once, even if processes are killed', async () => {
    await post(running.api[0]!.url, '/programs', {
      name: 'P',
      reward: { type: 'percent', percent: 100 * REWARD },
      autoApprove: true,
    });
    await post(running.api[1]!.url, '/collaborators', { name: 'Ada', aliases: [{ type: 'tracking', code: 'ada' }] });
    const orders: Order[] = [];
    let visits = 0;
    let stopping = false;
    const visit = async (): Promise<string> => {
      visits += 1;
      const body = { collaboratorId: 'tracking:ada' };
      const answers = await insistOften('/event/site-visited', body, { 'Idempotency-Key': randomUUID() });
      const [number, ...others] = new Set(answers.map(({ headers }) => headers.get('X-Service-OID')));
      assert.deepEqual(others, [], 'a visit that is sent twice is recorded once');
      return number as string;
    };
    const caller = async (n: number): Promise<void> => {
      for (let turn = 0; !stopping; turn += 1) {
        const trackingId = await visit();
        const named = { source: 'shop', externalId: `${n}-${turn}` };
        const total = 10 * (1 + dice.roll(50));
        await insistOften('/event/sale', { ...named, total, trackingId });
        const [refund, given] = dice.pick([
          [undefined, 0],
          [named, total],
          [{ ...named, refundId: 'part', amount: 10 }, 10],
        ] as const);
        if (refund !== undefined) await insistOften('/event/refund', refund);
        orders.push({ externalId: named.externalId, total, given });
      }
    };
    const reached = async (count: number): Promise<void> => {
      const deadline = performance.now() + LIMIT_MS;
      while (orders.length < count) {
        assert.ok(performance.now() < deadline, 'the callers continue');
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const kill = async (role: Role): Promise<void> => {
      await reached(orders.length + BETWEEN_DEATHS + dice.roll(BETWEEN_DEATHS));
      const victim = dice.pick(running[role]);
      running[role].splice(running[role].indexOf(victim), 1);
      victim.signal('SIGKILL');
      assert.equal(await victim.exited, null);
      await start(role);
    };
    const calling = Promise.all(Array.from({ length: CALLERS }, (_, n) => caller(n)));
    const dying = (async () => {
      for (const role of dice.chance(0.5) ? (['api', 'worker'] as const) : (['worker', 'api'] as const))
        await kill(role);
      await reached(orders.length + BETWEEN_DEATHS);
      stopping = true;
    })();
    await Promise.all([calling, dying]);

    await settled(database);
    assert.deepEqual((await verify(database)).breaches, []);
    assert.deepEqual((await replaySales(database)).differences, []);
    const { rows: stored } = await database.query<Order & { awards: number; worth: number }>(
      `select t.external_id as "externalId", t.total / 100 as total, t.refunded_amount / 100 as given,
         count(c.id) as awards, coalesce(sum(c.amount) filter (where c.status <> 'rejected'), 0)::int as worth
       from transactions t
       left join conversions c on c.organization_id = t.organization_id and c.transaction_id = t.id
       group by 1, 2, 3`,
    );
    const expected = orders.map((order) => {
      const { total, given } = order;
      return { ...order, awards: 1, worth: Math.round((total - given) * 100 * REWARD) };
    });
    const byName = (a: Order, b: Order): number => a.externalId.localeCompare(b.externalId);
    assert.deepEqual(stored.sort(byName), expected.sort(byName));
    const { rows } = await database.query<{ visits: number }>('select count(*) as visits from visits');
    assert.equal(rows[0]?.visits, visits, 'each visit is recorded once');
  });

  it('accept exactly one of 32 concurrent sales with the same externalId and different totals', async () => {
    const [seen] = await insistOften('/event/site-visited', { collaboratorId: 'tracking:ada' });
    const trackingId = seen?.headers.get('X-Service-OID');
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 32 }, async (_, n) => {
          const sale = { source: 'shop', externalId: `race-${round}`, total: 10 + n, trackingId };
          return (await post(running.api[n % APIS]!.url, '/event/sale', sale)).status;
        }),
      );
      assert.deepEqual(
        answers.toSorted((a, b) => a - b),
        [200, ...Array.from({ length: 31 }, () => 409)],
      );
    }
    await settled(database);
    assert.deepEqual((await verify(database)).breaches, []);
  });
});

async function settled(database: Database): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const { rows } = await database.query<{ waiting: number }>('select count(*) as waiting from jobs');
    if (rows[0]?.waiting === 0) return;
    assert.ok(performance.now() < deadline, 'the workers continue');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
