import { chmodSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagedPrograms, type Programs } from '#platform/postgres/embedded/postgres-programs.ts';

/**
 * The faked wall clocks of the service and the database. `set` moves a clock ahead of the real time by a number of
 * seconds, or behind it if the number is negative. Monotonic clocks don't change.
 */
export type Clocks = { readonly set: (clock: 'service' | 'database', seconds: number) => void };

const LIBRARIES = '/usr/lib/*/faketime/libfaketimeMT.so.1';

/** Returns the reason why this machine can't fake clocks, or undefined if it can. */
export function whyNoClocks(): string | undefined {
  return libraryOfClocks() === undefined ? 'faketime is not installed' : undefined;
}

function libraryOfClocks(): string | undefined {
  return globSync(LIBRARIES)[0];
}

/**
 * Creates the clocks of the service and the database. Both are correct at first. Start the service with `settings`, and
 * the database with `programs`.
 */
export function makeClocks(folder: string): {
  readonly clocks: Clocks;
  readonly settings: Readonly<Record<string, string>>;
  readonly programs: Programs;
} {
  const fileOf = (clock: string): string => join(folder, `${clock}.clock`);
  const set: Clocks['set'] = (clock, seconds) => {
    writeFileSync(fileOf(clock), `${seconds < 0 ? '' : '+'}${seconds}\n`);
  };
  for (const clock of ['service', 'database'] as const) {
    set(clock, 0);
    // The database may run as another user, who must be able to read the file.
    chmodSync(fileOf(clock), 0o644);
  }
  return { clocks: { set }, settings: environmentOf(fileOf('service')), programs: wrap(folder, fileOf('database')) };
}

function environmentOf(file: string): Record<string, string> {
  return {
    LD_PRELOAD: libraryOfClocks() as string,
    FAKETIME_TIMESTAMP_FILE: file,
    // The number of seconds for which libfaketime caches the file.
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}

/**
 * Returns PostgreSQL's programs, wrapped in scripts. The script of `postgres` sets the environment, because PostgreSQL
 * doesn't inherit the environment of this process.
 */
function wrap(folder: string, file: string): Programs {
  const { bin, locale } = packagedPrograms();
  const wrapped = join(folder, 'bin');
  mkdirSync(wrapped);
  const exports = Object.entries(environmentOf(file)).map(([name, value]) => `export ${name}='${value}'\n`);
  for (const [name, how] of [
    ['postgres', exports.join('')],
    ['initdb', ''],
  ] as const) {
    writeFileSync(join(wrapped, name), `#!/bin/sh\n${how}exec '${join(bin, name)}' "$@"\n`);
    chmodSync(join(wrapped, name), 0o755);
  }
  chmodSync(wrapped, 0o755);
  return { bin: wrapped, locale };
}
