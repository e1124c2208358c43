import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clocks, makeClocks } from './clock.ts';
import { type Line, openLine } from './line.ts';
import { type Member, type Role, startMember } from './member.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { mountSmallDisk, type SmallDisk } from '#test/support/small-disk.ts';
import { type Database, openDatabase } from '#store/database.ts';

export type SystemOptions = {
  readonly apis?: number;
  readonly workers?: number;
  /** Of every process of the service, as an operator sets them. */
  readonly settings?: Readonly<Record<string, string>>;
  /** What Node is told when it starts one. */
  readonly flags?: readonly string[];
  /** What each is started by, such as `faketime`; nothing unless told. */
  readonly under?: readonly string[];
  /** PostgreSQL's own, over those of the embedded server. */
  readonly postgres?: Readonly<Record<string, string>>;
  /** Where PostgreSQL's data lie; a new folder unless told. It is emptied at the end. */
  readonly folder?: string;
  /** For a small disk of so many megabytes to lie on, in the place of a folder. */
  readonly diskMegabytes?: number;
  /** Clocks that can be set, for the service and for its database. */
  readonly hasClocks?: boolean;
};

/** A service as it is run in earnest: several processes behind one address, and a database that others can reach too. */
export type System = {
  readonly apis: readonly Member[];
  readonly workers: readonly Member[];
  readonly members: readonly Member[];
  readonly postgres: Postgres;
  /** Between the service and PostgreSQL; whole unless a fault breaks it. */
  readonly line: Line;
  /** Where it lies, if it lies on a small one. */
  readonly disk: SmallDisk | undefined;
  /** Where it has some that can be set. */
  readonly clocks: Clocks | undefined;
  /** For whoever looks from outside: not by the line. It breaks with the server, and is there again with it. */
  readonly database: Database;
  /** What has ended without being asked to, a sentence each. */
  readonly casualties: readonly string[];
  readonly stop: () => Promise<void>;
};

const APIS = 2;
const WORKERS = 2;
/** Of one process: a PostgreSQL of 50 is shared by four, and by those who look. */
const CONNECTIONS = '8';

/**
 * Starts PostgreSQL (the embedded one, as an ordinary user), a line to it, and the processes of the service. Whatever of
 * them ends is started again, as a supervisor would.
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
    // The first brings the database to its version.
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
