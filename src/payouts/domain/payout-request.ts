import type { Minor } from '#core/money.ts';

/** Whether collaborators are asked for tax details, and whether they must have them to be paid. */
export const TAX_SETTINGS = ['not-asked', 'asked', 'required'] as const;
export type TaxSetting = (typeof TAX_SETTINGS)[number];

/** The facts that decide whether a collaborator may request a payout. */
export type RequestedPayout = {
  /** The lowest amount for which collaborators may request a payout. Null if they may not request payouts. */
  readonly minimum: Minor | null;
  /**
   * The sum of the pending obligations that a run would count, in the currency. Clawbacks can make the sum negative.
   */
  readonly pending: bigint;
  readonly hasDetails: boolean;
  /** Whether tax details are required and missing. */
  readonly lacksTaxDetails: boolean;
};

export type RequestDecision = 'allowed' | 'not-offered' | 'below-minimum' | 'no-details' | 'no-tax-details';

/** Decides whether a collaborator may request a payout in a currency. */
export function decidePayoutRequest(payout: RequestedPayout): RequestDecision {
  const { minimum, pending, hasDetails, lacksTaxDetails } = payout;
  if (minimum === null) return 'not-offered';
  if (pending <= 0n || pending < minimum) return 'below-minimum';
  if (!hasDetails) return 'no-details';
  return lacksTaxDetails ? 'no-tax-details' : 'allowed';
}
