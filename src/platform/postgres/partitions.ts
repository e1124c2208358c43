import { type Connection, type Database, inTransaction } from './database.ts';
import { isLockTimeout } from './failures.ts';

/*
 * The partitions of visits. Partition n, the table visits_<n>, has the ids from n · 2^32 to (n + 1) · 2^32 - 1. The
 * sequence of event ids determines the current partition. When the next partition is due, the sequence jumps to it. Ids
 * only grow, so no other code needs to know about partitions.
 */

/**
 * SQL for the lowest id that a visit can have. Partitions with lower ids were dropped. Evaluating it reads a few rows.
 */
export const KEPT_FROM = `((select min(number) from visit_partitions) << 32)`;

/**
 * SQL for the time at which the oldest remaining partition was opened, or null if no partition was dropped.
 * Opportunities that were created later still have all their visits. The creation time of an opportunity is the start
 * of a transaction, so it precedes the opportunity's first visit.
 */
export const KEPT_SINCE = `(
  select case when number > 0 then opened_at end from visit_partitions order by number limit 1
)`;

export type Upkeep = {
  /**
   * The number of days after which the next partition is opened. Null means that it is opened only when the current
   * partition is full.
   */
  readonly daysEach: number | null;
  /**
   * The number of ids after which a partition is full. Counting ids limits the size of a partition without reading its
   * table.
   */
  readonly fullAt?: number;
};

/** The default of `fullAt`. That many visits take about 13 GB with their indexes, and each index fits into memory. */
const FULL_AT = 50_000_000;
const IDS_EACH = 2 ** 32;

/**
 * Creates the next partition in advance, and opens it when it is due. Returns whether it opened a partition. Several
 * processes can call it concurrently. One process runs a step, and the other processes skip it.
 *
 * Each step has its own transaction. A jump of the sequence is immediately visible to all processes, so the next
 * partition must exist before the jump. The call that creates a partition doesn't open it, because running statements
 * don't see the new partition yet.
 *
 * If a process ends between two steps, the next call continues from the existing state. It can also continue from a
 * copy of the database in which the sequence is ahead of the tables. A dump causes that, because it reads tables at its
 * beginning and sequences at its end.
 */
export async function keepPartitions(database: Database, { daysEach, fullAt = FULL_AT }: Upkeep): Promise<boolean> {
  const { current, missing, isCounted, isDue } = await look(database, daysEach, fullAt);
  for (const number of missing) await runAlone(database, (connection) => makePartition(connection, number));
  if (!isCounted) await runAlone(database, noteBeginning);
  if (missing.length > 0 || !isDue) return false;
  return (await runAlone(database, (connection) => beginNext(connection, current))) === true;
}

type Look = {
  readonly current: number;
  /** The numbers of missing partitions, up to the next partition. */
  readonly missing: readonly number[];
  /** Whether the start of the current partition is recorded. */
  readonly isCounted: boolean;
  /** Whether the current partition is full, or its days are over. */
  readonly isDue: boolean;
};

/**
 * Returns the state of the partitions, from the sequence and a few rows of `visit_partitions`. A partition without any
 * ids is never due.
 */
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

/** Opens the next partition whether it is due or not, so that no further id of the current partition is assigned. */
export async function leavePartition(database: Database): Promise<void> {
  const { current, missing } = await look(database, null, FULL_AT);
  await inTransaction(database, async (connection) => {
    for (const number of missing) await makePartition(connection, number);
    await noteBeginning(connection);
  });
  await inTransaction(database, (connection) => beginNext(connection, current));
}

/**
 * Runs `step` in a transaction and returns its result. Returns null if another process is running a step, or if a lock
 * isn't available in time.
 */
export async function runAlone<Result>(
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

/**
 * How long a step waits for a lock, in milliseconds. While a step waits for readers of a partition, reports wait for
 * the step. After this time, the step is rolled back, and a later call retries it.
 */
const LOCK_TIMEOUT_MS = 300;

/**
 * Creates a partition and its row in `visit_partitions`, unless the row exists. Uses a database function that runs as
 * the owner, because only the owner can create a table.
 */
async function makePartition(connection: Connection, number: number): Promise<void> {
  const { rowCount } = await connection.query(
    `insert into visit_partitions (number) values ($1) on conflict do nothing`,
    [number],
  );
  if (rowCount !== 0) await connection.query('select make_visit_partition($1)', [number]);
}

/**
 * Creates the table of a partition, without its row in `visit_partitions`. A restore uses it, because an older schema
 * may lack the database function.
 */
export async function addPartition(connection: Connection, number: number): Promise<void> {
  const table = partitionTable(number);
  await connection.query(`create table ${table} (like visits including defaults including constraints)`);
  await connection.query(
    `alter table visits attach partition ${table} for values from (${number * IDS_EACH}) to (${(number + 1) * IDS_EACH})`,
  );
}

/**
 * Advances the sequence to the next partition and creates the partition after it. Returns false, without a change, if
 * `current` is no longer the current partition or the next partition is missing.
 */
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

/**
 * Records the time at which the current partition was opened, after the id sequence was advanced. So every row of the
 * earlier partition is older than the recorded time.
 */
async function noteBeginning(connection: Connection): Promise<void> {
  await connection.query(
    `update visit_partitions set opened_at = clock_timestamp()
     where opened_at is null and number <= pg_sequence_last_value('event_ids'::regclass) >> 32`,
  );
}

/** Returns the partition's number from its table name, or undefined for other tables. */
export function partitionNumber(table: string): number | undefined {
  const [, digits] = /^visits_(\d+)$/.exec(table) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Returns the table name of a partition. Throws a RangeError if the number is invalid, so that the name is safe in SQL.
 */
function partitionTable(number: number): string {
  if (!Number.isSafeInteger(number) || number < 0)
    throw new RangeError(`A partition number must be a safe integer of 0 or more, not ${number}.`);
  return `visits_${number}`;
}
