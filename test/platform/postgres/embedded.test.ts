import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import {
  attachEmbedded,
  DataFolderInUse,
  startEmbedded,
  type Embedded,
  type Programs,
} from '#platform/postgres/embedded/embedded.ts';
import { endOrphan } from '#platform/postgres/embedded/orphan.ts';
import { packagedPrograms } from '#platform/postgres/embedded/postgres-programs.ts';

const NOBODY = { uid: 65_534, gid: 65_534 };
const root = process.getuid?.() === 0;
const asOthers = { skip: !othersCanRun() && 'needs root, and a project that other users can read' };
const onLinux = { skip: !fs.existsSync('/proc/self/stat') && 'looks into /proc' };

const locksOfPostgres = ['postgres/postmaster.pid', 'postgres/.s.PGSQL.5432.lock'];

test('the first start of the embedded database creates a durable database that requires its password', async (t) => {
  const folder = newFolder(t);
  const { url } = await started(t, folder);
  const settings = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums'];
  for (const name of settings) assert.equal(await value(url, `show ${name}`), 'on', name);
  assert.equal(await value(url, 'show server_encoding'), 'UTF8');
  assert.equal(await value(url, `select lower('ÄÖ')`), 'äö');
  assert.equal(await value(url, 'show timezone'), 'UTC');
  assert.equal(new URL(url).pathname, '/whence');
  assert.equal(fs.statSync(join(folder, 'password')).mode & 0o777, 0o600);
  const wrong = new URL(url);
  wrong.password = 'guessed';
  await assert.rejects(value(wrong.href, 'select 1'), /password authentication failed/);
});

test('the embedded database keeps committed data after a stop and a second start', async (t) => {
  const folder = newFolder(t);
  const first = await started(t, folder);
  await value(first.url, 'create table kept as select 7 as number');
  await first.stop();
  await first.stop();
  assert.equal(await attachEmbedded(folder), undefined);
  const second = await started(t, folder);
  assert.equal(await value(second.url, 'select number from kept'), 7);
});

test('a second start in the same data folder fails with the process id of the first service, which keeps running', async (t) => {
  const folder = newFolder(t);
  const { url } = await started(t, folder);
  await assert.rejects(startEmbedded({ dataDir: folder, log: () => {} }), DataFolderInUse);
  const other = service(t, folder);
  assert.deepEqual(await other.said, {
    name: 'DataFolderInUse',
    message: `The data folder ${folder} is in use by process ${process.pid}. Stop it first, or choose another folder.`,
  });
  assert.equal(await value(url, 'select 1'), 1);
});

test('exactly one of several simultaneous starts in a data folder succeeds, even with a stale lock', async (t) => {
  const folder = newFolder(t);
  const dead = service(t, folder);
  await dead.said;
  await kill(dead.process);
  const services = Array.from({ length: 4 }, () => service(t, folder));
  const answers = await Promise.all(services.map(({ said }) => said));
  assert.deepEqual(answers.map(({ url, name }) => name ?? typeof url).sort(), [
    ...Array.from({ length: 3 }, () => 'DataFolderInUse'),
    'string',
  ]);
  assert.deepEqual(fs.readdirSync(folder).sort(), ['password', 'postgres', 'postgres.log', 'whence.lock']);
});

test('attachEmbedded returns the URL of a running embedded database, and undefined if none is running', async (t) => {
  const folder = newFolder(t);
  assert.equal(await attachEmbedded(folder), undefined);
  const { url, stop } = await started(t, folder);
  assert.deepEqual(await attachEmbedded(folder), { url });
  await stop();
  assert.equal(await attachEmbedded(folder), undefined);
});

test('a killed service leaves no PostgreSQL process behind', onLinux, async (t) => {
  const folder = newFolder(t);
  const killed = service(t, folder);
  await killed.said;
  const postmaster = postmasterOf(folder);
  await kill(killed.process);
  await until(() => !isAlive(postmaster));
});

