import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Embedded, type Programs, startEmbedded } from '#platform/postgres/embedded/embedded.ts';
import { accountFor, changeOwner, runAs } from '#platform/postgres/embedded/account.ts';
import { addressOf, SUPERUSER } from '#platform/postgres/embedded/address.ts';
import { clusterIn, passwordIn, postmasterIn } from '#platform/postgres/embedded/data-folder.ts';

export type ReplicatedServer = {
  readonly primary: Embedded;
  readonly replica: Embedded;
  /** Starts the stopped replica again at the same URL. */
  readonly restartReplica: () => Promise<void>;
  /** Suspends the replica's processes, as on a frozen machine, or resumes them. */
  readonly freeze: (frozen: boolean) => void;
  readonly stop: () => Promise<void>;
};

const OLDEST_VERSION = 15;
const NEEDED_BYTES = 2 ** 30;

/**
 * Returns the reason to skip a test if no PostgreSQL on this machine has pg_basebackup, and otherwise false. The
 * embedded PostgreSQL lacks it.
 */
export function lacksReplication(): string | false {
  return programs() === undefined && 'there is no PostgreSQL with pg_basebackup on this machine';
}

/**
 * Starts a primary server, separate from the other tests' server, and a streaming replica. The replica is created with
 * `pg_basebackup`, as an operator would.
 */
export async function startReplicated(): Promise<ReplicatedServer> {
  const folder = mkdtempSync(join(roomyFolder(), 'whence-replica-'));
  chmodSync(folder, 0o711);
  const far = join(folder, 'replica');
  const options = { log: () => {}, programs: programs() as Programs };
  const primary = await startEmbedded({ ...options, dataDir: join(folder, 'primary') });
  let replica: Embedded | undefined;
  const stop = async (): Promise<void> => {
    freeze(far, false);
    await replica?.stop();
    await primary.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await copyServer(join(folder, 'primary'), far, options.programs);
    replica = await startEmbedded({ ...options, dataDir: far });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    primary,
    replica,
    restartReplica: async () => {
      replica = await startEmbedded({ ...options, dataDir: far });
    },
    freeze: (frozen) => freeze(far, frozen),
    stop,
  };
}

/**
 * Returns a folder in memory if it has space, or the temporary folder. On a disk, both servers would wait for flushes.
 */
function roomyFolder(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= NEEDED_BYTES ? memory : tmpdir();
}

async function copyServer(near: string, far: string, programs: Programs): Promise<void> {
  mkdirSync(far, { mode: 0o711 });
  mkdirSync(clusterIn(far), { mode: 0o700 });
  const account = accountFor(near, programs, () => {});
  // Copy the password file first, because the replica needs it to accept the test's connections.
  writeFileSync(passwordIn(far), readFileSync(passwordIn(near)), { mode: 0o600 });
  changeOwner(clusterIn(far), account);
  const port = postmasterIn(near)?.port ?? NaN;
  const address = addressOf(near, port);
  const [host, at] = 'port' in address ? ['127.0.0.1', address.port] : [address.socketIn, port];
  const program = join(programs.bin, 'pg_basebackup');
  const { file, args, options } = runAs(
    account,
    program,
    ['--write-recovery-conf', '--checkpoint=fast', '--no-sync', `--pgdata=${clusterIn(far)}`],
    {
      PGHOST: host,
      PGPORT: `${at}`,
      PGUSER: SUPERUSER,
      PGPASSWORD: readFileSync(passwordIn(near), 'utf8'),
    },
  );
  await promisify(execFile)(file, args, options);
  // Delete the lock file of the primary's socket. The backup copied it, because the socket is in the data folder.
  for (const path of globSync('.s.PGSQL.*', { cwd: clusterIn(far) })) rmSync(join(clusterIn(far), path));
}

function freeze(folder: string, frozen: boolean): void {
  const server = postmasterIn(folder)?.pid;
  if (server === undefined) return;
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ').map(Number);
  for (const pid of [server, ...children]) signal(pid, frozen ? 'SIGSTOP' : 'SIGCONT');
}

/** Sends a signal to a process, unless the process has ended since it was listed. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function programs(): Programs | undefined {
  const bin = globSync('/usr/lib/postgresql/*/bin')
    .filter((path) => Number(path.split('/')[4]) >= OLDEST_VERSION && existsSync(join(path, 'pg_basebackup')))
    .sort()[0];
  return bin === undefined ? undefined : { bin, locale: ['--locale=C.UTF-8'] };
}
