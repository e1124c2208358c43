import type { CreateFulfillmentsBody, FulfillmentPreview } from '@whence/sdk';

/** A line of a preview, found again in the next one. */
export type LineKey = string;

export function lineKey(currency: string, collaboratorId: number): LineKey {
  return `${currency} ${collaboratorId}`;
}

/** What a run takes at most by name. */
const MOST_NAMED = 10_000;

/**
 * What makes just the payouts that were shown, without those that were left out: what is approved meanwhile waits for the
 * next run. Where there are too many to be named, all is taken; undefined where some of so many were left out.
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

/** The preview without what was left out. */
export function includedOf(
  preview: readonly FulfillmentPreview[],
  leftOut: ReadonlySet<LineKey>,
): readonly FulfillmentPreview[] {
  return preview.map((run) => {
    const payouts = run.payouts.filter(({ collaboratorId }) => !leftOut.has(lineKey(run.currency, collaboratorId)));
    return { ...run, payouts, amount: payouts.reduce((sum, { amount }) => sum + amount, 0) };
  });
}
