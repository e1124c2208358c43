import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import { attachEmbedded } from '#platform/postgres/embedded/embedded.ts';

/** A running service to which the bench has added ten collaborators and a program that pays ten percent. */
export type Bench = {
  readonly port: number;
  readonly pid: number;
  readonly key: string;
  readonly databaseUrl: string;
  /** Starts another process. Resolves once its output matches `line`, with the process and the match. */
  readonly start: (args: readonly string[], line: RegExp, settings?: Settings) => Promise<Started>;
  readonly stop: () => Promise<void>;
};

export type Started = { readonly child: ChildProcess; readonly match: RegExpExecArray };
export type Settings = Readonly<Record<string, string>>;

export const COLLABORATORS = 10;
export const READY = /ready at http:\/\/[^:]+:(\d+)/;

/** The flags that `npm start` passes to Node. */
export const FLAGS = readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8')
  .match(/"start": "node ((?:--\S+ )*)/)?.[1]
  ?.split(' ')
  .filter((flag) => flag !== '') as string[];

/** Runs `work` with a bench and with connections to its database, and ends both. See `startBench`. */
export async function withBench(
  work: (bench: Bench, database: Database) => Promise<void>,
  settings: Settings = {},
): Promise<void> {
  const bench = await startBench(settings);
  const database = openDatabase(bench.databaseUrl, { connections: 2 });
  try {
    await work(bench, database);
  } finally {
    await database.end();
    await bench.stop();
  }
}

/**
 * Starts the service as a separate process with the flags of `npm start`. Uses a new embedded database, or the database
 * in BENCH_DATABASE_URL. `stop` ends all processes and deletes the data folder.
 */
export async function startBench(settings: Settings = {}): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'whence-bench-'));
  const key = `sk_live_${randomBytes(32).toString('base64url')}`;
  const children: ChildProcess[] = [];
  const ownUrl = process.env['BENCH_DATABASE_URL'];
  const environment = {
    ...process.env,
    ...(ownUrl === undefined ? {} : { DATABASE_URL: ownUrl }),
    WHENCE_DATA_DIR: folder,
    WHENCE_SECRET_KEY: key,
    PORT: '0',
    LOG_LEVEL: 'error',
    ...settings,
  };
  try {
    const service = await start(['src/cli.js', 'start'], READY);
    const databaseUrl = ownUrl ?? (await attachEmbedded(folder))?.url;
    if (databaseUrl === undefined) throw new Error('The embedded database did not start.');
    const port = Number(service.match[1]);
    await prepare(port, key);
    return { port, pid: service.child.pid as number, key, databaseUrl, start, stop };
  } catch (error) {
    await stop();
    throw error;
  }

  async function start(args: readonly string[], line: RegExp, own: Settings = {}): Promise<Started> {
    const child = spawn(process.execPath, [...FLAGS, ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...environment, ...own },
    });
    children.push(child);
    return { child, match: await lineOf(child, line) };
  }

  /**
   * Ends the processes and deletes the data folder. The first process ends last, because it owns the embedded database.
   */
  async function stop(): Promise<void> {
    for (const child of children.splice(0).reverse()) await end(child);
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Ends a process with SIGTERM, as a supervisor does, and waits until it has exited. Does nothing if the process has
 * already ended.
 */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.stdin?.end();
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function prepare(port: number, key: string): Promise<void> {
  await create('/v1/programs', { name: 'Bench', reward: { type: 'percent', percent: 10 }, autoApprove: true });
  for (let n = 0; n < COLLABORATORS; n += 1) {
    await create('/v1/collaborators', { name: `Collaborator ${n}`, aliases: [{ type: 'tracking', code: `c${n}` }] });
  }

  async function create(path: string, body: unknown): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    // In a reused database, the codes belong to the collaborators of an earlier bench.
    if (!response.ok && response.status !== 409) throw new Error(`${path}: ${await response.text()}`);
  }
}

async function lineOf(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  for await (const line of lines) {
    const match = pattern.exec(line);
    if (match !== null) return match;
  }
  throw new Error(`A process ended before it printed ${pattern}. Look for its error above.`);
}
