export type Waiting<Report> = { readonly report: Report; readonly index: number };

/** Enough for edits that follow each other closely, and for merges; a deferred visit of the same user takes one. */
const MAX_ROUNDS = 100;

/**
 * Records touches in rounds, until each report has its outcome: `record` puts the outcomes that it knows into their
 * places, and what is missing comes round again, after `forget` has let go of a configuration that has moved on.
 */
export async function inRounds<Report, Outcome extends { readonly kind: string }>(
  reports: readonly Report[],
  record: (waiting: readonly Waiting<Report>[], outcomes: (Outcome | undefined)[]) => Promise<void>,
  forget: () => void,
): Promise<(Outcome | undefined)[]> {
  const outcomes: (Outcome | undefined)[] = reports.map(() => undefined);
  let waiting = reports.map((report, index) => ({ report, index }));
  try {
    for (let rounds = 0; waiting.length > 0; rounds += 1) {
      if (rounds > MAX_ROUNDS) throw new Error('the configuration changes faster than reports can be written');
      await record(waiting, outcomes);
      waiting = waiting.filter(({ index }) => outcomes[index] === undefined);
      if (waiting.length > 0) forget();
    }
  } catch (error) {
    // What an earlier round has written stays written: to fail the batch would have it written again.
    if (!outcomes.some((outcome) => outcome?.kind === 'recorded')) throw error;
  }
  return outcomes;
}
