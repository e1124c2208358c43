import type { CreateFulfillmentsBody, FulfillmentPreview } from '@whence/sdk';

/**
 * The key of a line in the preview: the currency and the id of the partner. It stays the same when the preview is
 * reloaded.
 */
export type LineKey = string;

export function lineKey(currency: string, collaboratorId: number): LineKey {
  return `${currency} ${collaboratorId}`;
}

/** The maximum number of obligation ids in the request for a run. */
const MOST_NAMED = 10_000;

/**
 * Returns a request that creates exactly the payouts shown, without the excluded lines. Commissions that are approved
 * in the meantime wait for the next run.
 *
 * With more than MOST_NAMED obligations, the request can't list them and pays everything that is ready. In that case,
 * returns undefined if any line was excluded.
 */
export function requestOf(
  preview: readonly FulfillmentPreview[],
  leftOut: ReadonlySet<LineKey>,
  given: CreateFulfillmentsBody,
): CreateFulfillmentsBody | undefined {
  const obligationIds = includedOf(preview, leftOut).flatMap(({ payouts }) =>
    payouts.flatMap((payout) => payout.obligationIds),
  );
  if (obligationIds.length <= MOST_NAMED) return { ...given, obligationIds };
  return leftOut.size === 0 ? given : undefined;
}

/** Returns the preview without the excluded lines, with the total of each run recalculated. */
export function includedOf(
  preview: readonly FulfillmentPreview[],
  leftOut: ReadonlySet<LineKey>,
): readonly FulfillmentPreview[] {
  return preview.map((run) => {
    const payouts = run.payouts.filter(({ collaboratorId }) => !leftOut.has(lineKey(run.currency, collaboratorId)));
    return { ...run, payouts, amount: payouts.reduce((sum, { amount }) => sum + amount, 0) };
  });
}

/**
 * Splits the obligation ids of several partners into requests for runs. A partner's obligations are in one request, so
 * that they become one payout, unless the partner has more than `most` obligations.
 */
export function splitIntoRuns(idsByPartner: readonly (readonly number[])[], most: number = MOST_NAMED): number[][] {
  const runs: number[][] = [];
  for (const ids of idsByPartner) {
    const last = runs.at(-1);
    if (last !== undefined && last.length + ids.length <= most) last.push(...ids);
    else for (let from = 0; from < ids.length; from += most) runs.push(ids.slice(from, from + most));
  }
  return runs;
}
