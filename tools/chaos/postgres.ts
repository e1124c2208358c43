import { type Programs, startEmbedded } from '#platform/postgres/embedded/embedded.ts';
import { clusterIn, postmasterIn } from '#platform/postgres/embedded/data-folder.ts';
import { contentOf } from '#platform/postgres/embedded/file-content.ts';

/** A separate PostgreSQL server that is restarted when it ends. */
export type Postgres = {
  readonly url: string;
  /** The folder of the server's files. */
  readonly cluster: string;
  /** Returns the process ids, the postmaster first. Returns an empty array while the server is down. */
  readonly processes: () => readonly number[];
  /** Sends a signal to each of the given processes that still runs. */
  readonly signal: (name: NodeJS.Signals, processes: readonly number[]) => void;
  readonly stop: () => Promise<void>;
};

const CONNECTIONS = 60;

export async function startPostgres(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
  programs?: Programs,
): Promise<Postgres> {
  const { url, stop } = await startEmbedded({
    dataDir: folder,
    log: () => {},
    maxConnections: CONNECTIONS,
    settings,
    ...(programs && { programs }),
  });
  return { url, cluster: clusterIn(folder), processes: () => processesIn(folder), signal, stop };
}

function signal(name: NodeJS.Signals, processes: readonly number[]): void {
  for (const pid of processes) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

function processesIn(folder: string): number[] {
  const postmaster = postmasterIn(folder)?.pid;
  if (postmaster === undefined) return [];
  // The postmaster and its children may have ended in the meantime.
  const children = contentOf(`/proc/${postmaster}/task/${postmaster}/children`)?.trim() ?? '';
  return [postmaster, ...children.split(' ').filter(Boolean).map(Number)];
}
