import type { Conversion, Obligation, Payout } from '@whence/sdk';
import { openFlags } from './payout-columns.tsx';

/** What each decision on a flagged payout does, to the cent. Amounts are in the payout's currency. */
export type ReviewEffects = {
  /** What is not owed any more. */
  readonly flagged: bigint;
  /** What of the payout would be left after a claw-back; null where it was paid, and stays. */
  readonly left: bigint | null;
};

export function effectsOf(payout: Payout): ReviewEffects {
  const flagged = openFlags(payout).reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  if (payout.status === 'paid') return { flagged, left: null };
  const left = BigInt(payout.amount) - flagged;
  return { flagged, left: left > 0n ? left : 0n };
}

type Held = Pick<Obligation, 'amount' | 'conversionId'>;

/**
 * What is ready to pay again where nothing of the payout is left and it becomes void: claw-backs as they were, anything
 * else at what its conversion is worth now.
 */
export function releasedBy(held: readonly Held[], conversions: ReadonlyMap<number, Conversion>): bigint {
  return held.reduce((sum, { amount, conversionId }) => {
    if (amount < 0) return sum + BigInt(amount);
    const conversion = conversions.get(conversionId);
    return conversion === undefined || conversion.status === 'rejected' ? sum : sum + BigInt(conversion.amount);
  }, 0n);
}