test('a start right after the service was killed finds all committed data', onLinux, async (t) => {
  const folder = newFolder(t);
  const killed = service(t, folder);
  const { url = '' } = await killed.said;
  await value(url, 'create table kept as select 7 as number');
  await kill(killed.process);
  const next = await started(t, folder);
  assert.equal(await value(next.url, 'select number from kept'), 7);
});

for (const [left, content] of Object.entries({ empty: '', 'full of zeros': '\0'.repeat(64) })) {
  test(`a start replaces Whence’s and PostgreSQL’s lock files that a power failure left ${left}`, async (t) => {
    const folder = newFolder(t);
    const first = await started(t, folder);
    await value(first.url, 'create table kept as select 7 as number');
    await first.stop();
    for (const lock of ['whence.lock', ...locksOfPostgres]) leave(join(folder, lock), content);
    const log: string[] = [];
    const next = await started(t, folder, log);
    assert.equal(await value(next.url, 'select number from kept'), 7);
    for (const lock of locksOfPostgres) assert.match(log.join('\n'), new RegExp(`removing .*${lock}, which is empty`));
  });
}

for (const blank of locksOfPostgres) {
  test(`a start succeeds if ${blank} is blank and the other lock file has a reused process id`, onLinux, async (t) => {
    const folder = newFolder(t);
    const first = await started(t, folder);
    // The process must belong to the user that PostgreSQL runs as, because PostgreSQL ignores processes of other users.
    const { uid, gid } = fs.statSync(join(folder, 'postgres'));
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore', ...(root ? { uid, gid } : {}) });
    t.after(() => stranger.kill('SIGKILL'));
    const said = new Map(locksOfPostgres.map((lock) => [lock, fs.readFileSync(join(folder, lock), 'utf8')]));
    await first.stop();
    for (const [lock, text] of said) {
      leave(join(folder, lock), lock === blank ? '' : text.replace(/^\d+/, String(stranger.pid)));
    }
    const next = await started(t, folder);
    assert.equal(await value(next.url, 'select 1'), 1);
    assert.ok(isAlive(stranger.pid as number));
  });
}

test('a start waits until a server that is just starting has written its lock file', async (t) => {
  const folder = newFolder(t);
  await (await started(t, folder)).stop();
  const lock = join(folder, 'postgres', 'postmaster.pid');
  leave(lock, '');
  const log: string[] = [];
  const ended = endOrphan(folder, (line) => log.push(line));
  await delay(50);
  const gone = spawnSync('true').pid;
  fs.writeFileSync(lock, `${gone}\n`);
  assert.equal(await ended, gone);
  assert.ok(fs.existsSync(lock));
  assert.deepEqual(log, []);
});

test('a PostgreSQL that outlived its service is ended by the next start', onLinux, async (t) => {
  const folder = newFolder(t);
  const killed = service(t, folder);
  const { url = '' } = await killed.said;
  await value(url, 'create table kept as select 7 as number');
  const postmaster = postmasterOf(folder);
  for (const child of childrenOf(killed.process)) if (child !== postmaster) process.kill(child, 'SIGKILL');
  await kill(killed.process);
  assert.ok(isAlive(postmaster));
  const log: string[] = [];
  const next = await started(t, folder, log);
  assert.match(log.join(), new RegExp(`stopping PostgreSQL \\(process ${postmaster}\\)`));
  assert.ok(!isAlive(postmaster));
  assert.equal(await value(next.url, 'select number from kept'), 7);
});

test('a killed PostgreSQL is restarted with all committed data', async (t) => {
  const folder = newFolder(t);
  const log: string[] = [];
  const { url, stop } = await started(t, folder, log);
  await value(url, 'create table kept as select 7 as number');
  // A running statement keeps the shared memory of the killed server in use.
  const running = value(url, 'select pg_sleep(600)').catch((error: Error) => error);
  const sleepers = `select count(*)::int from pg_stat_activity where query = 'select pg_sleep(600)'`;
  await until(async () => (await value(url, sleepers)) === 1);
  process.kill(postmasterOf(folder), 'SIGKILL');
  assert.ok((await running) instanceof Error);
  await until(async () => (await value(url, 'select number from kept').catch(() => undefined)) === 7);
  assert.match(log.join(), /PostgreSQL stopped unexpectedly \(SIGKILL\); restarting it/);
  await stop();
  assert.equal(await attachEmbedded(folder), undefined);
});

