import { DatabaseError } from 'pg';
import { type Connection, type Database, inTransaction } from './database.ts';

/*
 * The partitions of visits. Partition n, the table visits_<n>, has the ids from n · 2^32 up to (n + 1) · 2^32; the events'
 * sequence says which one is in use, and jumps to the next when that is due. Ids only grow, so nothing else has to know.
 */

/**
 * The lowest id of a visit that is kept, in SQL. Below it visits may have been dropped. It is one look-up of a few rows.
 */
export const KEPT_FROM = `((select min(number) from visit_partitions) << 32)`;

/**
 * What was created after this moment has all its visits still, in SQL; null while none were dropped. An opportunity has the
 * time at which its transaction began, before its first id was drawn.
 */
export const KEPT_SINCE = `(
  select case when number > 0 then opened_at end from visit_partitions order by number limit 1
)`;

export type Upkeep = {
  /** After so many days the next one is begun; null: only when it is full. */
  readonly daysEach: number | null;
  /** One with so many ids is full: a bound for its size, counted without reading it. */
  readonly fullAt?: number;
};

/** About 13 GB of visits with their indexes: what one index of it takes still fits into memory. */
const FULL_AT = 50_000_000;
const IDS_EACH = 2 ** 32;

/**
 * Makes the next partition ahead and begins it when that is due; answers whether it has begun one. Any number of processes
 * may do so at once: one does, the others pass.
 *
 * Each step is a transaction of its own, since a jump of the sequence is seen at once by everybody: the partition that it
 * leads to has to be there before. Nor is one begun by the look that has made it: statements under way don't know of it
 * yet. Where a process dies between two steps the next look goes on from what it finds; as it does in a copy of the
 * database, whose sequence may be further than its tables: that is read at the end of a dump, and these at its beginning.
 */
export async function keepPartitions(database: Database, { daysEach, fullAt = FULL_AT }: Upkeep): Promise<boolean> {
  const { current, missing, isCounted, isDue } = await look(database, daysEach, fullAt);
  for (const number of missing) await alone(database, (connection) => makePartition(connection, number));
  if (!isCounted) await alone(database, noteBeginning);
  if (missing.length > 0 || !isDue) return false;
  return (await alone(database, (connection) => beginNext(connection, current))) === true;
}

type Look = {
  /** The partition in use. */
  readonly current: number;
  /** Up to the next one. */
  readonly missing: readonly number[];
  /** When it was begun is on record. */
  readonly isCounted: boolean;
  /** It is full, or its days are over. */
  readonly isDue: boolean;
};

/** Reads the sequence and a few rows of `visit_partitions`. One without any ids is never due. */
async function look(database: Database, daysEach: number | null, fullAt: number): Promise<Look> {
  const { rows } = await database.query<Look>({
    name: 'look-at-partitions',
    text: `
      select s.current, c.opened_at is not null as "isCounted",
        array(select generate_series((select max(number) from visit_partitions) + 1, s.current + 1)) as missing,
        s.drawn >= $2 or s.drawn > 0 and coalesce(c.opened_at < now() - make_interval(days => $1), false) as "isDue"
      from (
        select last >> 32 as current, last & 4294967295 as drawn
        from (select coalesce(pg_sequence_last_value('event_ids'::regclass), 0) as last) l
      ) s
      left join visit_partitions c on c.number = s.current`,
    values: [daysEach, fullAt],
  });
  return rows[0] as Look;
}

/** Begins the next partition whether it is due or not, so that no id of this one is given any more. */
export async function leavePartition(database: Database): Promise<void> {
  const { current, missing } = await look(database, null, FULL_AT);
  await inTransaction(database, async (connection) => {
    for (const number of missing) await makePartition(connection, number);
    await noteBeginning(connection);
  });
  await inTransaction(database, (connection) => beginNext(connection, current));
}

/** Runs `step` unless another process does one at this moment, or readers hold the table for too long: then null. */
export async function alone<Result>(
  database: Database,
  step: (connection: Connection) => Promise<Result>,
): Promise<Result | null> {
  try {
    return await inTransaction(database, async (connection) => {
      const { rows } = await connection.query<{ taken: boolean }>(
        `select pg_try_advisory_xact_lock(hashtextextended('partitions of visits', 0)) as taken`,
      );
      if (rows[0]?.taken !== true) return null;
      await connection.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      return step(connection);
    });
  } catch (error) {
    if (isLockTimeout(error)) return null;
    throw error;
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '55P03';
}

/** So long at most reports wait behind a partition that is to be dropped, while somebody reads it; then it stays till later. */
const LOCK_TIMEOUT_MS = 300;

/** The database makes it as its owner, who alone may. */
async function makePartition(connection: Connection, number: number): Promise<void> {
  const { rowCount } = await connection.query(
    `insert into visit_partitions (number) values ($1) on conflict do nothing`,
    [number],
  );
  if (rowCount !== 0) await connection.query('select make_visit_partition($1)', [number]);
}

/** The table alone, without its row in `visit_partitions`: for a schema of before, which has no function for it. */
export async function addPartition(connection: Connection, number: number): Promise<void> {
  const table = partitionTable(number);
  await connection.query(`create table ${table} (like visits including defaults including constraints)`);
  await connection.query(
    `alter table visits attach partition ${table} for values from (${number * IDS_EACH}) to (${(number + 1) * IDS_EACH})`,
  );
}

/** The sequence jumps, and the one after it is made; answers whether it was `current` still, and its next is there. */
async function beginNext(connection: Connection, current: number): Promise<boolean> {
  const { rowCount } = await connection.query(
    `select setval('event_ids', $2) from visit_partitions
     where number = $1 + 1 and coalesce(pg_sequence_last_value('event_ids'::regclass), 0) < $2`,
    [current, (current + 1) * IDS_EACH],
  );
  if (rowCount === 0) return false;
  await noteBeginning(connection);
  await makePartition(connection, current + 2);
  return true;
}

/** After the jump, in a statement of its own: what has an id from before it is older than the moment that is noted. */
async function noteBeginning(connection: Connection): Promise<void> {
  await connection.query(
    `update visit_partitions set opened_at = clock_timestamp()
     where opened_at is null and number <= pg_sequence_last_value('event_ids'::regclass) >> 32`,
  );
}

/** Which partition this table is; undefined: none. */
export function partitionNumber(table: string): number | undefined {
  const [, digits] = /^visits_(\d+)$/.exec(table) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** The name of a table: of a number that came from the database, and nothing else. */
function partitionTable(number: number): string {
  if (!Number.isSafeInteger(number) || number < 0) throw new RangeError(`no number of a partition: ${number}`);
  return `visits_${number}`;
}
