import { chmodSync, existsSync, globSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openDatabase } from '#platform/postgres/database.ts';
import { type Programs, startEmbedded } from '#platform/postgres/embedded/embedded.ts';
import { migrate } from '#platform/postgres/migrate.ts';

const TEMPLATE = 'whence_template';
/** The maximum space that a test run needs, in bytes. A container's /dev/shm is often smaller. */
const NEEDED_BYTES = 2 * 2 ** 30;
const OLDEST_VERSION = 15;

/** Returns the programs of the oldest installed PostgreSQL in Debian's folders that is supported, or undefined. */
export function hostPrograms(): Programs | undefined {
  const [bin] = globSync('/usr/lib/postgresql/*/bin')
    .filter((path) => Number(path.split('/')[4]) >= OLDEST_VERSION && existsSync(join(path, 'initdb')))
    .sort();
  return bin === undefined ? undefined : { bin, locale: ['--locale=C.UTF-8'] };
}

/**
 * Starts a PostgreSQL server with a migrated template database, runs `work` and returns its result. Then stops the
 * server and deletes its data. Test files find the server through environment variables, and `support/database.ts`
 * copies the template for each test file.
 *
 * The data is in memory if there is room. Tests then run with production settings, including `fsync`, without waiting
 * for the disk. Without `programs`, the bundled PostgreSQL is started.
 */
export async function withCluster<Result>(
  programs: Programs | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(hasRoom('/dev/shm') ? '/dev/shm' : tmpdir(), 'whence-test-'));
  // The server may run as another user, who must be able to enter the folder.
  chmodSync(folder, 0o711);
  try {
    const cluster = await startEmbedded({
      dataDir: join(folder, 'data'),
      log: () => {},
      maxConnections: 200,
      ...(programs && { programs }),
    });
    try {
      await createTemplate(cluster.url);
      process.env['WHENCE_TEST_ADMIN_URL'] = cluster.url;
      process.env['WHENCE_TEST_TEMPLATE'] = TEMPLATE;
      // Without the cache, each test file compiles the whole service again.
      process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
      return await work();
    } finally {
      await cluster.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function hasRoom(path: string): boolean {
  if (!existsSync(path)) return false;
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize >= NEEDED_BYTES;
}

async function createTemplate(adminUrl: string): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();
  const url = new URL(adminUrl);
  url.pathname = TEMPLATE;
  const database = openDatabase(url.href, { connections: 1 });
  try {
    await migrate(database);
  } finally {
    // PostgreSQL copies a template only if no client is connected to it.
    await database.end();
  }
}
