import type { OrganizationId } from '#core/ids.ts';
import { type BatcherOptions, createBatcher, type Weight } from '#platform/http/batcher.ts';

export const LIGHT: Weight = { lines: 1, bytes: 100 };

/** A batch that is being written. Each of its functions ends the write. */
export type Batch = {
  readonly organizationId: OrganizationId;
  readonly reports: readonly string[];
  /** Resolves each report with its own text. */
  readonly succeed: () => void;
  readonly answer: (outcomes: readonly string[]) => void;
  readonly fail: (error: Error) => void;
};

export class Undone extends Error {}
export class Unknown extends Error {}

/** Returns a batcher whose writes end only when the test ends them, with its batches and their sizes. */
export function byHand(options: Partial<BatcherOptions> = {}) {
  const begun: Batch[] = [];
  const sizes: number[] = [];
  const { submit, drained, waiting } = createBatcher<string, string>(
    (organizationId, reports) =>
      new Promise((resolve, reject) => {
        begun.push({
          organizationId,
          reports,
          succeed: () => resolve(reports),
          answer: resolve,
          fail: reject,
        });
      }),
    { isHarmless: (error) => error instanceof Undone, onBatch: (size) => sizes.push(size), ...options },
  );
  const submitAll = (organizationId: OrganizationId, reports: readonly string[], weight = LIGHT) =>
    reports.map((report) => submit(organizationId, report, weight));
  /** Ends all writes, one after another, and returns the batches in that order. */
  const writeAll = async (): Promise<readonly Batch[]> => {
    for (let written = 0; written < begun.length; written += 1) {
      begun[written]?.succeed();
      await turn();
    }
    return begun;
  };
  return { submit, submitAll, drained, waiting, begun, sizes, writeAll };
}

/** Waits two turns of the event loop, so that all pending callbacks run. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
export const reportsOf = (batches: readonly Batch[]) => batches.map(({ reports }) => reports);

/** Returns the outcome of each promise, or the class name of its error. */
export async function outcomesOf(promises: readonly Promise<string>[]): Promise<string[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).constructor.name));
}
