import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { attachEmbedded } from '#store/embedded.ts';
import { openDatabase } from '#store/database.ts';
import { post, type Result, runLoad } from './load.ts';

/*
 * `npm run bench`: durable visits and durable sales with the pipeline running, as shares of what the same server does
 * with a POST that does nothing, in one run. The service is a process of its own on a database of its own (embedded, or
 * BENCH_DATABASE_URL for an empty one of yours); the generator runs beside it.
 */

const { values } = parseArgs({
  options: { callers: { type: 'string', default: '64' }, seconds: { type: 'string', default: '8' } },
});
const callers = Number(values.callers);
const seconds = Number(values.seconds);
const key = `sk_live_${randomBytes(32).toString('base64url')}`;
const folder = await mkdtemp(join(tmpdir(), 'whence-bench-'));
const children: ChildProcess[] = [];

try {
  const port = await startService();
  const api = async (method: string, path: string, body?: unknown): Promise<{ id: number }> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as { id: number };
  };
  await api('POST', '/v1/programs', { name: 'Bench', reward: { type: 'percent', percent: 10 }, autoApprove: true });
  for (let n = 0; n < 10; n += 1) {
    await api('POST', '/v1/collaborators', {
      name: `Collaborator ${n}`,
      aliases: [{ type: 'tracking', code: `c${n}` }],
    });
  }

  const url = process.env['BENCH_DATABASE_URL'] ?? (await attachEmbedded(folder))?.url;
  if (url === undefined) throw new Error('the embedded database is not there');
  const noopPort = await startCeiling(url);
  const database = openDatabase(url, { connections: 1 });

  const opportunities: number[] = [];
  let visits = 0;
  let sales = 0;
  const visit = (): string =>
    post('/v1/event/site-visited', key, { collaboratorId: `tracking:c${(visits += 1) % 10}` });
  const sale = (): string =>
    post('/v1/event/sale', key, {
      source: 'bench',
      externalId: `order-${(sales += 1)}`,
      total: 49.99,
      trackingId: opportunities[sales % opportunities.length],
    });
  const keep = ({ head }: { head: string }): void => {
    const number = /\r\nx-service-oid: (\d+)/i.exec(head)?.[1];
    if (number !== undefined) opportunities.push(Number(number));
  };
  const nothing = (): string => post('/v1/event/nothing', key, { collaboratorId: `tracking:c${(visits += 1) % 10}` });

  process.stdout.write(
    `${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}, ${callers} callers, ${seconds} s each\n`,
  );
  await runLoad({ port: noopPort, callers, seconds: 2, next: nothing });
  await runLoad({ port, callers, seconds: 2, next: visit, onAnswer: keep });
  const ceiling = await runLoad({ port: noopPort, callers, seconds, next: nothing });
  show('a POST that does nothing', ceiling, ceiling);
  show('durable visits', await runLoad({ port, callers, seconds, next: visit, onAnswer: keep }), ceiling);
  show('durable sales, with the pipeline', await runLoad({ port, callers, seconds, next: sale }), ceiling);

  const backlog = await pending();
  const drainStart = performance.now();
  while ((await pending()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const drained = ((performance.now() - drainStart) / 1000).toFixed(2);
  process.stdout.write(`backlog at the end: ${backlog} sales, gone after ${drained} s\n`);
  const after = await runLoad({ port: noopPort, callers, seconds, next: nothing });
  show('a POST that does nothing, again', after, ceiling);
  await database.end();

  async function pending(): Promise<number> {
    const { rows } = await database.query<{ pending: number }>('select count(*) as pending from jobs');
    return rows[0]?.pending ?? 0;
  }
} finally {
  for (const child of children) {
    if (child.exitCode !== null) continue;
    child.stdin?.end();
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
}

function show(name: string, result: Result, ceiling: Result): void {
  const rate = Math.round(result.requestsPerSecond).toLocaleString('en').padStart(8);
  const share = (result.requestsPerSecond / ceiling.requestsPerSecond).toFixed(2);
  process.stdout.write(
    `${name.padEnd(34)} ${rate}/s  ${share} of the ceiling  p50 ${result.p50.toFixed(2)} ms  p99 ${result.p99.toFixed(2)} ms` +
      `${result.failures > 0 ? `  ${result.failures} FAILED` : ''}\n`,
  );
}

async function startService(): Promise<number> {
  const environment = {
    ...process.env,
    WHENCE_DATA_DIR: folder,
    WHENCE_SECRET_KEY: key,
    PORT: '0',
    LOG_LEVEL: 'error',
  };
  const database = process.env['BENCH_DATABASE_URL'];
  const child = spawn(process.execPath, ['src/cli.ts', 'start'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: database === undefined ? environment : { ...environment, DATABASE_URL: database },
  });
  children.push(child);
  return Number((await lineOf(child, /ready at http:\/\/[^:]+:(\d+)/))[1]);
}

async function startCeiling(url: string): Promise<number> {
  const child = spawn(process.execPath, ['bench/serve.ts'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, DATABASE_URL: url },
  });
  children.push(child);
  return Number((await lineOf(child, /^(\d+)$/))[1]);
}

async function lineOf(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const match = pattern.exec(line);
    if (match !== null) return match;
  }
  throw new Error('a process ended before it was ready');
}
