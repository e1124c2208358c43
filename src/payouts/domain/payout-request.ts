import type { Minor } from '#core/money.ts';

/** The facts that decide whether a collaborator may request a payout. */
export type RequestedPayout = {
  /** The lowest amount for which collaborators may request a payout. Null if they may not. */
  readonly minimum: Minor | null;
  /** The amount that is ready for the next run, which clawbacks can make negative. */
  readonly pending: bigint;
  readonly hasDetails: boolean;
};

export type RequestDecision = 'allowed' | 'not-offered' | 'below-minimum' | 'no-details';

/** Decides whether a collaborator may request a payout in a currency. */
export function decidePayoutRequest({ minimum, pending, hasDetails }: RequestedPayout): RequestDecision {
  if (minimum === null) return 'not-offered';
  if (pending <= 0n || pending < minimum) return 'below-minimum';
  return hasDetails ? 'allowed' : 'no-details';
}
