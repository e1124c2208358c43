import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from './database.ts';

/** A streaming replica of the database, for what may be a few seconds behind. */
export type Replica = {
  /**
   * Answers `there`, read on the replica. What it throws, what is not `good`, and what it has not answered when it goes
   * away, is answered by `here`, on the primary: so both must be mere reads.
   */
  readonly read: <Answer>(
    there: () => Promise<Answer>,
    here: () => Promise<Answer>,
    good: (answer: Answer) => boolean,
  ) => Promise<Answer>;
  readonly isUsable: () => boolean;
  readonly stop: () => void;
};

/** Why a replica is not read. */
export type Trouble = 'silent' | 'no-replica' | 'foreign' | 'not-streaming' | 'behind';

export type ReplicaHooks = {
  /** It is read from now on, or not any more. Each change once. */
  readonly onChange: (trouble: Trouble | undefined, error?: unknown) => void;
  readonly onRead: (from: 'replica' | 'primary') => void;
};

/** What a replica shows is never older than this; one that is further behind is not read. */
export const MAX_BEHIND_MS = 10_000;
/** How often it is looked at while somebody reads. With the limit of a look: gone is noticed within a second. */
const LOOK_EVERY_MS = 400;
/** To connect for it, and for its answer. */
export const LOOK_WITHIN_MS = 400;

/** Where the primary was at a moment: a replica that has come so far shows everything that was committed before. */
type Mark = { readonly position: string; readonly source: string; readonly at: number };

/**
 * Watches the replica that `looks` leads to, for as long as somebody reads: an idle service asks nothing. It is read
 * while it is in recovery, of the same database as the primary, streaming, and at most `maxBehindMs` behind. `looks` is
 * a connection of its own with short limits, so that a look never waits for somebody's read.
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
  /** The replica shows everything that was committed before. */
  let currentTo = Number.NEGATIVE_INFINITY;
  let looking = false;
  let asked = false;
  let stopped = false;
  /** What gives up each read that is under way on the replica. */
  const abandons = new Set<() => void>();

  // So that who has set it wrongly reads so at once.
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
    const answer = isUsable() ? await untilGone(there).catch(() => undefined) : undefined;
    keepLooking();
    const isGood = answer !== undefined && good(answer);
    onRead(isGood ? 'replica' : 'primary');
    return isGood ? answer : here();
  }

  /** Fails as soon as the replica is found to be unusable, whatever its connection still waits for. */
  async function untilGone<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const gone = Promise.withResolvers<never>();
    const abandon = (): void => gone.reject(new Error('the replica went away'));
    abandons.add(abandon);
    keepLooking();
    try {
      return await Promise.race([work(), gone.promise]);
    } finally {
      abandons.delete(abandon);
    }
  }

  /** Looks now, and again and again as long as somebody has read since, or is reading. */
  function keepLooking(): void {
    asked = true;
    if (looking || stopped) return;
    looking = true;
    void look();
  }

  async function look(): Promise<void> {
    asked = false;
    let error: unknown;
    const found = await judge().catch((failure: unknown) => {
      error = failure;
      return 'silent' as const;
    });
    if (stopped) return;
    conclude(found, error);
    setTimeout(() => {
      looking = false;
      if (asked || abandons.size > 0 || verdict === 'unknown') keepLooking();
    }, LOOK_EVERY_MS).unref();
  }

  function conclude(found: typeof verdict, error: unknown): void {
    if (found === verdict) return;
    verdict = found;
    if (found !== 'usable') for (const abandon of abandons) abandon();
    onChange(found === 'usable' || found === 'unknown' ? undefined : found, error);
  }

  async function judge(): Promise<typeof verdict> {
    for (;;) {
      // While the primary is away the replica may go on, until what it shows is too old.
      if (mark === undefined) await askForMark();
      const { source, standby, streaming, passed } = await readState(looks, mark);
      if (!standby) return 'no-replica';
      if (mark !== undefined && source !== mark.source) return 'foreign';
      if (!streaming) return 'not-streaming';
      if (mark === undefined || passed !== true) break;
      currentTo = mark.at;
      mark = undefined;
      // Else the mark was one from before a long pause.
      if (isCurrent()) return 'usable';
    }
    if (isCurrent()) return 'usable';
    const isHopeless = mark !== undefined && performance.now() - mark.at > maxBehindMs;
    // Until then it may be about to get there; meanwhile `isCurrent` forbids to read it.
    return isHopeless ? 'behind' : verdict;
  }

  /** Waits no longer than for the replica: that it has gone must show also while the primary is busy or away. */
  async function askForMark(): Promise<void> {
    marking ??= takeMark();
    await Promise.race([marking, delay(LOOK_WITHIN_MS, undefined, { ref: false })]);
  }

  async function takeMark(): Promise<void> {
    mark = await readMark(primary).catch(() => undefined);
    marking = undefined;
  }
}

/** Which cluster, and which of its databases: both are on a replica what they are on its primary. */
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
  /** Whether it has come as far as the mark; null where there is none, and for a server that is no replica. */
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
