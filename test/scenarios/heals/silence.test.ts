import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { openLine } from '../../../chaos/line.ts';
import { createDatabase } from '#test/support/database.ts';
import { type ServiceProcess, startProcess } from '#test/support/process.ts';
import { type Database, isUnavailable, openDatabase } from '#store/database.ts';
import { SILENT_AFTER_MS, watchForSilence } from '#store/silence.ts';
import { verify } from '#store/verify.ts';

const KEY = `sk_live_${'k'.repeat(43)}`;
/** Until it is known, with what asking and a busy machine take. */
const KNOWN_WITHIN_MS = SILENT_AFTER_MS + 4_000;
const AT_ONCE_MS = 1_000;
const HEALING_LIMIT_MS = 5_000;

describe('a service whose database falls silent, and ends no connection', () => {
  let database: Database;
  let drop: () => Promise<void>;
  let line: Awaited<ReturnType<typeof openLine>>;
  let service: ServiceProcess;
  let oid: string;
  before(async () => {
    const created = await createDatabase();
    drop = created.drop;
    database = openDatabase(created.url, { connections: 2 });
    line = await openLine(created.url);
    service = await startProcess({ DATABASE_URL: line.url, WHENCE_SECRET_KEY: KEY, LOG_LEVEL: 'fatal' });
    assert.equal((await post('/programs', { name: 'P', reward: { type: 'percent', percent: 10 } })).status, 201);
    const ada = { name: 'Ada', aliases: [{ type: 'tracking', code: 'ada' }] };
    assert.equal((await post('/collaborators', ada)).status, 201);
    oid = (await post('/event/site-visited', { collaboratorId: 'tracking:ada' })).headers.get(
      'X-Service-OID',
    ) as string;
  });
  after(async () => {
    service.signal('SIGKILL');
    await line.close();
    await database.end();
    await drop();
  });

  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(`${service.url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const visit = async () => (await post('/event/site-visited', { collaboratorId: 'tracking:ada' })).status;
  const sell = (externalId: string) => post('/event/sale', { source: 'shop', externalId, total: 10, trackingId: oid });
  const isReady = async () => (await fetch(`${service.url}/readyz`)).status === 200;

  it('says so to whoever waits, refuses the next at once, and is there again as soon as the database is', async () => {
    assert.equal((await sell('before')).status, 200);
    await line.trouble({ kind: 'silent' });
    const began = performance.now();
    const answers = await Promise.all([visit(), sell('amid').then(({ status }) => status), visit()]);
    assert.deepEqual(answers, [503, 503, 503]);
    const known = performance.now() - began;
    assert.ok(known < KNOWN_WITHIN_MS, `they waited for ${known} ms`);

    const refusedAt = performance.now();
    const refused = await Promise.all([sell('amid'), post('/collaborators', { name: 'Bob' })]);
    const took = performance.now() - refusedAt;
    assert.deepEqual(
      refused.map(({ status, headers }) => [status, headers.get('retry-after')]),
      [
        [503, '1'],
        [503, '1'],
      ],
    );
    assert.ok(took < AT_ONCE_MS, `the next waited for ${took} ms`);
    assert.equal(await isReady(), false);
    assert.equal((await fetch(`${service.url}/healthz`)).status, 200);

    await line.mend();
    const mendedAt = performance.now();
    while (!((await isReady()) && (await visit()) === 200)) {
      const waited = performance.now() - mendedAt;
      assert.ok(waited < HEALING_LIMIT_MS, `it is not there again after ${waited} ms`);
    }
    assert.equal((await sell('amid')).status, 200);
    const { rows } = await database.query<{ n: number }>('select count(*) as n from transactions');
    assert.deepEqual(rows, [{ n: 2 }]);
    assert.deepEqual((await verify(database)).breaches, []);
  });
});

describe('the watch for silence', () => {
  it('takes no time in which it heard nothing for a silence: the process stood still itself', async () => {
    const { url, drop } = await createDatabase();
    const database = openDatabase(url, { connections: 1 });
    const silentAfterMs = 400;
    const end = watchForSilence(url, [database], silentAfterMs);
    try {
      const long = database.query('select pg_sleep(2)');
      // It asks as soon as the statement takes long, and at that moment nobody listens any more.
      await until(() => database.waitingCount === 0 && database.totalCount === 1);
      await new Promise((resolve) => setTimeout(resolve, 600).unref());
      for (const awake = performance.now() + 3 * silentAfterMs; performance.now() < awake;);
      await long;
      assert.equal((await database.query('select 1')).rowCount, 1);
    } finally {
      end();
      await database.end();
      await drop();
    }
  });

  it('leaves no lock behind of those that it has given up', async () => {
    const { url, drop } = await createDatabase();
    const outside = openDatabase(url, { connections: 1 });
    const line = await openLine(url);
    const database = openDatabase(line.url, { connections: 1 });
    const end = watchForSilence(line.url, [database], 200);
    const connection = await database.connect();
    try {
      await connection.query('begin; select pg_advisory_xact_lock(7)');
      await line.trouble({ kind: 'silent' });
      await assert.rejects(connection.query('select 1'), isUnavailable);
      connection.release(true);
      await line.mend();
      const began = performance.now();
      await outside.query('select pg_advisory_lock(7)');
      const took = performance.now() - began;
      assert.ok(took < HEALING_LIMIT_MS, `the lock was held for ${took} ms more`);
    } finally {
      end();
      await line.close();
      await database.end();
      await outside.end();
      await drop();
    }
  });

  it('ends statements of a server that listens and never says a word, and refuses more, until it speaks', async () => {
    const sockets: Socket[] = [];
    const mute = createServer((socket) => sockets.push(socket.on('error', () => {}))).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { url, drop } = await createDatabase();
    const database = openDatabase(url, { connections: 1 });
    // Who is asked is another one than who is to answer, which is what a line that is cut looks like.
    const end = watchForSilence(`postgres://127.0.0.1:${(mute.address() as AddressInfo).port}/x`, [database], 200);
    try {
      await assert.rejects(database.query('select pg_sleep(60)'), isUnavailable);
      await assert.rejects(database.query('select 1'), { code: 'ESILENT' });
      await assert.rejects(database.connect(), isUnavailable);
      // It refuses those who ask, and has spoken with that.
      mute.close();
      for (const socket of sockets) socket.destroy();
      await until(async () => (await database.query('select 1').catch(() => undefined)) !== undefined);
    } finally {
      end();
      for (const socket of sockets) socket.destroy();
      await database.end();
      await drop();
    }
  });
});

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + HEALING_LIMIT_MS;
  while (!(await holds())) {
    assert.ok(performance.now() < deadline, `it has not come about: ${holds.toString()}`);
    await new Promise(setImmediate);
  }
}
