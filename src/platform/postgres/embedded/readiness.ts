import type { ChildProcess } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { DATABASE, urlOf } from './address.ts';
import { postmasterIn } from './data-folder.ts';
import { hasEnded, reasonOf, type Launch } from './server-process.ts';

/**
 * The time limit for a start, in milliseconds. It is long, because replaying the write-ahead log after a crash may take
 * minutes. If the server ends, the start fails immediately.
 */
const START_LIMIT_MS = 300_000;

/**
 * Waits until the server accepts connections, and creates its database if it is missing. Throws an Error if the server
 * ends before that, or isn't ready within START_LIMIT_MS.
 */
export async function becomeReady(server: ChildProcess, { folder, address, log }: Launch): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS;
  let recovering = false;
  while (performance.now() < deadline) {
    if (hasEnded(server)) throw new Error(`the server process exited (${reasonOf(server)})`);
    // Ignore an earlier server, which may still respond shortly before it ends, and may block the start of this server.
    const isOurs = postmasterIn(folder)?.pid === server.pid;
    const answer = isOurs ? await answerOf(urlOf(folder, address)) : 'unresponsive';
    if (answer === 'ready') return;
    if (answer === 'no database') await createDatabase(urlOf(folder, address, 'postgres'));
    if (answer === 'starting' && !recovering) log('waiting for PostgreSQL to replay its log');
    recovering ||= answer === 'starting';
    await delay(10);
  }
  throw new Error(`the server did not respond within ${START_LIMIT_MS / 1_000} s`);
}

/**
 * Returns the result of connecting to a server: `ready`, `no database` if the database is missing, `starting` if the
 * server doesn't accept connections yet, or `unresponsive` if nothing responds. Throws any other error that the server
 * returns.
 */
export async function answerOf(url: string): Promise<'ready' | 'no database' | 'starting' | 'unresponsive'> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return 'ready';
  } catch (error) {
    if (!(error instanceof DatabaseError)) return 'unresponsive';
    if (error.code === '3D000') return 'no database';
    if (error.code === '57P03') return 'starting';
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

async function createDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}
