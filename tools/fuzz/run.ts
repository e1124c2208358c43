// npm run fuzz -- [--seed N --requests 100000 --callers 8]: sends generated requests to a service, and prints the
// faults in its responses.
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { openDatabase } from '#platform/postgres/database.ts';
import { startEmbedded } from '#platform/postgres/embedded/embedded.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import type { Finding } from './campaign.ts';
import { reportOf } from './report.ts';
import { fuzz } from './session.ts';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    requests: { type: 'string', default: '100000' },
    callers: { type: 'string', default: '8' },
  },
});
const [seed, requests, callers] = [options.seed, options.requests, options.callers].map(Number) as [
  number,
  number,
  number,
];
const TEMPLATE = 'fuzz_template';
const STEPS = 20;

// Keep the data in memory if possible, so that the campaign uses production settings without waiting for the disk.
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'whence-fuzz-'));
chmodSync(folder, 0o711);
const cluster = await startEmbedded({ dataDir: join(folder, 'data'), log: () => {} });
try {
  await makeTemplate(cluster.url);
  process.env['WHENCE_TEST_ADMIN_URL'] = cluster.url;
  process.env['WHENCE_TEST_TEMPLATE'] = TEMPLATE;
  await run();
} finally {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function run(): Promise<void> {
  console.log(`${requests} requests by ${callers} callers, --seed ${seed}; SIGTERM ends the run and prints the report`);
  let isOver = false;
  process.once('SIGTERM', () => (isOver = true));
  const started = performance.now();
  const step = Math.ceil(requests / STEPS);
  const outcome = await fuzz({
    seed,
    requests,
    callers,
    seeksSuccess: true,
    isOver: () => isOver,
    onFinding: print,
    onProgress: (sent) => {
      if (sent % step === 0) console.log(`  ${sent} after ${seconds(started)} s`);
    },
  });
  const { lines, failed } = reportOf(outcome);
  console.log(`\nafter ${seconds(started)} s${isOver ? ', ended before all were sent' : ''}`);
  for (const line of lines) console.log(line);
  process.exitCode = failed ? 1 : 0;
}

function print({ kind, says, caller, number, curl }: Finding): void {
  console.log(`\n✖ ${kind} (--seed ${seed}, caller ${caller}, request ${number})\n  ${says}\n  ${curl}`);
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(1);
}

async function makeTemplate(adminUrl: string): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();
  const url = new URL(adminUrl);
  url.pathname = TEMPLATE;
  const database = openDatabase(url.href, { connections: 1 });
  await migrate(database);
  // PostgreSQL copies a template only while no client is connected to it.
  await database.end();
}
