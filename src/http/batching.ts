import type { OrganizationId } from '#domain/ids.ts';

/** How heavy a report is: lines of a sale, bytes of the request's body. */
export type Weight = { readonly lines: number; readonly bytes: number };

export type Batching<Report, Outcome> = {
  /** Resolves once the report is durable; rejects with `Overloaded` at once where too much waits. */
  readonly submit: (organizationId: OrganizationId, report: Report, weight: Weight) => Promise<Outcome>;
  /** Resolves once nothing waits and nothing is being written. */
  readonly drained: () => Promise<void>;
  readonly waiting: () => number;
};

export type BatchingOptions = {
  /** Whether a batch that failed may be written again report by report; false where its outcome is unknown. */
  readonly isHarmless: (error: unknown) => boolean;
  /** How many reports of any kind are under way: beside many others a few wait for company. */
  readonly underWay?: () => number;
  readonly onBatch?: (reports: number) => void;
  readonly limits?: Partial<typeof BATCH_LIMITS>;
};

/** Where a batch ends; a report of more than `ownBatchLines` lines goes in one of its own. */
export const BATCH_LIMITS = {
  reports: 1_000,
  lines: 5_000,
  bytes: 1_048_576,
  ownBatchLines: 100,
  /** Batches of different organizations that are written side by side. */
  writers: 4,
  /**
   * Beside so many reports of other kinds a batch begins no sooner than so long after the one before, unless it has this
   * many reports already: a sale among a hundred visits would have a statement and a commit of its own.
   */
  gatheringBeside: 16,
  gatheringMs: 12,
  gathered: 64,
  /** What may wait in all, before reports are turned away with 503: bounded memory. */
  waitingReports: 20_000,
  waitingBytes: 67_108_864,
};

/** Organizations whose last batch is remembered; above it those go whose next one need not wait any more. */
const MAX_BEGINNINGS = 1_000;

/** The report was not written, since too much waits or its batch broke off before it. It may be sent again. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

type Waiting<Report, Outcome> = {
  readonly report: Report;
  readonly weight: Weight;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Gathers reports into batches: while one batch of an organization is being written the next gathers, and nothing waits
 * on a timer when the writer is idle and little else is under way. Measured with 64 callers: one commit for all that wait
 * takes seven times the visits of one commit a request, with a lower p99 (docs/decisions/0003).
 */
export function batching<Report, Outcome>(
  write: (organizationId: OrganizationId, reports: readonly Report[]) => Promise<readonly (Outcome | undefined)[]>,
  options: BatchingOptions,
): Batching<Report, Outcome> {
  const limits = { ...BATCH_LIMITS, ...options.limits };
  /** In the order in which organizations came to wait: the one that was just written goes to the end. */
  const queues = new Map<OrganizationId, Waiting<Report, Outcome>[]>();
  const writing = new Set<OrganizationId>();
  let waitingReports = 0;
  let waitingBytes = 0;
  let scheduled = false;
  let gathering: NodeJS.Timeout | undefined;
  /** When the last batch of an organization began. */
  const beganAt = new Map<OrganizationId, number>();
  let drainWaiters: (() => void)[] = [];

  return {
    submit: (organizationId, report, weight) =>
      new Promise((resolve, reject) => {
        if (waitingReports >= limits.waitingReports || waitingBytes + weight.bytes > limits.waitingBytes) {
          reject(new Overloaded('too many reports wait to be written'));
          return;
        }
        waitingReports += 1;
        waitingBytes += weight.bytes;
        const entry = { report, weight, resolve, reject };
        const queue = queues.get(organizationId);
        if (queue === undefined) queues.set(organizationId, [entry]);
        else queue.push(entry);
        schedule();
      }),
    drained: () =>
      new Promise((resolve) => {
        drainWaiters.push(resolve);
        settle();
      }),
    waiting: () => waitingReports,
  };

  /** At the end of this turn of the event loop, so that all requests that have just been read go together. */
  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      startWriters();
    });
  }

  function startWriters(): void {
    clearTimeout(gathering);
    gathering = undefined;
    for (const [organizationId, queue] of queues) {
      if (writing.size >= limits.writers) return;
      if (writing.has(organizationId)) continue;
      const pause = gatheringFor(organizationId, queue.length);
      if (pause > 0) {
        gathering ??= setTimeout(startWriters, pause);
        continue;
      }
      writing.add(organizationId);
      noteBeginning(organizationId);
      const batch = takeBatch(organizationId, queue);
      // Never rejects: each report's own promise carries its failure.
      void writeBatch(organizationId, batch).finally(() => {
        writing.delete(organizationId);
        startWriters();
        settle();
      });
    }
  }

  /** For how many milliseconds so many reports that wait shall gather. */
  function gatheringFor(organizationId: OrganizationId, queued: number): number {
    const others = (options.underWay?.() ?? 0) - waitingReports;
    if (others < limits.gatheringBeside || queued >= limits.gathered) return 0;
    return (beganAt.get(organizationId) ?? -Infinity) + limits.gatheringMs - performance.now();
  }

  function noteBeginning(organizationId: OrganizationId): void {
    const now = performance.now();
    if (beganAt.size >= MAX_BEGINNINGS) {
      for (const [other, at] of beganAt) if (at + limits.gatheringMs < now) beganAt.delete(other);
    }
    beganAt.set(organizationId, now);
  }

  function takeBatch(
    organizationId: OrganizationId,
    queue: Waiting<Report, Outcome>[],
  ): readonly Waiting<Report, Outcome>[] {
    let lines = 0;
    let bytes = 0;
    let size = 0;
    for (const { weight } of queue) {
      lines += weight.lines;
      bytes += weight.bytes;
      const fits = size < limits.reports && lines <= limits.lines && bytes <= limits.bytes;
      if (size > 0 && (!fits || weight.lines > limits.ownBatchLines)) break;
      size += 1;
      if (weight.lines > limits.ownBatchLines) break;
    }
    const batch = queue.splice(0, size);
    queues.delete(organizationId);
    if (queue.length > 0) queues.set(organizationId, queue);
    return batch;
  }

  async function writeBatch(organizationId: OrganizationId, batch: readonly Waiting<Report, Outcome>[]): Promise<void> {
    options.onBatch?.(batch.length);
    try {
      const outcomes = await write(
        organizationId,
        batch.map(({ report }) => report),
      );
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined) reject(new Overloaded('the report was not written'));
        else resolve(outcome);
      }
    } catch (error) {
      // The statement is undone as a whole; one faulty report must not fail its neighbours.
      if (batch.length > 1 && options.isHarmless(error)) {
        for (const entry of batch) await writeBatch(organizationId, [entry]);
        return;
      }
      for (const { reject } of batch) reject(error);
    }
    release(batch);
  }

  function release(batch: readonly Waiting<Report, Outcome>[]): void {
    waitingReports -= batch.length;
    for (const { weight } of batch) waitingBytes -= weight.bytes;
  }

  function settle(): void {
    if (queues.size > 0 || writing.size > 0) return;
    const waiters = drainWaiters;
    drainWaiters = [];
    for (const resolve of waiters) resolve();
  }
}
