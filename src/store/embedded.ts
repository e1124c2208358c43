import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { accountFor, isRoot } from './embedded/account.ts';
import { addressOf, newAddress, urlOf } from './embedded/address.ts';
import { ensureCluster } from './embedded/cluster.ts';
import { postmasterIn } from './embedded/data-folder.ts';
import { lockFolder } from './embedded/folder-lock.ts';
import { packagedPrograms, type Programs } from './embedded/postgres-programs.ts';
import { answerOf } from './embedded/readiness.ts';
import { settingsFor } from './embedded/settings.ts';
import { superviseServer } from './embedded/supervision.ts';

export { DataFolderInUse } from './embedded/folder-lock.ts';
export type { Programs } from './embedded/postgres-programs.ts';

export type EmbeddedOptions = {
  /** Holds everything: the cluster, its password, its log and the lock. Made when missing. */
  dataDir: string;
  log: (message: string) => void;
  /** 50 unless told. */
  maxConnections?: number;
  /** Settings that win over ours. For throw-away clusters: ours are what keeps money safe. */
  settings?: Readonly<Record<string, string>>;
  /** Told when the server is a process, before it answers. Whoever has something else to do meanwhile does it then. */
  onLaunch?: () => void;
  /** Other programs than those of the npm package. */
  programs?: Programs;
};

export type Embedded = {
  /** As the cluster's superuser, to the database `whence`. The same as long as it is not stopped. */
  url: string;
  /** Ends the server (fast shutdown: open transactions are rolled back) and frees the folder. */
  stop: () => Promise<void>;
};

/**
 * Starts the PostgreSQL of the npm package in `dataDir` and waits until it answers. It is started again when it ends by
 * itself, and ends soon after this process when that is killed. Throws `DataFolderInUse` when another process runs there,
 * and an Error with the end of PostgreSQL's log when it does not come up.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const folder = resolve(options.dataDir);
  await mkdir(folder, { recursive: true, mode: isRoot() ? 0o711 : 0o700 });
  const unlock = lockFolder(folder);
  try {
    const { log, programs = packagedPrograms() } = options;
    const account = accountFor(folder, programs);
    await ensureCluster(folder, programs, account, log);
    const address = await newAddress(folder);
    const settings = { ...settingsFor(address, options.maxConnections), ...options.settings };
    const server = await superviseServer({ folder, programs, account, address, settings, log }, options.onLaunch);
    let stopped: Promise<void> | undefined;
    return { url: urlOf(folder, address), stop: () => (stopped ??= server.stop().finally(unlock)) };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** The URL of the server that runs in `dataDir`, started by another process; undefined when none answers there. */
export async function attachEmbedded(dataDir: string): Promise<{ url: string } | undefined> {
  const folder = resolve(dataDir);
  const port = postmasterIn(folder)?.port;
  if (!port) return undefined;
  const url = urlOf(folder, addressOf(folder, port));
  return (await answerOf(url)) === 'ready' ? { url } : undefined;
}
