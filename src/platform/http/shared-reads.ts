/**
 * The maximum share of a core's time for reads that cost much, in percent. Each portal's page, the paced calls of
 * each organization, and the files of materials have such a share.
 */
export const READING_SHARE = 25;
/** The maximum pause after such a read, in milliseconds. */
export const MAX_READ_PAUSE_MS = 1_000;

type Run<Value> = (key: string, read: () => Promise<Value>) => Promise<Value>;

/**
 * Returns a function that calls `read`. For each key, one read runs at a time, and after a read there is a pause, so
 * that reads take at most READING_SHARE of the processor time of one core.
 */
export function pacedReads<Value>(): Run<Value> {
  /** For each key, a promise that resolves after the last read and the pause after it. */
  const idle = new Map<string, Promise<void>>();
  return (key, read) => {
    const earlier = idle.get(key);
    const ended = Promise.withResolvers<void>();
    const run = runAfter(earlier, read, () => {
      if (idle.get(key) === ended.promise) idle.delete(key);
      ended.resolve();
    });
    idle.set(key, ended.promise);
    return run;
  };
}

async function runAfter<Value>(
  earlier: Promise<void> | undefined,
  read: () => Promise<Value>,
  onIdle: () => void,
): Promise<Value> {
  await earlier;
  let pauseMs = 0;
  try {
    return await measureRead(read, (ms) => (pauseMs = ms));
  } finally {
    setTimeout(onIdle, pauseMs).unref();
  }
}

/** Calls `read`, and then `onPause` with the length of the pause that must follow, in milliseconds. */
export async function measureRead<Value>(
  read: () => Promise<Value>,
  onPause: (pauseMs: number) => void,
): Promise<Value> {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  try {
    return await read();
  } finally {
    // Count processor time, because a read also waits for the database. The process has other work meanwhile, so the
    // elapsed time is the upper bound.
    const { user, system } = process.cpuUsage(before);
    const tookMs = Math.min(performance.now() - startedAt, (user + system) / 1_000);
    onPause(Math.min(MAX_READ_PAUSE_MS, tookMs * (100 / READING_SHARE - 1)));
  }
}

/**
 * Returns a function that calls `read` like `pacedReads`, and shares its result among the calls for the same key. A
 * call gets the result of a read that begins after the call, so the result is never older than the call.
 */
export function sharedReads<Value>(): Run<Value> {
  const paced = pacedReads<Value>();
  /** For each key, the next read, which has not begun. */
  const waiting = new Map<string, Promise<Value>>();
  return (key, read) => {
    const known = waiting.get(key);
    if (known !== undefined) return known;
    const next = paced(key, () => {
      waiting.delete(key);
      return read();
    });
    waiting.set(key, next);
    return next;
  };
}
