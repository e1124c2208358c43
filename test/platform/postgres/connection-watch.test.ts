import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Line, openLine } from '../../../tools/chaos/line.ts';
import { createDatabase } from '../../support/database.ts';
import { REFUSED_WITHIN_MS } from '../../support/healing.ts';
import { type Watch, watchConnections } from '#platform/postgres/connection-watch.ts';
import { type Database, isUnavailable, openDatabase } from '#platform/postgres/database.ts';

/** Far below the statement timeout, which is a minute here. */
const FOUND_WITHIN_MS = 6_000;
const CONNECTIONS = 3;
const HEALING_LIMIT_MS = 5_000;
/**
 * Shorter than in production, but long enough for a busy machine to respond. A late response would count as an
 * unresponsive server.
 */
const SILENT_SOON_MS = 800;
/** Polling without a pause would starve the server: even a refused connection costs it a process. */
const LOOK_EVERY_MS = 20;

describe('a database connection that is silently dropped', () => {
  let line: Line;
  let drop: () => Promise<void>;
  let database: Database;
  let watch: Watch;
  before(async () => {
    const created = await createDatabase();
    drop = created.drop;
    line = await openLine(created.url);
    database = openDatabase(line.url, { connections: CONNECTIONS, queryTimeoutMs: 60_000 });
    watch = watchConnections(line.url, [database]);
  });
  after(async () => {
    watch.end();
    await line.close();
    await database.end();
    await drop();
  });

  it('a dropped connection is detected once the server responds, and idle ones are replaced', async () => {
    await Promise.all(Array.from({ length: CONNECTIONS }, () => database.query('select pg_sleep(0.05)')));
    await line.trouble({ kind: 'silent' });
    const waiting = database.query('select 1').then(
      () => undefined,
      (error: unknown) => error,
    );
    await line.mend();
    const began = performance.now();
    assert.ok(isUnavailable(await waiting), 'it fails as a broken connection does');
    await Promise.all(Array.from({ length: CONNECTIONS }, () => database.query('select 1')));
    assert.ok(performance.now() - began < FOUND_WITHIN_MS);
  });

  it('a dropped connection leaves no lock and no server process behind', async () => {
    const holder = await database.connect();
    holder.on('error', () => {});
    await holder.query('begin');
    await holder.query('select pg_advisory_xact_lock(2)');
    await line.trouble({ kind: 'silent' });
    const waiting = holder.query('select 1');
    await line.mend();
    await assert.rejects(waiting, (error) => isUnavailable(error));
    holder.release(true);
    await database.query('select pg_advisory_xact_lock(2)');
    const { rows } = await database.query<{ n: number }>(
      `select count(*) as n from pg_stat_activity where datname = current_database() and application_name = 'whence'`,
    );
    assert.ok((rows[0]?.n ?? 0) <= CONNECTIONS, `${rows[0]?.n} are connected`);
  });

  it('a long statement or a wait for a lock is not mistaken for a dropped connection', async () => {
    const holder = await database.connect();
    await holder.query('begin');
    await holder.query('select pg_advisory_xact_lock(1)');
    const blocked = database.query('select pg_advisory_xact_lock(1)');
    await database.query('select pg_sleep(3.5)');
    await holder.query('commit');
    holder.release();
    await blocked;
  });
});

