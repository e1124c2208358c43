/**
 * The result of a step of a maintenance task. `more`: there is more to do. `some`: the step did all that was to do.
 * `none`: there was nothing to do.
 */
export type ChoreOutcome = 'more' | 'some' | 'none';

/** A recurring maintenance task that runs in small steps. */
export type Chore = {
  readonly run: () => Promise<ChoreOutcome>;
  readonly everyMs: number;
  /** The maximum interval, in milliseconds. The interval doubles up to this value while there is nothing to do. */
  readonly rarestMs: number;
};

export type Chores = {
  /** Runs the tasks that are due. Never rejects. A failure is reported, and the task is retried. */
  readonly doDue: () => Promise<void>;
  /** Returns the time until the next task is due, in milliseconds. */
  readonly dueIn: () => number;
  /** Restores the normal intervals, because recent activity creates new tasks. */
  readonly noteWork: () => void;
  /** Delays all tasks by at least this many milliseconds. */
  readonly postpone: (milliseconds: number) => void;
};

/**
 * The minimum pause between two steps of a task, in milliseconds. A task uses at most a quarter of the time, because
 * other jobs wait.
 */
const REST_MS = 50;
const REST_FACTOR = 3;

/** Schedules maintenance tasks. Initially, all tasks are due. */
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