test('a PostgreSQL that crashes on a disk error restarts once the disk works again', onLinux, async (t) => {
  const folder = newFolder(t);
  const log: string[] = [];
  const { url } = await started(t, folder, log);
  await value(url, 'create table kept as select 7 as number');
  const wal = join(folder, 'postgres', 'pg_wal');
  const segments = fs.readdirSync(wal).filter((name) => name.startsWith('0'));
  const allow = (mode: number) => segments.forEach((name) => fs.chmodSync(join(wal, name), mode));
  const walWriter = await value(url, `select pid from pg_stat_activity where backend_type = 'walwriter'`);
  allow(0);
  process.kill(Number(walWriter), 'SIGKILL');
  await until(() => log.some((line) => line.includes('Whence keeps trying to start PostgreSQL')));
  allow(0o600);
  await until(() => log.includes('PostgreSQL runs again'));
  assert.equal(await value(url, 'select number from kept'), 7);
});

test('a start succeeds if other processes have the ids of the killed service and PostgreSQL', onLinux, async (t) => {
  const folder = newFolder(t);
  const killed = service(t, folder);
  const { url = '' } = await killed.said;
  await value(url, 'create table kept as select 7 as number');
  // Suspend the service, so that it can't restart PostgreSQL before the test kills the service.
  killed.process.kill('SIGSTOP');
  process.kill(postmasterOf(folder), 'SIGKILL');
  await kill(killed.process);
  const stranger = spawn('sleep', ['600'], { stdio: 'ignore' });
  t.after(() => kill(stranger));
  await once(stranger, 'spawn');
  for (const file of ['whence.lock', 'postgres/postmaster.pid', 'postgres/.s.PGSQL.5432.lock']) {
    const path = join(folder, file);
    fs.writeFileSync(path, fs.readFileSync(path, 'utf8').replace(/^\d+/, `${stranger.pid}`));
  }
  const next = await started(t, folder);
  assert.equal(await value(next.url, 'select number from kept'), 7);
  assert.ok(isAlive(stranger.pid ?? 0));
});

test(
  'a start ends a server that a killed service was just starting, and waits until it has ended',
  onLinux,
  async (t) => {
    const folder = newFolder(t);
    const first = await started(t, folder);
    await value(first.url, 'create table kept as select 7 as number');
    await first.stop();
    const log: string[] = [];
    const next = await started(t, folder, log, programsWithRival(t));
    assert.match(log.join(), /stopping PostgreSQL \(process \d+\), which is left over/);
    assert.equal(await value(next.url, 'select number from kept'), 7);
  },
);

test('a start succeeds after an interrupted first start', async (t) => {
  const folder = newFolder(t);
  const killed = service(t, folder);
  await until(() => fs.readdirSync(folder).some((name) => name.startsWith('postgres.unfinished-')));
  await kill(killed.process);
  assert.ok(!fs.existsSync(join(folder, 'postgres')));
  const { url } = await started(t, folder);
  assert.equal(await value(url, 'select 1'), 1);
  assert.deepEqual(fs.readdirSync(folder).sort(), ['password', 'postgres', 'postgres.log', 'whence.lock']);
});

test('a signal to the process group does not stop PostgreSQL before the service does', async (t) => {
  const folder = newFolder(t);
  const drained = service(t, folder);
  const { url = '' } = await drained.said;
  process.kill(-(drained.process.pid ?? 0), 'SIGINT');
  assert.equal(await value(url, 'select 1'), 1);
  drained.process.stdin?.end();
  await once(drained.process, 'exit');
  assert.equal(drained.process.exitCode, 0);
  assert.equal(await attachEmbedded(folder), undefined);
});

