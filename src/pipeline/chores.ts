/** What a chore has found to do: some, with more that waits; some; nothing. */
export type ChoreOutcome = 'more' | 'some' | 'none';

/** Something that a worker does now and then, a little at a time. */
export type Chore = {
  readonly run: () => Promise<ChoreOutcome>;
  readonly everyMs: number;
  /** As long as it finds nothing it comes after twice the time, up to this. */
  readonly rarestMs: number;
};

export type Chores = {
  /** Does what is due. Never rejects: what fails is told, and tried again. */
  readonly doDue: () => Promise<void>;
  /** How long until something is due, in milliseconds. */
  readonly dueIn: () => number;
  /** Where there is work there is more for them, some day. */
  readonly noteWork: () => void;
  /** None before so many milliseconds have gone by. */
  readonly postpone: (milliseconds: number) => void;
};

/** The least time between two parts of a chore; and it takes a quarter of the time at most, since others wait. */
const REST_MS = 50;
const REST_FACTOR = 3;

/** Keeps the times at which chores are due; at first all are. */
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
