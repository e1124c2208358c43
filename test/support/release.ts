import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..', '..');
/** The folder in which `scripts/release.ts` keeps each release. */
export const RELEASES = join(ROOT, 'test', 'fixtures', 'releases');

/** Returns the versions of the releases, oldest first. */
export function listReleases(): string[] {
  const parts = (version: string): number[] => version.split('.').map(Number);
  const byNumber = (a: number[], b: number[]): number => a.map((part, n) => part - (b[n] ?? 0)).find(Boolean) ?? 0;
  return globSync('*/', { cwd: RELEASES }).sort((a, b) => byNumber(parts(a), parts(b)));
}

/** Returns the path of a backup of a database that the release has filled. */
export const databaseOf = (version: string): string => join(RELEASES, version, 'database.whence');

/** Returns the path of the release's sources, to run it again. */
export const sourcesOf = (version: string): string => join(RELEASES, version, 'sources.tar.gz');

/** Unpacks the release's sources to start them. They use our packages, which include those that the release needs. */
export async function unpackRelease(version: string): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), `whence-${version}-`));
  await promisify(execFile)('tar', ['-xzf', sourcesOf(version), '-C', folder]);
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
