import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { lockWaits } from '#test/support/paused.ts';
import { type ServiceProcess, startProcess } from '#test/support/process.ts';
import { eachRound, countRounds } from '#test/support/rounds.ts';
import type { OrganizationId } from '#core/ids.ts';
import { lockConfiguration } from '#organizations/store/configuration.ts';
import { inTransaction, openDatabase } from '#platform/postgres/database.ts';
import { verify } from '#verify/verify.ts';
import { startService, type TestService } from '#test/support/service.ts';

const ROUNDS = countRounds(200, 5);
const AT_ONCE = 32;

const PLAIN_PROGRAM = { reward: { type: 'percent', percent: 10 } };

type Outcome = { readonly status: number; readonly text: string; readonly replayed: boolean };

describe('repeated changes with one Idempotency-Key on two processes', () => {
  let service: TestService;
  let other: ServiceProcess;
  before(async () => {
    service = await startService();
    other = await startOther();
  });
  after(async () => {
    await isSound(service);
    other.signal('SIGTERM');
    await other.exited;
    await service.stop();
  });

  const startOther = (): Promise<ServiceProcess> => startProcess({ DATABASE_URL: service.databaseUrl });
  const post = async (base: string, path: string, key: string, body: unknown): Promise<Outcome> => {
    const answer = await fetch(base + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.secretKey}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
    });
    const replayed = answer.headers.get('idempotent-replayed') === 'true';
    return { status: answer.status, text: await answer.text(), replayed };
  };
  const count = async (from: string): Promise<number> =>
    (await service.database.query<{ n: number }>(`select count(*) as n from ${from}`)).rows[0]?.n ?? NaN;

  it(`${AT_ONCE} concurrent requests with one Idempotency-Key make one change`, async () => {
    await eachRound(ROUNDS, async (round) => {
      const name = `Round ${round}`;
      const outcomes = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) =>
          post(n % 2 === 0 ? service.url : other.url, '/v1/collaborators', name.replace(' ', '-'), { name }),
        ),
      );
      const made = outcomes.filter(({ status }) => status === 201);
      assert.equal(made.filter(({ replayed }) => !replayed).length, 1, name);
      assert.equal(new Set(made.map(({ text }) => text)).size, 1, name);
      for (const { status, text } of outcomes.filter(({ status }) => status !== 201)) {
        assert.deepEqual([status, (JSON.parse(text) as { code: string }).code], [409, 'idempotency-in-flight']);
      }
      assert.equal(await count(`collaborators where name = '${name}'`), 1);
      assert.equal(await count(`audit_entries where request->>'name' = '${name}'`), 1);
    });
  });

  it('two different concurrent requests with one Idempotency-Key make one change', async () => {
    await eachRound(ROUNDS, async (round) => {
      const key = `two-${round}`;
      const outcomes = await Promise.all([
        post(service.url, '/v1/collaborators', key, { name: `${key} a` }),
        post(other.url, '/v1/collaborators', key, { name: `${key} b` }),
      ]);
      assert.equal(outcomes.filter(({ status }) => status === 201).length, 1, key);
      assert.equal(await count(`collaborators where name like '${key} %'`), 1);
    });
  });

  it('a killed process’s unfinished change is rolled back, and a retry makes it once', async () => {
    const cut = (url: string) => post(url, '/v1/collaborators', 'cut', { name: 'Cut' });
    await inTransaction(service.database, async (blocker) => {
      // Because of the lock, the change waits after it has written the collaborator and before it writes the audit
      // record.
      await blocker.query('lock table audit_entries in exclusive mode');
      const first = cut(other.url).catch(() => 'cut');
      await lockWaits(service.database);
      assert.equal((await cut(service.url)).status, 409);
      other.signal('SIGKILL');
      await other.exited;
      assert.equal(await first, 'cut');
    });
    other = await startOther();
    // Retries return 409 until PostgreSQL detects the lost connection and rolls the transaction back.
    let outcome: Outcome | undefined;
    await waitFor(async () => {
      outcome = await cut(other.url);
      return outcome.status !== 409;
    });
    assert.deepEqual([outcome?.status, outcome?.replayed], [201, false]);
    assert.equal(await count(`collaborators where name = 'Cut'`), 1);
    assert.equal(await count(`audit_entries where request->>'name' = 'Cut'`), 1);
  });

  it('a worker deletes stored responses that are older than a day', async () => {
    await post(service.url, '/v1/collaborators', 'forgotten', { name: 'Forgotten' });
    await service.database.query(`update idempotency_answers set created_at = now() - interval '25 hours'`);
    // A worker deletes old idempotency answers when it starts.
    const third = await startOther();
    await waitFor(async () => (await count('idempotency_answers')) === 0);
    third.signal('SIGTERM');
    assert.equal(await third.exited, 0);
  });
});

describe('changes of one organization that wait for the same lock', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(async () => {
    await isSound(service);
    await service.stop();
  });

  it('do not delay reports of another organization, authentication or readiness', async () => {
    const neighbour = await service.foundOrganization('Neighbour');
    const { rows } = await service.database.query<{ id: OrganizationId }>('select min(id) as id from organizations');
    const blocker = openDatabase(service.databaseUrl);
    const change = (n: number) =>
      service.request('POST', '/v1/programs', { key: service.secretKey, body: { ...PLAIN_PROGRAM, name: `P ${n}` } });
    let changes: ReturnType<typeof change>[] = [];
    await inTransaction(blocker, async (connection) => {
      await lockConfiguration({ connection, organizationId: rows[0]?.id as OrganizationId });
      changes = Array.from({ length: 40 }, (_, n) => change(n));
      // All 40 changes wait for the lock. The service must still respond to another organization, whose API key is not
      // in the authentication cache yet.
      const body = { source: 'shop', externalId: 'nowhere' };
      const report = await service.request('POST', '/v1/event/refund', { key: neighbour, body });
      assert.equal(report.status, 404);
      assert.equal((await service.request('GET', '/readyz', {})).status, 200);
    });
    await blocker.end();
    assert.deepEqual(new Set((await Promise.all(changes)).map(({ status }) => status)), new Set([201]));
  });
});

async function isSound({ settled, database }: TestService): Promise<void> {
  await settled();
  assert.deepEqual((await verify(database)).breaches, []);
}

/** Polls until the condition is true. Fails after 30 seconds. */
async function waitFor(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await holds())) {
    assert.ok(performance.now() < deadline, 'the condition is met in time');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
