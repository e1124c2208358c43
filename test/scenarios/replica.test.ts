import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { ENCRYPTION_KEY } from '#test/support/encryption-key.ts';
import { lacksReplication, type ReplicatedServer, startReplicated } from '#test/support/replica.ts';
import { readConfig } from '#app/config.ts';
import { type Service, startService } from '#app/main.ts';
import { isChange, keysOf, type Operation } from '#core/contract/operation.ts';
import { operations } from '#app/operations.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import { LOOK_WITHIN_MS, type Trouble, watchReplica } from '#platform/postgres/replica.ts';

/** The time limit, in milliseconds, for steps that take a few hundred milliseconds on an idle machine. */
const LIMIT_MS = 20_000;
/**
 * The time limit, in milliseconds, for an answer while the replica is unresponsive. A statement in a transaction may
 * take 10 s.
 */
const AT_ONCE_MS = 2_000;
const KEY = `sk_live_${'r'.repeat(43)}`;

type Reply = { readonly status: number; readonly text: string; readonly oid: string };
type Found = { readonly id: number };

describe('operations with mayLag', () => {
  it('change nothing, and do not concern API keys or payouts', () => {
    const lagging = Object.entries<Operation>(operations).filter(([, { mayLag }]) => mayLag === true);
    assert.ok(lagging.length > 20);
    for (const [id, operation] of lagging) {
      assert.ok(!isChange(operation) && !operation.path.startsWith('/v1/event/'), id);
      assert.ok(!/ApiKey|Payout/.test(id) && operation.versioned !== true, id);
    }
  });
});

/** The query parameters that some operations require, by operation id. */
const NEEDED: Readonly<Record<string, string>> = {
  getFigures: '?from=2026-09-01&until=2026-10-01&by=day',
  listFiguresByCollaborator: '?from=2026-09-01&until=2026-10-01&currency=USD',
  listBalances: '?currency=USD',
};

