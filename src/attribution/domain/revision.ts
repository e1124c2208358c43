import type { Minor } from '#core/money.ts';
import { type Owed, type OwedChange, settle } from '#ledger/domain/obligation.ts';
import { type Counting, endOfWorth, type RefundedSale, type Share, worthOf } from '#sales/domain/refund.ts';

/** A conversion of the sale that is not rejected, with the amounts owed for it. */
export type Standing = Share & { readonly amount: Minor; readonly owed: Owed };

/** The changes that refunds cause for a conversion and its obligation. Null means no change. */
export type Revision = {
  readonly conversion:
    | { readonly kind: 'reduced'; readonly amount: Minor }
    /**
     * `by` is the index of the refund that reduced the worth to 0. If it equals the number of refunds, the sale's
     * refunded status did.
     */
    | { readonly kind: 'rejected'; readonly amount: Minor; readonly by: number }
    | null;
  readonly owed: OwedChange | null;
};

/**
 * Returns the changes of a conversion and its obligation after refunds. A conversion whose worth is 0 is rejected. It
 * keeps, for the record, the amount it was worth before the refund that reduced it to 0.
 *
 * The result doesn't depend on when the refunds are processed, and repeating it changes nothing.
 */
export function revise(sale: RefundedSale, standing: Standing, counting: Counting): Revision {
  const worth = worthOf(sale, standing, counting);
  const owed = settle(standing.owed, worth, sale.isRefunded ? 'refunded' : 'partly-refunded');
  if (worth > 0n) return { conversion: worth < standing.amount ? { kind: 'reduced', amount: worth } : null, owed };
  const { amount, by } = endOfWorth(sale, standing, counting);
  return {
    conversion: { kind: 'rejected', amount, by },
    owed: owed?.kind === 'rejected' ? { kind: 'rejected', amount } : owed,
  };
}
