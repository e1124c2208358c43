import type { Conversion, Obligation, Payout } from '@whence/sdk';

/** The effects of each decision on a flagged payout, in hundredths of the payout's currency. */
export type ReviewEffects = {
  /** The amount that is no longer owed. */
  readonly flagged: bigint;
  /** The amount of the payout after a clawback. Null for a paid payout, whose amount a clawback doesn't change. */
  readonly left: bigint | null;
};

export function effectsOf(payout: Payout): ReviewEffects {
  const flagged = BigInt(payout.review.openAmount);
  if (payout.status === 'paid') return { flagged, left: null };
  const left = BigInt(payout.amount) - flagged;
  return { flagged, left: left > 0n ? left : 0n };
}

type Held = Pick<Obligation, 'amount' | 'conversionId'>;

/**
 * Returns the amount that is ready to pay again if a clawback voids the payout. Clawback obligations keep their
 * amounts. Other obligations get the current amount of their conversion, or nothing if the conversion was rejected.
 */
export function releasedBy(held: readonly Held[], conversions: ReadonlyMap<number, Conversion>): bigint {
  return held.reduce((sum, { amount, conversionId }) => {
    if (amount < 0) return sum + BigInt(amount);
    const conversion = conversions.get(conversionId);
    return conversion === undefined || conversion.status === 'rejected' ? sum : sum + BigInt(conversion.amount);
  }, 0n);
}
