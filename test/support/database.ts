import { randomUUID } from 'node:crypto';
import { relative } from 'node:path';
import { Client } from 'pg';

/**
 * Creates a migrated database, which is a copy of the template that `scripts/test.ts` prepares. A file copy
 * takes 20 ms. A copy through the write-ahead log would take 150 ms. The tests run once on the embedded PostgreSQL, and
 * again on the host's PostgreSQL if one is installed.
 */
export function createDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  return create((template) => `template ${template} strategy file_copy`);
}

/** Creates an empty database. */
export function createEmptyDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  return create(() => '');
}

async function create(from: (template: string) => string): Promise<{ url: string; drop: () => Promise<void> }> {
  const admin = process.env['WHENCE_TEST_ADMIN_URL'];
  const template = process.env['WHENCE_TEST_TEMPLATE'];
  if (!admin || !template) {
    const file = relative(process.cwd(), process.argv[1] ?? 'test');
    throw new Error(`This test needs the database that the runner starts. Run it as: npm test -- ${file}`);
  }
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await execute(admin, `create database ${name} ${from(template)}`);
  const url = new URL(admin);
  url.pathname = name;
  return { url: url.href, drop: () => drop(admin, name) };
}

/**
 * Drops a database. PostgreSQL waits a few seconds for its connections to close. Connections that are still open then
 * are terminated.
 */
async function drop(admin: string, name: string): Promise<void> {
  await execute(admin, `drop database if exists ${name}`).catch(() =>
    execute(admin, `drop database if exists ${name} with (force)`),
  );
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
