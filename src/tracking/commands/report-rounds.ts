export type WaitingReport<Report> = { readonly report: Report; readonly index: number };

/**
 * The maximum number of rounds after the first round. It allows for frequent edits and merges. A visit that is deferred
 * until its user's first visit is written takes one more round.
 */
const MAX_ROUNDS = 100;

export type Rounds<Report, Outcome> = {
  /** Records the waiting reports that can be written now, and sets the known outcomes. */
  readonly record: (waiting: readonly WaitingReport<Report>[], outcomes: (Outcome | undefined)[]) => Promise<void>;
  /** Discards the cached configuration, which may be outdated. */
  readonly forget: () => void;
  /** Called with the error if a round fails after some reports were recorded. Outcomes are then missing. */
  readonly onFailure?: OnFailure | undefined;
};

export type OnFailure = (error: unknown) => void;

/**
 * Records touches in rounds until each report has its outcome. Reports without an outcome are part of the next round.
 * If a round fails after some reports were recorded, calls `onFailure`, and some outcomes are undefined. If no report
 * was recorded, throws the error.
 */
export async function recordInRounds<Report, Outcome extends { readonly kind: string }>(
  reports: readonly Report[],
  { record, forget, onFailure }: Rounds<Report, Outcome>,
): Promise<(Outcome | undefined)[]> {
  const outcomes: (Outcome | undefined)[] = reports.map(() => undefined);
  let waiting = reports.map((report, index) => ({ report, index }));
  try {
    for (let rounds = 0; waiting.length > 0; rounds += 1) {
      if (rounds > MAX_ROUNDS)
        throw new Error('The configuration changes faster than reports can be written. Retry the report.');
      await record(waiting, outcomes);
      waiting = waiting.filter(({ index }) => outcomes[index] === undefined);
      if (waiting.length > 0) forget();
    }
  } catch (error) {
    // Don't throw the error if reports were recorded, because callers would send these reports again.
    if (!outcomes.some((outcome) => outcome?.kind === 'recorded')) throw error;
    onFailure?.(error);
  }
  return outcomes;
}
