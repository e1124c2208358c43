export type Waiting<Report> = { readonly report: Report; readonly index: number };

/** Enough for edits that follow each other closely, and for merges; a deferred visit of the same user takes one. */
const MAX_ROUNDS = 100;

export type Rounds<Report, Outcome> = {
  /** Puts the outcomes that it knows into their places. */
  readonly record: (waiting: readonly Waiting<Report>[], outcomes: (Outcome | undefined)[]) => Promise<void>;
  /** Lets go of a configuration that has moved on. */
  readonly forget: () => void;
  /** Told of what ended a later round: the outcomes that are missing then stand for it. */
  readonly onFailure?: OnFailure | undefined;
};

export type OnFailure = (error: unknown) => void;

/** Records touches in rounds, until each report has its outcome: what is missing after a round comes round again. */
export async function inRounds<Report, Outcome extends { readonly kind: string }>(
  reports: readonly Report[],
  { record, forget, onFailure }: Rounds<Report, Outcome>,
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
    onFailure?.(error);
  }
  return outcomes;
}
