import type { FlagId, ObligationId, PayoutId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';

export const OBLIGATION_STATUSES = ['draft', 'pending', 'fulfilled', 'rejected'] as const;

export const FLAG_REASONS = ['refunded', 'partly-refunded', 'corrected', 'rejected'] as const;

export type ObligationStatus = (typeof OBLIGATION_STATUSES)[number];

export type FlagReason = (typeof FLAG_REASONS)[number];

export type PositiveObligation = {
  readonly obligationId: ObligationId;
  readonly amount: Minor;
  readonly status: ObligationStatus;
  readonly payoutId: PayoutId | null;
};

/**
 * A flag on an obligation in a payout. The flag is open, or was resolved by letting the collaborator keep the amount.
 * `amount` excludes the withdrawn part.
 */
export type StandingFlag = {
  readonly flagId: FlagId;
  readonly obligationId: ObligationId;
  readonly payoutId: PayoutId;
  readonly amount: Minor;
  readonly isOpen: boolean;
};

/** The amounts owed for a conversion. */
export type Owed = {
  /**
   * The conversion's first obligation, and another obligation for each increase after a reversed refund or a
   * correction, sorted by id.
   */
  readonly obligations: readonly PositiveObligation[];
  /** The sum of the obligations that clawed money back from paid payouts, 0 or less. */
  readonly takenBack: Minor;
  readonly flags: readonly StandingFlag[];
};

/** A change of the amounts owed for a conversion. */
export type OwedChange =
  /** `amount` is the new amount of a reduced obligation. A rejected obligation keeps its amount for the record. */
  | { readonly kind: 'reduced' | 'rejected'; readonly obligationId: ObligationId; readonly amount: Minor }
  /** The payout that contains the obligation is flagged for review. */
  | {
      readonly kind: 'flagged';
      readonly obligationId: ObligationId;
      readonly payoutId: PayoutId;
      readonly amount: Minor;
      readonly reason: FlagReason;
    }
  /** The part `amount` of the flagged amount is owed again. */
  | { readonly kind: 'withdrawn'; readonly flagId: FlagId; readonly payoutId: PayoutId; readonly amount: Minor }
  /** A new obligation of `amount` is created. */
  | { readonly kind: 'raised'; readonly amount: Minor };

/**
 * Returns the changes that adjust the amount owed for a conversion to its worth. A rejected conversion is worth 0.
 *
 * If more is owed than the conversion is worth, obligations outside payouts are reduced or rejected first, newest
 * first. Obligations in payouts, paid or not, are not changed. Instead, their payouts are flagged with the remaining
 * amount.
 *
 * If less is owed, flags that wait for a review are withdrawn first. A new obligation is created for the remaining
 * amount. A rejected obligation is never reopened.
 *
 * A flag that was resolved by letting the collaborator keep the amount is final, even if the refund is reversed. So the
 * result doesn't depend on whether a reversal and a later refund are processed separately or together.
 */
export function settle(owed: Owed, worth: Minor, reason: FlagReason): OwedChange[] {
  const standing = owed.obligations.filter(({ status }) => status !== 'rejected').reverse();
  const open = owed.flags.filter(({ isOpen }) => isOpen);
  const unowed = sum(standing) + owed.takenBack - worth;
  const kept = unowed > 0n ? least(sum(owed.flags) - sum(open), unowed) : 0n;
  const excess = unowed - kept - sum(open);
  if (excess === 0n) return [];
  return excess > 0n ? takeBack(standing, owed.flags, excess, reason) : raiseOwed(open, -excess);
}

function takeBack(
  standing: readonly PositiveObligation[],
  flags: readonly StandingFlag[],
  excess: bigint,
  reason: FlagReason,
): OwedChange[] {
  const changes: OwedChange[] = [];
  let rest = excess;
  for (const { obligationId, amount } of standing.filter(({ payoutId }) => payoutId === null)) {
    if (rest === 0n) break;
    const taken = least(rest, amount);
    rest -= taken;
    if (taken === amount) changes.push({ kind: 'rejected', obligationId, amount });
    else changes.push({ kind: 'reduced', obligationId, amount: (amount - taken) as Minor });
  }
  for (const { obligationId, amount, payoutId } of standing) {
    if (payoutId === null) continue;
    const flagged = least(rest, amount - sum(flags.filter((flag) => flag.obligationId === obligationId)));
    rest -= flagged;
    if (flagged > 0n) changes.push({ kind: 'flagged', obligationId, payoutId, amount: flagged as Minor, reason });
  }
  return changes;
}

function raiseOwed(openFlags: readonly StandingFlag[], rise: bigint): OwedChange[] {
  const changes: OwedChange[] = [];
  let rest = rise;
  for (const { flagId, payoutId, amount } of openFlags) {
    const withdrawn = least(rest, amount);
    rest -= withdrawn;
    if (withdrawn > 0n) changes.push({ kind: 'withdrawn', flagId, payoutId, amount: withdrawn as Minor });
  }
  if (rest > 0n) changes.push({ kind: 'raised', amount: rest as Minor });
  return changes;
}

function sum(of: readonly { readonly amount: Minor }[]): bigint {
  return of.reduce((total, { amount }) => total + amount, 0n);
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
