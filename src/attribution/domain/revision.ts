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
     * Rejects the conversion. `by` is the index of the refund that reduced its value to 0. It equals the number of
     * refunds if the sale's refunded status caused the rejection.
     */
    | { readonly kind: 'rejected'; readonly amount: Minor; readonly by: number }
    | null;
  readonly owed: OwedChange | null;
};

/**
 * Returns the changes of a conversion and its obligation after refunds. A conversion with a value of 0 is rejected. For
 * the record, it keeps its amount before the refund that caused the rejection.
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