test('the database in a folder with a long name is reachable through a local port only', async (t) => {
  const folder = join(newFolder(t), 'a folder, "named" at length '.repeat(4));
  const { url, stop } = await started(t, folder);
  assert.match(url, /@127\.0\.0\.1:\d+\/whence$/);
  assert.equal(await value(url, 'show listen_addresses'), '127.0.0.1');
  assert.deepEqual(await attachEmbedded(folder), { url });
  await stop();
  assert.equal(await value((await started(t, folder)).url, 'select 1'), 1);
});

test('the database in a folder with spaces, quotes and commas is reachable through its socket', async (t) => {
  const { url } = await started(t, join(newFolder(t), `it's "my", data % folder`));
  assert.equal(await value(url, 'select inet_server_addr()'), null);
});

test('a failed start reports PostgreSQL’s error and unlocks the folder', async (t) => {
  const folder = newFolder(t);
  const start = startEmbedded({ dataDir: folder, log: () => {}, settings: { shared_buffers: 'plenty' } });
  await assert.rejects(start, /PostgreSQL did not start: .*invalid value for parameter "shared_buffers": "plenty"/s);
  const { url } = await started(t, folder);
  assert.equal(await value(url, 'select 1'), 1);
});

test('a start rotates PostgreSQL’s log if it is too large, and keeps the previous log', async (t) => {
  const folder = newFolder(t);
  const log = join(folder, 'postgres.log');
  fs.writeFileSync(log, 'x'.repeat(11 * 2 ** 20));
  await started(t, folder);
  assert.ok(fs.statSync(log).size < 2 ** 20);
  assert.equal(fs.statSync(`${log}.1`).size, 11 * 2 ** 20);
});

test(
  'as root, PostgreSQL runs as the user whence, or as another user that can reach the folder',
  asOthers,
  async (t) => {
    const above = newFolder(t);
    const folder = join(above, 'data');
    const ownerAndUser = async ({ url, stop }: Embedded) => {
      const number = await value(url, 'select number from kept');
      const { uid } = fs.statSync(join(folder, 'postgres'));
      await stop();
      return { number, uid };
    };
    const first = await started(t, folder);
    await value(first.url, 'create table kept as select 7 as number');
    const uid = Number(spawnSync('id', ['-u', 'whence'], { encoding: 'utf8' }).stdout);
    assert.ok(uid > 0 && uid !== NOBODY.uid, 'the user whence exists by now');
    assert.deepEqual(await ownerAndUser(first), { number: 7, uid });
    fs.chmodSync(above, 0o700);
    assert.equal((await ownerAndUser(await started(t, folder))).number, 7);
    fs.chmodSync(above, 0o711);
    assert.deepEqual(await ownerAndUser(await started(t, folder)), { number: 7, uid });
  },
);

test('as root, PostgreSQL runs as nobody with a warning if no user can be created', asOthers, async (t) => {
  const above = newFolder(t);
  const said: string[] = [];
  // Simulate a machine that has no user `whence` and can't create it.
  const programs = join(above, 'bin');
  fs.mkdirSync(programs);
  const path = `${process.env['PATH']}`;
  for (const [name, status] of [
    ['id', '[ "$2" = whence ] && exit 1; exec /usr/bin/id "$@"'],
    ['useradd', 'exit 1'],
  ])
    fs.writeFileSync(join(programs, `${name}`), `#!/bin/sh\n${status}\n`, { mode: 0o755 });
  process.env['PATH'] = `${programs}:${path}`;
  t.after(() => (process.env['PATH'] = path));
  const folder = join(above, 'data');
  const first = await started(t, folder, said);
  await value(first.url, 'create table kept as select 7 as number');
  await first.stop();
  assert.ok(said.some((message) => message.startsWith('warn: PostgreSQL runs as nobody: ')));
  process.env['PATH'] = path;
  const second = await started(t, folder);
  assert.equal(await value(second.url, 'select number from kept'), 7);
  assert.equal(fs.statSync(join(folder, 'postgres')).uid, NOBODY.uid, 'an existing database keeps its owner');
});

