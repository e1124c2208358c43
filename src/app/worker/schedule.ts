/**
 * The delay until the worker looks for jobs again after a turn with jobs, in milliseconds. It doubles while there are
 * no jobs. Beyond LONGEST_POLL_MS, the worker relies on the poller.
 */
const BUSY_POLL_MS = 50;
const LONGEST_POLL_MS = 1_000;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/** The schedule of the worker, which decides when the worker looks for jobs. */
export type Schedule = {
  /** Signals that jobs may be pending, and ends a pause. */
  readonly wake: () => void;
  /** Records the start of a turn, which handles all earlier signals. */
  readonly noteTurn: () => void;
  /** Records that there were jobs, in this or another process, so that the worker soon looks for jobs again. */
  readonly noteWork: () => void;
  /** Records that a turn failed. Signals that arrived during the turn don't shorten the pause. */
  readonly noteFailure: () => void;
  /** Waits for the next turn. Returns immediately if a signal has arrived since the turn began. */
  readonly rest: () => Promise<void>;
};

export function workSchedule(): Schedule {
  let isAwake = true;
  let resume: (() => void) | undefined;
  let pauseMs = Infinity;
  return {
    wake: () => {
      isAwake = true;
      resume?.();
    },
    noteTurn: () => {
      isAwake = false;
    },
    noteWork: () => {
      pauseMs = BUSY_POLL_MS;
    },
    noteFailure: () => {
      pauseMs = PAUSE_AFTER_FAILURE_MS;
      isAwake = false;
    },
    rest: async () => {
      if (!isAwake) await sleep(pauseMs);
      // Other processes can't wake this worker and may have left jobs, so look again soon.
      pauseMs = pauseMs < LONGEST_POLL_MS ? pauseMs * 2 : Infinity;
    },
  };

  function sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = milliseconds === Infinity ? undefined : setTimeout(wakeUp, milliseconds);
      resume = wakeUp;
      function wakeUp(): void {
        clearTimeout(timer);
        resume = undefined;
        resolve();
      }
    });
  }
}

/**
 * Returns a function that runs `work` at most once in `everyMs` milliseconds. After a failure, the next call runs it
 * again.
 */
export function atMostEvery(everyMs: number, work: () => Promise<unknown>): () => Promise<void> {
  let ranAt = -Infinity;
  return async () => {
    if (performance.now() - ranAt <= everyMs) return;
    await work();
    ranAt = performance.now();
  };
}
