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
   * Runs a step of each task that is due. If steps are running, waits for them first. Never rejects. A failure is
   * reported, and the task is retried after its interval.
   */
  readonly doDue: () => Promise<void>;
  /** Restores the normal interval of each task. Call it after activity, because activity creates work for the tasks. */
  readonly noteWork: () => void;
  /** Finishes the current step and stops. */
  readonly stop: () => Promise<void>;
};

/** The minimum pause between two steps of a task, in milliseconds. */
const REST_MS = 50;
/**
 * The pause after a step, as a multiple of the step's duration. With this factor, a task uses at most a quarter of the
 * time, and other jobs run in between.
 */
const REST_FACTOR = 3;
/** The maximum time between two checks for tasks that are due, in milliseconds. */
const LONGEST_REST_MS = 10_000;
/** The maximum number of rounds in which an organization is skipped after a failed step. */
const MAX_SKIPPED_ROUNDS = 64;

/** Starts to run maintenance tasks, one step at a time, whenever they are due. At first, all tasks are due. */
export function startChores(chores: readonly Chore[], onFailure: (error: unknown) => void = () => {}): Chores {
  const kept = chores.map((chore) => ({ ...chore, dueAt: -Infinity, pauseMs: chore.everyMs }));
  let isStopping = false;
  let steps = Promise.resolve();
  let endRest = (): void => {};
  const loop = run();
  return {
    doDue,
    noteWork: () => {
      for (const chore of kept) {
        chore.pauseMs = chore.everyMs;
        chore.dueAt = Math.min(chore.dueAt, performance.now() + chore.everyMs);
      }
    },
    stop: async () => {
      isStopping = true;
      endRest();
      await loop;
    },
  };

  async function run(): Promise<void> {
    while (!isStopping) {
      await doDue();
      await rest();
    }
  }

  function doDue(): Promise<void> {
    steps = doDueAfter(steps);
    return steps;
  }

  async function doDueAfter(previous: Promise<void>): Promise<void> {
    await previous;
    for (const chore of kept) if (!isStopping && performance.now() > chore.dueAt) await doSome(chore);
  }

  /** Waits until the next task is due, but at most LONGEST_REST_MS, because a task can become due earlier. */
  async function rest(): Promise<void> {
    const dueIn = Math.min(...kept.map(({ dueAt }) => dueAt)) - performance.now();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(Math.max(0, dueIn), LONGEST_REST_MS));
      endRest = () => {
        clearTimeout(timer);
        resolve();
      };
      if (isStopping) endRest();
    });
  }

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
 * after the given id. `serve` does a step, and returns whether the organization needs another step. In a round, each
 * organization gets at most one step, so no organization delays the others for long. If a step fails, the next step is
 * for another organization. The failed organization is skipped in the next round, and after each further failure in
 * twice as many rounds, up to MAX_SKIPPED_ROUNDS.
 */
export function servingInTurn<Found extends { readonly organizationId: OrganizationId }>(
  find: (previous: OrganizationId) => Promise<Found | undefined>,
  serve: (found: Found) => Promise<boolean>,
): () => Promise<ChoreOutcome> {
  let previous = NONE;
  let [hasServed, isMore] = [false, false];
  let round = 0;
  const failed = new Map<OrganizationId, { readonly skipped: number; readonly nextRound: number }>();
  return async () => {
    const found = await find(previous);
    if (found === undefined) {
      const outcome = isMore ? 'more' : hasServed ? 'some' : 'none';
      previous = NONE;
      [hasServed, isMore] = [isMore, false];
      round += 1;
      return outcome;
    }
    previous = found.organizationId;
    const failure = failed.get(previous);
    if (failure !== undefined && round < failure.nextRound) return 'more';
    hasServed = true;
    try {
      if (await serve(found)) isMore = true;
      failed.delete(previous);
    } catch (error) {
      const skipped = Math.min(2 * (failure?.skipped ?? 0.5), MAX_SKIPPED_ROUNDS);
      failed.set(previous, { skipped, nextRound: round + 1 + skipped });
      throw error;
    }
    return 'more';
  };
}

const NONE = 0 as OrganizationId;