test('an embedded database of an ordinary user can be started by root, then by the user again', asOthers, async (t) => {
  const folder = newFolder(t);
  fs.chownSync(folder, NOBODY.uid, NOBODY.gid);
  const first = service(t, folder, NOBODY);
  const { url = '' } = await first.said;
  await value(url, 'create table kept as select 7 as number');
  await stop(first.process);
  const second = await started(t, folder);
  assert.equal(await value(second.url, 'select number from kept'), 7);
  await second.stop();
  const third = await service(t, folder, NOBODY).said;
  assert.equal(await value(third.url ?? '', 'select number from kept'), 7);
});

/** Writes a file with the owner of its folder. */
function leave(file: string, content: string): void {
  fs.writeFileSync(file, content, { mode: 0o600 });
  const { uid, gid } = fs.statSync(dirname(file));
  fs.chownSync(file, uid, gid);
}

function othersCanRun(): boolean {
  return root && spawnSync(process.execPath, ['--version'], NOBODY).status === 0;
}

function newFolder(t: TestContext): string {
  const folder = fs.mkdtempSync(join(tmpdir(), 'whence-embedded-'));
  if (root) fs.chmodSync(folder, 0o711);
  // The PostgreSQL of a killed service may still write to the folder, so deleting the folder may need several attempts.
  t.after(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return folder;
}

/** Returns programs whose first `postgres` process finds another server already running in the folder. */
function programsWithRival(t: TestContext): Programs {
  const { bin, locale } = packagedPrograms();
  const wrapped = newFolder(t);
  const postgres = join(bin, 'postgres');
  const script = `#!/bin/sh
    if [ "$1" = -D ] && mkdir '${join(wrapped, 'rival')}' 2> /dev/null; then
      '${postgres}' "$@" &
      until [ -s "$2/postmaster.pid" ]; do sleep 0.01; done
    fi
    exec '${postgres}' "$@"`;
  fs.writeFileSync(join(wrapped, 'postgres'), script, { mode: 0o755 });
  // The script may run as any user, and creates the folder `rival` in this folder.
  fs.chmodSync(wrapped, 0o777);
  return { bin: wrapped, locale };
}

async function started(t: TestContext, dataDir: string, log: string[] = [], programs?: Programs): Promise<Embedded> {
  const embedded = await startEmbedded({
    dataDir,
    log: (message, level) => log.push(level === undefined ? message : `${level}: ${message}`),
    ...(programs !== undefined && { programs }),
  });
  t.after(() => embedded.stop());
  return embedded;
}

type Answer = { url?: string; name?: string; message?: string };

const SERVICE = `
  import { startEmbedded } from '#platform/postgres/embedded/embedded.ts';
  process.on('SIGINT', () => {});
  try {
    const { url, stop } = await startEmbedded({ dataDir: process.argv[1], log: () => {} });
    console.log(JSON.stringify({ url }));
    process.stdin.once('end', stop).resume();
  } catch ({ name, message }) {
    console.log(JSON.stringify({ name, message }));
  }`;

/** Starts an embedded database in a process with its own process group. The process stops when its input ends. */
function service(t: TestContext, folder: string, user = {}): { process: ChildProcess; said: Promise<Answer> } {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', SERVICE, folder], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    ...user,
  });
  t.after(() => kill(child));
  return { process: child, said: answerOf(child) };
}

async function answerOf(child: ChildProcess): Promise<Answer> {
  const errors: Buffer[] = [];
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk));
  for await (const line of createInterface({ input: child.stdout! })) return JSON.parse(line) as Answer;
  return { message: Buffer.concat(errors).toString() };
}

async function stop(child: ChildProcess): Promise<void> {
  child.stdin?.end();
  if (child.exitCode === null) await once(child, 'exit');
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const postmasterOf = (folder: string) =>
  Number.parseInt(fs.readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10);

const childrenOf = ({ pid }: ChildProcess) =>
  fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);

/** Returns whether the process is alive. Zombies don't count. */
function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries += 1) {
    assert.ok(tries < 1_500, `never came true: ${holds.toString()}`);
    await delay(20);
  }
}

async function value(url: string, statement: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(statement);
    return Object.values(rows[0] ?? {})[0];
  } finally {
    await client.end().catch(() => {});
  }
}
