import type { CreateFulfillmentsBody, FulfillmentPreview } from '@whence/sdk';

/** The identity of a preview line across previews. */
export type LineKey = string;

export function lineKey(currency: string, collaboratorId: number): LineKey {
  return `${currency} ${collaboratorId}`;
}

/** The most obligation ids that a run accepts. */
const MOST_NAMED = 10_000;

/**
 * Returns a request that creates exactly the payouts shown, without those left out. Commissions approved in the
 * meantime wait for the next run.
 *
 * If there are too many obligations to list, the request includes all of them. Returns undefined if some of those were
 * left out.
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

/** Returns the preview without the lines that were left out. */
export function includedOf(
  preview: readonly FulfillmentPreview[],
  leftOut: ReadonlySet<LineKey>,
): readonly FulfillmentPreview[] {
  return preview.map((run) => {
    const payouts = run.payouts.filter(({ collaboratorId }) => !leftOut.has(lineKey(run.currency, collaboratorId)));
    return { ...run, payouts, amount: payouts.reduce((sum, { amount }) => sum + amount, 0) };
  });
}
