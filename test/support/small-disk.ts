import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of a few megabytes, in memory. */
export type SmallDisk = {
  readonly folder: string;
  /** Until not one byte more finds room. */
  readonly fill: () => void;
  /** Gives back what `fill` took. */
  readonly free: () => void;
  /** Takes the disk away. */
  readonly remove: () => void;
};

const MEGABYTE = 2 ** 20;

/** Throws where this user may mount nothing: see `whyNoSmallDisk`. */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'whence-disk-'));
  try {
    run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'whence', folder]);
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill: () => fill(ballast),
    free: () => rmSync(ballast, { force: true }),
    remove: () => {
      // Lazily: who still has a file open there loses it when they close it.
      run('umount', ['--lazy', folder]);
      rmdirSync(folder);
    },
  };
}

/** What this machine lacks for a disk of its own, in words. */
export function whyNoSmallDisk(): string | undefined {
  try {
    mountSmallDisk(1).remove();
    return undefined;
  } catch {
    return 'only root on Linux may mount a small disk, and not in every container';
  }
}

function fill(path: string): void {
  const file = openSync(path, 'a');
  try {
    // By megabytes, then by what is smaller than a page.
    for (const size of [MEGABYTE, 4_096, 512]) while (hasWritten(file, Buffer.alloc(size, 1)));
  } finally {
    closeSync(file);
  }
}

function hasWritten(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) === bytes.length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${stderr || error?.message}`);
}
