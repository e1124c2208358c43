/** The maximum share of time in which a process reads for one key, in percent. */
export const READING_SHARE = 10;
/** The maximum pause between two reads for one key, in milliseconds. */
export const MAX_READ_PAUSE_MS = 1_000;

type Reader<Value> = {
  /** The next read, which has not begun. */
  next: Promise<Value> | undefined;
  /** Resolves after the last read and the pause after it. Never rejects. */
  idle: Promise<void>;
};

/**
 * Returns a function that calls `read` and shares its result among the calls for the same key. For each key, one read
 * runs at a time, and after a read there is a pause, so that reads take at most READING_SHARE of the time. A call gets
 * the result of a read that begins after the call, so the result is never older than the call.
 */
export function sharedReads<Value>(): (key: string, read: () => Promise<Value>) => Promise<Value> {
  const readers = new Map<string, Reader<Value>>();
  return (key, read) => {
    const reader = readers.get(key) ?? { next: undefined, idle: Promise.resolve() };
    readers.set(key, reader);
    reader.next ??= readNext(key, reader, read);
    return reader.next;
  };

  async function readNext(key: string, reader: Reader<Value>, read: () => Promise<Value>): Promise<Value> {
    await reader.idle;
    reader.next = undefined;
    const startedAt = performance.now();
    const reading = read();
    reader.idle = endRead(key, reader, reading, startedAt);
    return reading;
  }

  async function endRead(
    key: string,
    reader: Reader<Value>,
    reading: Promise<Value>,
    startedAt: number,
  ): Promise<void> {
    await Promise.allSettled([reading]);
    const tookMs = performance.now() - startedAt;
    const pauseMs = Math.min(MAX_READ_PAUSE_MS, tookMs * (100 / READING_SHARE - 1));
    await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
    if (reader.next === undefined) readers.delete(key);
  }
}
