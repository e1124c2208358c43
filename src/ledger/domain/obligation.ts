import type { PayoutId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';

export const OBLIGATION_STATUSES = ['draft', 'pending', 'fulfilled', 'rejected'] as const;

export const FLAG_REASONS = ['refunded', 'partly-refunded', 'rejected'] as const;

export type ObligationStatus = (typeof OBLIGATION_STATUSES)[number];

export type FlagReason = (typeof FLAG_REASONS)[number];

/**
 * The amounts owed for a conversion: its obligation and the related obligations and flags. `takenBack` is the sum of
 * the clawbacks from paid payouts, which is 0 or less. `flagged` is the sum of the flags that are pending review or
 * were kept.
 */
export type Owed = {
  readonly amount: Minor;
  readonly status: ObligationStatus;
  readonly payoutId: PayoutId | null;
  readonly takenBack: Minor;
  readonly flagged: Minor;
};

/**
 * The change of an obligation. It is reduced or rejected, or the payout that contains it is flagged for review. A
 * rejected obligation keeps its amount for the record.
 */
export type OwedChange =
  | { readonly kind: 'reduced' | 'rejected'; readonly amount: Minor }
  | { readonly kind: 'flagged'; readonly payoutId: PayoutId; readonly amount: Minor; readonly reason: FlagReason };

/**
 * Returns the change of an obligation when its conversion has the given worth (0 once rejected), or null if nothing
 * changes.
 *
 * An obligation outside a payout is reduced or rejected. An obligation in a payout stays unchanged, whether it is paid
 * or not. Instead, the payout is flagged with the excess over the worth that is not flagged yet.
 */
export function settle(owed: Owed, worth: Minor, reason: FlagReason): OwedChange | null {
  if (owed.status === 'rejected') return null;
  const excess = (owed.amount + owed.takenBack - worth - owed.flagged) as Minor;
  if (owed.payoutId !== null) {
    return excess > 0n ? { kind: 'flagged', payoutId: owed.payoutId, amount: excess, reason } : null;
  }
  if (worth === 0n || excess >= owed.amount) return { kind: 'rejected', amount: owed.amount };
  return excess > 0n ? { kind: 'reduced', amount: (owed.amount - excess) as Minor } : null;
}
