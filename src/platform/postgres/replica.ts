import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from './database.ts';

/** A streaming replica of the database, for reads that can be a few seconds behind. */
export type Replica = {
  /**
   * Returns the result of `there`, which reads from the replica, if the replica is usable. Otherwise returns the result
   * of `here`, which reads from the primary. Also returns the result of `here` if `there` throws, its result isn't
   * `good`, or it is still running when the replica becomes unusable. So both functions must only read.
   */
  readonly read: <Answer>(
    there: () => Promise<Answer>,
    here: () => Promise<Answer>,
    good: (answer: Answer) => boolean,
  ) => Promise<Answer>;
  readonly isUsable: () => boolean;
  readonly stop: () => void;
};

/** The reason why a replica is not used. */
export type Trouble = 'unresponsive' | 'no-replica' | 'foreign' | 'not-streaming' | 'behind';

export type ReplicaHooks = {
  /**
   * Called when the replica becomes usable (`trouble` is undefined), when it becomes unusable, and when the reason why
   * it is unusable changes.
   */
  readonly onChange: (trouble: Trouble | undefined, error?: unknown) => void;
  readonly onRead: (from: 'replica' | 'primary') => void;
};

/** The maximum age of the replica's data, in milliseconds. An older replica is not used. */
export const MAX_BEHIND_MS = 10_000;
/**
 * The interval between checks while there are reads, in milliseconds. The interval and the timeout of a check add up to
 * less than a second. So an outage is noticed within a second, unless the primary is slow too.
 */
const LOOK_EVERY_MS = 400;
/** The timeout of a check, in milliseconds. It applies to connecting, and then to the response. */
export const LOOK_WITHIN_MS = 400;

/**
 * A position in the primary's write-ahead log, and a time just before the position was read, in milliseconds of
 * `performance.now()`. Once a replica has replayed the position, it contains everything that was committed before that
 * time.
 */
type Mark = { readonly position: string; readonly source: string; readonly at: number };

/**
 * Watches the replica with the connection `looks` while there are reads, so that an idle service sends no queries. The
 * replica is usable if it is in recovery, belongs to the same database as the primary, is streaming, and is at most
 * `maxBehindMs` behind. `looks` must be a separate connection with short timeouts, so that a check never waits for a
 * read.
 */
export function watchReplica(
  primary: Database,
  looks: Database,
  { onChange, onRead }: ReplicaHooks,
  maxBehindMs = MAX_BEHIND_MS,
): Replica {
  let verdict: Trouble | 'usable' | 'unknown' = 'unknown';
  let mark: Mark | undefined;
  let marking: Promise<void> | undefined;
  /** The replica contains everything that was committed before this time. */
  let currentTo = Number.NEGATIVE_INFINITY;
  let looking = false;
  let asked = false;
  let stopped = false;
  /** One function for each running read on the replica. Calling it rejects the read, so that the primary is read. */
  const abandons = new Set<() => void>();

  // Check now, so that a wrong configuration is reported immediately.
  keepLooking();
  return { read, isUsable, stop: () => (stopped = true) };

  function isUsable(): boolean {
    return verdict === 'usable' && isCurrent();
  }

  function isCurrent(): boolean {
    return performance.now() - currentTo <= maxBehindMs;
  }

  async function read<Answer>(
    there: () => Promise<Answer>,
    here: () => Promise<Answer>,
    good: (answer: Answer) => boolean,
  ): Promise<Answer> {
    const answer = isUsable() ? await runWhileUsable(there).catch(() => undefined) : undefined;
    keepLooking();
    const isGood = answer !== undefined && good(answer);
    onRead(isGood ? 'replica' : 'primary');
    return isGood ? answer : here();
  }

  /** Returns the result of `work`. Rejects once the replica is unusable, even if `work` still waits for a response. */
  async function runWhileUsable<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const gone = Promise.withResolvers<never>();
    const abandon = (): void => gone.reject(new Error('The replica is unusable.'));
    abandons.add(abandon);
    keepLooking();
    try {
      return await Promise.race([work(), gone.promise]);
    } finally {
      abandons.delete(abandon);
    }
  }

  /** Starts to check the replica, unless checks are already running. Checks are repeated while there are reads. */
  function keepLooking(): void {
    asked = true;
    if (looking || stopped) return;
    looking = true;
    void look();
  }

  async function look(): Promise<void> {
    asked = false;
    let error: unknown;
    const found = await judgeReplica().catch((failure: unknown) => {
      error = failure;
      return 'unresponsive' as const;
    });
    if (stopped) return;
    setVerdict(found, error);
    setTimeout(() => {
      looking = false;
      if (asked || abandons.size > 0 || verdict === 'unknown') keepLooking();
    }, LOOK_EVERY_MS).unref();
  }

  function setVerdict(found: typeof verdict, error: unknown): void {
    if (found === verdict) return;
    verdict = found;
    if (found !== 'usable') for (const abandon of abandons) abandon();
    onChange(found === 'usable' || found === 'unknown' ? undefined : found, error);
  }

  async function judgeReplica(): Promise<typeof verdict> {
    for (;;) {
      // While the primary is unavailable, the replica stays in use until its data is too old.
      if (mark === undefined) await askForMark();
      const { source, standby, streaming, passed } = await readState(looks, mark);
      if (!standby) return 'no-replica';
      if (mark !== undefined && source !== mark.source) return 'foreign';
      if (!streaming) return 'not-streaming';
      if (mark === undefined || passed !== true) break;
      currentTo = mark.at;
      mark = undefined;
      // If the replica isn't current, the mark was taken before a long pause. The next iteration takes a new mark.
      if (isCurrent()) return 'usable';
    }
    if (isCurrent()) return 'usable';
    const isHopeless = mark !== undefined && performance.now() - mark.at > maxBehindMs;
    // The replica may still catch up. `isCurrent` prevents reads until then.
    return isHopeless ? 'behind' : verdict;
  }

  /**
   * Asks the primary for a new mark, and waits only as long as a check of the replica may take. So an outage of the
   * replica is noticed even while the primary is busy or unavailable.
   */
  async function askForMark(): Promise<void> {
    marking ??= takeMark();
    await Promise.race([marking, delay(LOOK_WITHIN_MS, undefined, { ref: false })]);
  }

  async function takeMark(): Promise<void> {
    mark = await readMark(primary).catch(() => undefined);
    marking = undefined;
  }
}

/** SQL that identifies the cluster and the database. A replica has the same values as its primary. */
const SOURCE = `(
  select concat(system_identifier, '/', oid) from pg_control_system(), pg_database where datname = current_database()
)`;

async function readMark(primary: Database): Promise<Mark> {
  const at = performance.now();
  const { rows } = await primary.query<Omit<Mark, 'at'>>(
    `select pg_current_wal_lsn()::text as position, ${SOURCE} as source`,
  );
  return { ...(rows[0] as Omit<Mark, 'at'>), at };
}

type State = {
  readonly source: string;
  readonly standby: boolean;
  readonly streaming: boolean;
  /** Whether the replica has replayed the mark. Null if there is no mark, or if the server isn't a replica. */
  readonly passed: boolean | null;
};

async function readState(replica: Database, mark: Mark | undefined): Promise<State> {
  const { rows } = await replica.query<State>(
    `select ${SOURCE} as source, pg_is_in_recovery() as standby,
       exists (select from pg_stat_wal_receiver) as streaming, pg_last_wal_replay_lsn() >= $1::pg_lsn as passed`,
    [mark?.position ?? null],
  );
  return rows[0] as State;
}
