import { type Programs, startEmbedded } from '#store/embedded.ts';
import { clusterIn, postmasterIn } from '#store/embedded/data-folder.ts';
import { contentOf } from '#store/embedded/file-content.ts';

/** A PostgreSQL of its own, which is started again when it ends. */
export type Postgres = {
  readonly url: string;
  /** Where its files are. */
  readonly cluster: string;
  /** The one that started the others first. */
  readonly processes: () => readonly number[];
  /** To those of its processes that have not ended by themselves. */
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
  // It may have ended by now, as may have they.
  const children = contentOf(`/proc/${postmaster}/task/${postmaster}/children`)?.trim() ?? '';
  return [postmaster, ...children.split(' ').filter(Boolean).map(Number)];
}
