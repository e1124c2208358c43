import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { changeOwner, runAs, type Account } from './account.ts';
import { SUPERUSER } from './address.ts';
import { clusterIn, passwordIn } from './data-folder.ts';
import type { Programs } from './postgres-programs.ts';

const UNFINISHED = 'postgres.unfinished-';

/** Ensures that the folder contains a cluster and its password, both owned by `account`. */
export async function ensureCluster(
  folder: string,
  programs: Programs,
  account: Account,
  log: (message: string) => void,
): Promise<void> {
  await removeUnfinished(folder);
  if (!existsSync(clusterIn(folder))) {
    log(`creating a database in ${folder}`);
    await createCluster(folder, programs, account);
  }
  changeOwner(passwordIn(folder), account);
  changeOwner(clusterIn(folder), account);
}

async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(UNFINISHED)) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Creates the password file and a cluster. The cluster has a temporary name until it is complete, so that an
 * interrupted first start can be repeated.
 */
async function createCluster(folder: string, programs: Programs, account: Account): Promise<void> {
  await writeFile(passwordIn(folder), randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
  const unfinished = join(folder, `${UNFINISHED}${randomUUID()}`);
  await mkdir(unfinished, { mode: 0o700 });
  changeOwner(passwordIn(folder), account);
  changeOwner(unfinished, account);
  await initialize(unfinished, passwordIn(folder), programs, account);
  await rename(unfinished, clusterIn(folder));
  // Committed data is durable only once the directory entry of its folder is durable.
  await syncFolder(folder);
  await syncFolder(dirname(folder));
}

async function initialize(cluster: string, password: string, programs: Programs, account: Account): Promise<void> {
  const { file, args, options } = runAs(account, join(programs.bin, 'initdb'), [
    `--pgdata=${cluster}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${password}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--data-checksums',
    ...programs.locale,
  ]);
  await promisify(execFile)(file, args, options);
}

async function syncFolder(path: string): Promise<void> {
  // Windows can't sync a folder, and no system can sync an unreadable parent folder. Both cases are ignored.
  const handle = await open(path).catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
