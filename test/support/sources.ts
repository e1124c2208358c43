import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..', '..');
/** The folder with the sources of the last release, `<version>.tar.gz`. See "Make a release" in CONTRIBUTING.md. */
const RELEASES = join(ROOT, 'test', 'fixtures', 'releases');
const MIGRATIONS = join('src', 'platform', 'postgres', 'migrations');

/** A folder with runnable sources of the service. The sources use this repository's node_modules. */
export type Sources = { readonly folder: string; readonly remove: () => Promise<void> };

/** Unpacks the last release. Before the first release, returns this repository. */
export async function sourcesBefore(): Promise<Sources> {
  const [release] = globSync('*.tar.gz', { cwd: RELEASES });
  if (release === undefined) return { folder: ROOT, remove: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'whence-release-'));
  await promisify(execFile)('tar', ['-xzf', join(RELEASES, release), '-C', folder]);
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Copies the current sources and adds a migration after the existing migrations. */
export async function sourcesWithMigration(sql: string): Promise<Sources> {
  const folder = await mkdtemp(join(tmpdir(), 'whence-sources-'));
  await cp(join(ROOT, 'src'), join(folder, 'src'), { recursive: true });
  for (const name of await readdir(ROOT)) {
    if (!name.startsWith('.') && name !== 'src') await symlink(join(ROOT, name), join(folder, name));
  }
  const migrations = join(folder, MIGRATIONS);
  await mkdir(migrations, { recursive: true });
  const existing = (await readdir(migrations)).filter((file) => file.endsWith('.sql')).length;
  await writeFile(join(migrations, `${String(existing + 2).padStart(4, '0')}_of_this_test.sql`), sql);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
