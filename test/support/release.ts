import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..', '..');
/** What `scripts/release.ts` keeps of each release. */
export const RELEASES = join(ROOT, 'test', 'fixtures', 'releases');

/** Their versions, oldest first. */
export function listReleases(): string[] {
  const parts = (version: string): number[] => version.split('.').map(Number);
  const byNumber = (a: number[], b: number[]): number => a.map((part, n) => part - (b[n] ?? 0)).find(Boolean) ?? 0;
  return globSync('*/', { cwd: RELEASES }).sort((a, b) => byNumber(parts(a), parts(b)));
}

/** A database that the release has filled, as a back-up of it. */
export const databaseOf = (version: string): string => join(RELEASES, version, 'database.whence');

/** Its sources, to be run once more. */
export const sourcesOf = (version: string): string => join(RELEASES, version, 'sources.tar.gz');

/** The release's sources, to be started: with our packages, since those that it needs are among them. */
export async function unpackRelease(version: string): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), `whence-${version}-`));
  await promisify(execFile)('tar', ['-xzf', sourcesOf(version), '-C', folder]);
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
