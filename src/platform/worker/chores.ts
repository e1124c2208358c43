import type { OrganizationId } from '#core/ids.ts';

/**
 * The result of one step of a maintenance task. `more`: work is left for further steps. `some`: the step finished all
 * work. `none`: there was no work.
 */
export type ChoreOutcome = 'more' | 'some' | 'none';

/** A recurring maintenance task that runs in small steps. */
export type Chore = {
  readonly run: () => Promise<ChoreOutcome>;
  /** The normal interval between two runs, in milliseconds. */
  readonly everyMs: number;
  /** The maximum interval, in milliseconds. While a task has no work, its interval doubles up to this value. */
  readonly rarestMs: number;
};

export type Chores = {
  /**
   * Runs a step of each task that is due. Never rejects. A failure is reported, and the task is retried after its
   * interval.
   */
  readonly doDue: () => Promise<void>;
  /** Returns the milliseconds until the next task is due. The result is negative if a task is overdue. */
  readonly dueIn: () => number;
  /** Restores the normal interval of each task. Call it after activity, because activity creates work for the tasks. */
  readonly noteWork: () => void;
  /** Ensures that no task is due within the next `milliseconds`. */
  readonly postpone: (milliseconds: number) => void;
};

/** The minimum pause between two steps of a task, in milliseconds. */
const REST_MS = 50;
/**
 * The pause after a step, as a multiple of the step's duration. With this factor, a task uses at most a quarter of the
 * time, and other jobs run in between.
 */
const REST_FACTOR = 3;

/** Returns a schedule of maintenance tasks. At first, all tasks are due. */
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

/**
 * Returns a maintenance task that does one step for one organization in each call. `find` returns the next organization
 * after the given id. `serve` does a step, and returns whether the organization needs another step. That step follows
 * after steps for the other organizations, so no organization delays them for long. A round ends once no organization
 * needs another step. If a step fails, the next step is for another organization.
 */
export function servingInTurn<Found extends { readonly organizationId: OrganizationId }>(
  find: (previous: OrganizationId) => Promise<Found | undefined>,
  serve: (found: Found) => Promise<boolean>,
): () => Promise<ChoreOutcome> {
  let previous = NONE;
  let [hasServed, isMore] = [false, false];
  return async () => {
    const found = await find(previous);
    if (found === undefined) {
      const outcome = isMore ? 'more' : hasServed ? 'some' : 'none';
      previous = NONE;
      [hasServed, isMore] = [isMore, false];
      return outcome;
    }
    previous = found.organizationId;
    hasServed = true;
    if (await serve(found)) isMore = true;
    return 'more';
  };
}

const NONE = 0 as OrganizationId;
