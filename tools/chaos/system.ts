import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clocks, makeClocks } from './clock.ts';
import { type Line, openLine } from './line.ts';
import { type Member, type Role, startMember } from './member.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { mountSmallDisk, type SmallDisk } from '#test/support/small-disk.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';

export type SystemOptions = {
  readonly apis?: number;
  readonly workers?: number;
  /** The settings of every process of the service, by environment variable. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The flags of Node for each process. */
  readonly flags?: readonly string[];
  /** A command that runs each process, such as `faketime`. By default, processes run directly. */
  readonly under?: readonly string[];
  /** PostgreSQL settings that override the settings of the embedded server. */
  readonly postgres?: Readonly<Record<string, string>>;
  /** The folder for the data of PostgreSQL, which is deleted at the end. By default, a new folder is used. */
  readonly folder?: string;
  /** The size in megabytes of a small disk for the data. By default, the data is in a folder. */
  readonly diskMegabytes?: number;
  /** Whether the clocks of the service and its database can be set. */
  readonly hasClocks?: boolean;
};

/** A service with several API processes and workers on a shared database, as in production. */
export type System = {
  readonly apis: readonly Member[];
  readonly workers: readonly Member[];
  readonly members: readonly Member[];
  readonly postgres: Postgres;
  /** The network line between the service and PostgreSQL. It works unless a fault breaks it. */
  readonly line: Line;
  /** The small disk, if `diskMegabytes` is set. */
  readonly disk: SmallDisk | undefined;
  /** The clocks, if they can be set. */
  readonly clocks: Clocks | undefined;
  /** A pool of connections for observers, which bypasses the line. It fails only while the server is down. */
  readonly database: Database;
  /** A sentence for each process that ended unexpectedly. */
  readonly casualties: readonly string[];
  readonly stop: () => Promise<void>;
};

const APIS = 2;
const WORKERS = 2;
/** The connections of each process. Four processes and the observers share a PostgreSQL with 60 connections. */
const CONNECTIONS = '8';

/**
 * Starts PostgreSQL (the embedded server, as an ordinary user), the network line to it, and the processes of the
 * service. Restarts processes that end, as a supervisor does.
 */
export async function startSystem(options: SystemOptions = {}): Promise<System> {
  const disk = options.diskMegabytes === undefined ? undefined : mountSmallDisk(options.diskMegabytes);
  const folder = disk?.folder ?? options.folder ?? (await mkdtemp(join(tmpdir(), 'whence-chaos-')));
  const closers: (() => Promise<unknown>)[] = [
    async () => (disk === undefined ? rm(folder, { recursive: true, force: true }) : disk.remove()),
  ];
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const made = options.hasClocks === true ? makeClocks(folder) : undefined;
    const postgres = await startPostgres(join(folder, 'data'), options.postgres, made?.programs);
    closers.push(() => postgres.stop());
    const line = await openLine(postgres.url);
    closers.push(() => line.close());
    const casualties: string[] = [];
    const start = async (role: Role, n: number): Promise<Member> => {
      const settings = {
        DATABASE_URL: line.url,
        DATABASE_CONNECTIONS: CONNECTIONS,
        ...made?.settings,
        ...options.settings,
      };
      const { flags = [], under = [] } = options;
      const member = await startMember(role, n, { settings, flags, under }, (words) => casualties.push(words));
      closers.push(() => member.stop());
      return member;
    };
    // Start one process first, because it migrates the database.
    const apis = [await start('api', 1)];
    const others = await Promise.all([
      ...numbers(2, options.apis ?? APIS).map((n) => start('api', n)),
      ...numbers(1, options.workers ?? WORKERS).map((n) => start('worker', n)),
    ]);
    const workers = others.filter(({ role }) => role === 'worker');
    apis.push(...others.filter(({ role }) => role === 'api'));
    const database = openDatabase(postgres.url, { connections: 4 });
    closers.push(() => database.end());
    return {
      apis,
      workers,
      members: [...apis, ...workers],
      postgres,
      line,
      disk,
      clocks: made?.clocks,
      database,
      casualties,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function numbers(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n);
}