describe('a service with a streaming replica', { skip: lacksReplication() }, () => {
  let server: ReplicatedServer;
  let service: Service;
  let replica: Database;
  const logged: { msg: string; trouble?: Trouble }[] = [];
  before(async () => {
    server = await startReplicated();
    replica = openDatabase(server.replica.url, { connections: 1 });
    const readUrl = await admitReader(server);
    const log = pino({ level: 'info' }, { write: (line: string) => logged.push(JSON.parse(line) as { msg: string }) });
    const config = readConfig({
      DATABASE_URL: server.primary.url,
      DATABASE_READ_URL: readUrl,
      PORT: '0',
      WHENCE_SECRET_KEY: KEY,
      WHENCE_ENCRYPTION_KEY: ENCRYPTION_KEY,
    });
    service = await startService(config, log, () => {});
  });
  after(async () => {
    await service.stop();
    await replica.end();
    await server.stop();
  });

  const call = async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const answer = await fetch(service.url + path, {
      method,
      headers: {
        authorization: `Bearer ${KEY}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text(), oid: answer.headers.get('X-Service-OID') ?? '' };
  };
  const create = async (path: string, body: unknown): Promise<number> => {
    const { status, text } = await call('POST', path, body);
    assert.equal(status, 201, text);
    return (JSON.parse(text) as Found).id;
  };
  const reads = async (from: 'replica' | 'primary'): Promise<number> => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return Number(new RegExp(`whence_replica_reads_total\\{from="${from}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
  };
  /** Repeats a call until the answer is from the database `from`, and returns the answer. The call must succeed. */
  const readFrom = async (
    from: 'replica' | 'primary',
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Reply> => {
    let reply: Reply | undefined;
    await until(`${method} ${path} is read from the ${from}`, async () => {
      const before = await reads(from);
      reply = await call(method, path, body);
      assert.equal(reply.status, 200, reply.text);
      return (await reads(from)) > before;
    });
    return reply as Reply;
  };
  const lists = async (from: 'replica' | 'primary'): Promise<number[]> =>
    (JSON.parse((await readFrom(from, 'GET', '/v1/collaborators?sort=id')).text) as Found[]).map(({ id }) => id);
  const caughtUp = async (): Promise<void> => {
    const { rows } = await service.database.query<{ position: string }>('select pg_current_wal_lsn() as position');
    await until('the replica catches up', async () => {
      const { rows: there } = await replica.query<{ passed: boolean }>(
        'select pg_last_wal_replay_lsn() >= $1::pg_lsn as passed',
        [rows[0]?.position],
      );
      return there[0]?.passed === true;
    });
  };

  it('serves every mayLag operation from the replica, and no other operation', async () => {
    const id = await create('/v1/collaborators', { name: 'Ada', aliases: [{ type: 'tracking', code: 'ada' }] });
    const program = await create('/v1/programs', { name: 'P', reward: { type: 'percent', percent: 10 } });
    const webhook = await create('/v1/webhooks', { url: 'https://shop.example/hook' });
    const connector = await create('/v1/connectors', { kind: 'stripe', name: 'Stripe', secret: 'whsec_replica' });
    const { oid } = await call('POST', '/v1/event/site-visited', { collaboratorId: 'tracking:ada' });
    await caughtUp();
    for (const [name, operation] of Object.entries<Operation>(operations)) {
      const { method, path, mayLag } = operation;
      // Skip operations that no API key can call. They require a session, and use the same code path.
      if (keysOf(operation).length === 0) continue;
      const of = path.includes('/opportunities/')
        ? oid
        : path.includes('/webhooks/')
          ? webhook
          : path.includes('/connectors/')
            ? connector
            : path.includes('/programs/')
              ? program
              : id;
      const url = path.replace('{id}', `${of}`) + (NEEDED[name] ?? '');
      if (mayLag === true) await readFrom('replica', method, url, method === 'GET' ? undefined : {});
      else if (method === 'GET' && !url.includes('{')) {
        const seen = (await reads('replica')) + (await reads('primary'));
        await call(method, url);
        assert.equal((await reads('replica')) + (await reads('primary')), seen, name);
      }
    }
    assert.match(await (await fetch(`${service.url}/metrics`)).text(), /^whence_replica_usable 1$/m);
  });

  it('may return slightly older data for mayLag operations, but returns current data for other operations', async () => {
    await lists('replica');
    await replica.query('select pg_wal_replay_pause()');
    const id = await create('/v1/collaborators', { name: 'Late' });
    assert.equal((await lists('replica')).includes(id), false);
    assert.equal((await call('GET', `/v1/collaborators/${id}`)).status, 200);
    // The replica does not have the new collaborator yet, so the service reads the statement from the primary.
    const { status, text } = await call('GET', `/v1/collaborators/${id}/statement`);
    assert.equal(status, 200, text);
    await replica.query('select pg_wal_replay_resume()');
    await until('the replica has the new collaborator', async () => (await lists('replica')).includes(id));
  });

  it('falls back to the primary quickly while the replica is unresponsive, and uses the replica again later', async () => {
    await lists('replica');
    server.freeze(true);
    try {
      const asked = performance.now();
      const replies = await Promise.all(Array.from({ length: 20 }, () => call('GET', '/v1/transactions')));
      const took = performance.now() - asked;
      assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
      assert.ok(took < AT_ONCE_MS, `${took} ms`);
      await lists('primary');
    } finally {
      server.freeze(false);
    }
    await lists('replica');
    assert.ok(logged.some(({ trouble }) => trouble === 'unresponsive'));
  });

  it('falls back to the primary quickly even if the primary’s position is unknown', async () => {
    const busy = openDatabase(server.primary.url, { connections: 1 });
    const limits = { connectTimeoutMs: LOOK_WITHIN_MS, queryTimeoutMs: LOOK_WITHIN_MS };
    const looks = openDatabase(server.replica.url, { connections: 1, ...limits });
    const watched = watchReplica(busy, looks, { onRead: () => {}, onChange: () => {} });
    const where = () =>
      watched.read(
        () => replica.query('select').then(() => 'there'),
        async () => 'here',
        () => true,
      );
    await until('the replica is used', async () => (await where()) === 'there');
    const held = await busy.connect();
    server.freeze(true);
    try {
      const asked = performance.now();
      assert.equal(await where(), 'here');
      const took = performance.now() - asked;
      assert.ok(took < AT_ONCE_MS, `${took} ms`);
    } finally {
      server.freeze(false);
    }
    held.release();
    await until('the replica is used again', async () => (await where()) === 'there');
    watched.stop();
    await Promise.all([busy.end(), looks.end()]);
  });

  it('does not read from a replica that stopped streaming', async () => {
    const { rows } = await replica.query<{ line: string }>(`select current_setting('primary_conninfo') as line`);
    const stream = async (line: string): Promise<void> => {
      await replica.query(`alter system set primary_conninfo = '${line.replaceAll("'", "''")}'`);
      await replica.query('select pg_reload_conf()');
    };
    await stream('');
    await lists('primary');
    await until('the replica is logged as not streaming', async () =>
      logged.some(({ trouble }) => trouble === 'not-streaming'),
    );
    await stream(rows[0]?.line as string);
    await lists('replica');
  });

  it('keeps working while the replica is down, and then uses it again', async () => {
    await lists('replica');
    await server.replica.stop();
    const replies = await Promise.all(Array.from({ length: 20 }, () => call('GET', '/v1/transactions')));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    await server.restartReplica();
    await lists('replica');
  });

  it('never reads from a replica that is too far behind or belongs to another server', async () => {
    const troubles: (Trouble | undefined)[] = [];
    const watch = (primary: Database, maxBehindMs?: number) =>
      watchReplica(primary, replica, { onRead: () => {}, onChange: (trouble) => troubles.push(trouble) }, maxBehindMs);
    const where = (watched: ReturnType<typeof watch>) =>
      watched.read(
        async () => 'there',
        async () => 'here',
        () => true,
      );
    const behind = watch(service.database, 500);
    await until('the replica is used', async () => (await where(behind)) === 'there');
    await replica.query('select pg_wal_replay_pause()');
    await create('/v1/collaborators', { name: 'Unseen' });
    await until('the replica is reported as behind', async () => {
      await where(behind);
      return troubles.at(-1) === 'behind';
    });
    assert.equal(await where(behind), 'here');
    await replica.query('select pg_wal_replay_resume()');
    await until('the replica is used again', async () => (await where(behind)) === 'there');
    behind.stop();

    const elsewhere = openDatabase(process.env['WHENCE_TEST_ADMIN_URL'] as string, { connections: 1 });
    const foreign = watch(elsewhere);
    await until('the replica is reported as a copy of another server', async () => troubles.at(-1) === 'foreign');
    assert.equal(await where(foreign), 'here');
    foreign.stop();
    await elsewhere.end();
  });

  it('never reads from another database on the replica', async () => {
    await service.database.query('create database beside');
    await caughtUp();
    const beside = new URL(server.replica.url);
    beside.pathname = 'beside';
    const looks = openDatabase(beside.href, { connections: 1 });
    const troubles: (Trouble | undefined)[] = [];
    const watched = watchReplica(service.database, looks, {
      onRead: () => {},
      onChange: (trouble) => troubles.push(trouble),
    });
    const read = () =>
      watched.read(
        async () => 'there',
        async () => 'here',
        () => true,
      );
    await until('the replica is checked', async () => {
      assert.equal(await read(), 'here');
      return troubles.length > 0;
    });
    assert.deepEqual(troubles, ['foreign']);
    watched.stop();
    await looks.end();
  });

  it('never reads from a replica that was promoted', async () => {
    await lists('replica');
    await replica.query('select pg_promote()');
    await until('the replica is logged as promoted', async () => {
      await call('GET', '/v1/transactions');
      return logged.some(({ trouble }) => trouble === 'no-replica');
    });
    const [fromReplica, fromPrimary] = [await reads('replica'), await reads('primary')];
    await call('GET', '/v1/transactions');
    assert.deepEqual([await reads('replica'), await reads('primary')], [fromReplica, fromPrimary + 1]);
    const { rows } = await service.database.query<{ n: number }>(
      `select count(*) as n from collaborators where name = 'Unseen'`,
    );
    assert.deepEqual(rows, [{ n: 1 }]);
  });
});

/** Creates a database user that may only read tables. Returns the replica's URL for this user. */
async function admitReader({ primary, replica }: ReplicatedServer): Promise<string> {
  const database = openDatabase(primary.url, { connections: 1 });
  try {
    await database.query(`create role reader login password 'reader'; grant pg_read_all_data to reader`);
  } finally {
    await database.end();
  }
  const url = new URL(replica.url);
  url.username = url.password = 'reader';
  return url.href;
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, what);
    await delay(20);
  }
}
