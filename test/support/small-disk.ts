import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of a few megabytes in memory. */
export type SmallDisk = {
  readonly folder: string;
  /** Fills the disk to the last byte. */
  readonly fill: () => void;
  /** Frees the space that `fill` used. */
  readonly free: () => void;
  /** Unmounts the disk and deletes its folder. */
  readonly remove: () => void;
};

const MEGABYTE = 2 ** 20;

/** Mounts a small disk. Throws if the current user can't mount disks (see `whyNoSmallDisk`). */
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
      // With a lazy unmount, processes can use their open files until the files are closed.
      run('umount', ['--lazy', folder]);
      rmdirSync(folder);
    },
  };
}

/** Returns the reason why this machine can't mount a small disk, or undefined if it can. */
export function whyNoSmallDisk(): string | undefined {
  try {
    mountSmallDisk(1).remove();
    return undefined;
  } catch {
    return 'mounting a small disk needs root on Linux, and a container may forbid it';
  }
}

function fill(path: string): void {
  const file = openSync(path, 'a');
  try {
    // Write megabytes first, then pages, then smaller blocks.
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
