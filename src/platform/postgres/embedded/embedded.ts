import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { accountFor, isRoot, type LogLine } from './account.ts';
import { addressOf, newAddress, urlOf } from './address.ts';
import { ensureCluster } from './cluster.ts';
import { clusterIn, postmasterIn } from './data-folder.ts';
import { lockFolder } from './folder-lock.ts';
import { packagedPrograms, type Programs } from './postgres-programs.ts';
import { answerOf } from './readiness.ts';
import { settingsFor } from './settings.ts';
import { superviseServer } from './supervision.ts';

export { DataFolderInUse } from './folder-lock.ts';
export type { Programs } from './postgres-programs.ts';

export type EmbeddedOptions = {
  /** The folder for the cluster, its password, its log and the lock. It is created if missing. */
  dataDir: string;
  log: LogLine;
  /** The maximum number of connections. The default is 50. */
  maxConnections?: number;
  /**
   * Settings that override the defaults. Use them only for temporary clusters, because the defaults protect financial
   * data.
   */
  settings?: Readonly<Record<string, string>>;
  /**
   * Runs as soon as the server process exists, before it accepts connections. Callers can use this time for other
   * tasks.
   */
  onLaunch?: () => void;
  /** Programs to use instead of the programs of the npm package. */
  programs?: Programs;
};

export type Embedded = {
  /** The URL of the database `whence` for the cluster's superuser. It stays the same until `stop` is called. */
  url: string;
  /** Stops the server and unlocks the folder. Open transactions are rolled back. */
  stop: () => Promise<void>;
};

/**
 * Starts the PostgreSQL of the npm package in `dataDir` and waits until it accepts connections. If PostgreSQL ends
 * unexpectedly, it is restarted. If this process is killed, PostgreSQL ends soon after, except on Windows. Throws
 * `DataFolderInUse` if another process uses the folder. Throws an Error with the end of PostgreSQL's log if PostgreSQL
 * doesn't start.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const folder = resolve(options.dataDir);
  await mkdir(folder, { recursive: true, mode: isRoot() ? 0o711 : 0o700 });
  const unlock = lockFolder(folder);
  try {
    const { log, programs = packagedPrograms() } = options;
    const account = accountFor(folder, programs, log);
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

/** Returns whether a folder contains an embedded database, running or not. */
export function hasCluster(dataDir: string): boolean {
  return existsSync(clusterIn(resolve(dataDir)));
}

/**
 * Returns the URL of the server that another process runs in `dataDir`, or undefined if no such server accepts
 * connections.
 */
export async function attachEmbedded(dataDir: string): Promise<{ url: string } | undefined> {
  const folder = resolve(dataDir);
  const port = postmasterIn(folder)?.port;
  if (!port) return undefined;
  const url = urlOf(folder, addressOf(folder, port));
  return (await answerOf(url)) === 'ready' ? { url } : undefined;
}
