import type { Database } from './database.ts';

const MIN_VERSION = 150_000;
const MUST_BE_ON = ['fsync', 'synchronous_commit', 'full_page_writes'];

/**
 * Throws an Error if the server is older than PostgreSQL 15, or if its settings could lose commits in a crash. A 200
 * must mean that a report is durable.
 */
export async function requireDurability(database: Database): Promise<void> {
  const { rows } = await database.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name = any ($1)`,
    [[...MUST_BE_ON, 'server_version_num']],
  );
  const setting = new Map(rows.map((row) => [row.name, row.setting]));
  const version = Number(setting.get('server_version_num'));
  if (version < MIN_VERSION) {
    throw new Error(`The server is PostgreSQL ${Math.floor(version / 10_000)}. Use PostgreSQL 15 or newer.`);
  }
  const off = MUST_BE_ON.filter(
    (name) => !['on', 'remote_write', 'remote_apply', 'local'].includes(setting.get(name) ?? ''),
  );
  if (off.length > 0) {
    throw new Error(`The database could lose acknowledged reports in a crash. Turn on ${off.join(', ')}.`);
  }
}