describe('a caller during database latency', () => {
  let line: Line;
  let drop: () => Promise<void>;
  let database: Database;
  let watch: Watch;
  before(async () => {
    const created = await createDatabase();
    drop = created.drop;
    line = await openLine(created.url);
    database = openDatabase(line.url, { connections: 1 });
    // The interval is so long that no connection is cut here.
    watch = watchConnections(line.url, [database], 60_000);
  });
  after(async () => {
    watch.end();
    await line.close();
    await database.end();
    await drop();
  });

  it('a caller is rejected within a second if the server is unresponsive, but the query completes', async () => {
    await database.query('select 1');
    await line.trouble({ kind: 'late', ms: 1_500 });
    const began = performance.now();
    const work = database.query('select 1 as one');
    await assert.rejects(
      watch.whileHeard(() => work),
      isUnavailable,
    );
    const took = performance.now() - began;
    assert.ok(took < REFUSED_WITHIN_MS, `they waited for ${took} ms`);
    const unasked = async () => assert.fail('the next is refused at once');
    await assert.rejects(watch.whileHeard(unasked), isUnavailable);
    assert.deepEqual((await work).rows, [{ one: 1 }]);
    await line.mend();
    await until(() => watch.whileHeard(() => database.query('select 1')).then(Boolean, () => false));
  });

  it('a caller waits for a server that is distant or busy', async () => {
    await line.trouble({ kind: 'late', ms: 300 });
    for (let n = 0; n < 3; n += 1) await watch.whileHeard(() => database.query('select 1'));
    await line.mend();
    await watch.whileHeard(() => database.query('select pg_sleep(2.5)'));
  });
});

describe('an unresponsive database server', () => {
  it('a suspended process does not mistake the server for unresponsive', async () => {
    const { url, drop } = await createDatabase();
    const database = openDatabase(url, { connections: 1 });
    const silentAfterMs = 400;
    const { end } = watchConnections(url, [database], silentAfterMs);
    try {
      const long = database.query('select pg_sleep(2)');
      // The watch asks as soon as the statement takes long. At that moment the process is blocked.
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

  it('an unresponsive server keeps no lock of connections that were abandoned', async () => {
    const { url, drop } = await createDatabase();
    const outside = openDatabase(url, { connections: 1 });
    const line = await openLine(url);
    const database = openDatabase(line.url, { connections: 1 });
    const { end } = watchConnections(line.url, [database], SILENT_SOON_MS);
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

  it('the slots of abandoned connections are freed, even if no slot is left', async () => {
    const places = 4;
    const { url: adminUrl, drop } = await createDatabase();
    const admin = openDatabase(adminUrl, { connections: 1 });
    const role = `limited_${randomUUID().replaceAll('-', '')}`;
    await admin.query(`create role ${role} login password 'limited' connection limit ${places}`);
    const { host, pathname, search } = new URL(adminUrl);
    const url = `postgres://${role}:limited@${host}${pathname}${search}`;
    const line = await openLine(url);
    const connections = places - 1;
    const database = openDatabase(line.url, { connections });
    const { end } = watchConnections(line.url, [database], SILENT_SOON_MS);
    const another = openDatabase(url, { connections: 1 });
    const all = () => Promise.all(Array.from({ length: connections }, () => database.query('select pg_sleep(0.02)')));
    try {
      await all();
      await another.query('select 1');
      await line.trouble({ kind: 'silent' });
      await assert.rejects(database.query('select 1'), isUnavailable);
      await line.mend();
      const isFull = (error: unknown): boolean => (error as { code?: string }).code === '53300';
      await until(() =>
        database.query('select 1').then(
          () => false,
          (error: unknown) => isFull(error),
        ),
      );
      await another.end();
      await until(() =>
        all().then(
          () => true,
          () => false,
        ),
      );
    } finally {
      end();
      await line.close();
      await database.end();
      if (!another.ended) await another.end();
      await admin.query(`drop role ${role}`);
      await admin.end();
      await drop();
    }
  });

  it('statements and connections fail while the server is unresponsive, until it responds again', async () => {
    const sockets: Socket[] = [];
    const mute = createServer((socket) => sockets.push(socket.on('error', () => {}))).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { url, drop } = await createDatabase();
    const database = openDatabase(url, { connections: 1 });
    // The watch asks a different server than the one that should respond, which simulates a cut connection.
    const { end } = watchConnections(`postgres://127.0.0.1:${(mute.address() as AddressInfo).port}/x`, [database], 200);
    try {
      await assert.rejects(database.query('select pg_sleep(60)'), isUnavailable);
      await assert.rejects(database.query('select 1'), { code: 'ESILENT' });
      await assert.rejects(database.connect(), isUnavailable);
      // From now on the port refuses connections, which counts as a response.
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
    await delay(LOOK_EVERY_MS);
  }
}
