/** The result of a chore: work was done and more waits, work was done, or there was none. */
export type ChoreOutcome = 'more' | 'some' | 'none';

/** A recurring background task that works in small steps. */
export type Chore = {
  readonly run: () => Promise<ChoreOutcome>;
  readonly everyMs: number;
  /** The longest interval. While there is no work, the interval doubles up to this. */
  readonly rarestMs: number;
};

export type Chores = {
  /** Runs the chores that are due. Never rejects: a failure is reported, and the chore is retried. */
  readonly doDue: () => Promise<void>;
  /** Returns the time until the next chore is due, in milliseconds. */
  readonly dueIn: () => number;
  /** Restores the normal intervals, since recent activity will create work for chores. */
  readonly noteWork: () => void;
  /** Delays all chores by at least this many milliseconds. */
  readonly postpone: (milliseconds: number) => void;
};

/**
 * The shortest pause between two steps of a chore. A chore uses at most a quarter of the time, since other work waits.
 */
const REST_MS = 50;
const REST_FACTOR = 3;

/** Schedules chores. Initially, all are due. */
export function startChores(chores: readonly Chore[], onFailure: (error: unknown) => void = () => {}): Chores {
  const kept = chores.map((chore) => ({ ...chore, dueAt: -Infinity, pauseMs: chore.everyMs }));
  return {
    doDue: async () => {
      for (const chore of kept) if (performance.now() > chore.dueAt) await doSome(chore);
    },
    dueIn: () => Math.min(...kept.map(({ dueAt }) => dueAt)) - performance.now(),
    noteWork: () => {
      for (const chore of kept) {
        chore.pauseMs = chore.everyMs;
        chore.dueAt = Math.min(chore.dueAt, performance.now() + chore.everyMs);
      }
    },
    postpone: (milliseconds) => {
      for (const chore of kept) chore.dueAt = Math.max(chore.dueAt, performance.now() + milliseconds);
    },
  };

  async function doSome(chore: (typeof kept)[number]): Promise<void> {
    const startedAt = performance.now();
    let outcome: ChoreOutcome = 'some';
    try {
      outcome = await chore.run();
    } catch (error) {
      onFailure(error);
    }
    const endedAt = performance.now();
    if (outcome === 'more') {
      chore.dueAt = endedAt + Math.max(REST_MS, REST_FACTOR * (endedAt - startedAt));
      return;
    }
    chore.pauseMs = outcome === 'none' ? Math.min(2 * chore.pauseMs, chore.rarestMs) : chore.everyMs;
    chore.dueAt = endedAt + chore.pauseMs;
  }
}
