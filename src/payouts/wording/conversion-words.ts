import type { ConversionStatus, ConversionType } from '#attribution/domain/conversion.ts';
import { formatMajor, type Minor } from '#core/money.ts';
import { dayIn } from '#core/time-zone.ts';
import type { PayoutStatus } from '../domain/payout.ts';

/**
 * The facts about a conversion for the status text that its collaborator reads. The visitor and other earners are
 * excluded.
 */
export type DescribedConversion = {
  readonly type: ConversionType;
  readonly status: ConversionStatus;
  /** The reason for a rejection: `refunded`, `corrected`, or the text of the person who rejected it. */
  readonly reason: string | null;
  readonly byHand: boolean;
  /** Whether the order was corrected. */
  readonly isCorrected: boolean;
  readonly awarded: Minor;
  readonly amount: Minor;
  readonly currency: string;
  /** Whether the conversion is in fraud review. The reasons are hidden from the collaborator. */
  readonly isHeld: boolean;
  /** The time of the automatic approval, or null if there is none. */
  readonly approveAt: Date | null;
  readonly payout: { readonly status: PayoutStatus; readonly paidAt: Date | null } | null;
  /**
   * The review of an amount that a refund or correction removed after the payout was created: `open`, or `kept` if the
   * reviewer let the collaborator keep the amount. Null if there is no such review.
   */
  readonly review: 'open' | 'kept' | null;
  /** The sum of the conversion's clawbacks from other payouts, 0 or less. */
  readonly takenBack: Minor;
};

/** Returns the status of a conversion and its reason, in plain sentences. Dates are in `timeZone`. */
export function conversionWords(conversion: DescribedConversion, timeZone: string): string {
  return [...changeOf(conversion), STANDS[conversion.status](conversion, timeZone), ...afterwards(conversion)].join(
    ' ',
  );
}

const REPORTED: Readonly<Record<ConversionType, string>> = {
  sale: 'order',
  lead: 'lead',
  renewal: 'renewal',
  manual: 'order',
};

/**
 * Returns a list with a sentence about the conversion's changed amount. The list is empty if the amount is unchanged,
 * or if the conversion is rejected.
 */
function changeOf({ type, status, isCorrected, awarded, amount, currency }: DescribedConversion): string[] {
  if (status === 'rejected' || amount === awarded) return [];
  if (isCorrected) {
    return [`The ${REPORTED[type]} was changed: ${money(amount, currency)} instead of ${money(awarded, currency)}.`];
  }
  return [
    `Part of the ${REPORTED[type]} was refunded: ${money(amount, currency)} of ${money(awarded, currency)} are left.`,
  ];
}

const STANDS: Readonly<Record<ConversionStatus, (conversion: DescribedConversion, timeZone: string) => string>> = {
  pending: waiting,
  approved,
  rejected,
};

function waiting({ isHeld, approveAt }: DescribedConversion, timeZone: string): string {
  if (isHeld) return 'In review.';
  return approveAt === null
    ? 'Waiting for approval.'
    : `Will be approved on ${dayIn(timeZone, approveAt)}, unless it is refunded or rejected first.`;
}

function approved({ payout }: DescribedConversion, timeZone: string): string {
  if (payout === null) return 'Approved. It will be part of a later payout.';
  if (payout.status !== 'paid') return 'Approved, and part of a payout in progress.';
  return payout.paidAt === null ? 'Paid.' : `Paid on ${dayIn(timeZone, payout.paidAt)}.`;
}

function rejected({ type, reason, byHand }: DescribedConversion): string {
  if (byHand && reason !== null) return `Rejected, with this reason: “${reason}”.`;
  return `The ${REPORTED[type]} was ${reason === 'corrected' ? 'changed' : 'refunded'}, so nothing is owed for it.`;
}

/**
 * Returns a list with a sentence about an amount that the conversion lost after it was in a payout. The list is empty
 * if the conversion lost none.
 */
function afterwards({ currency, review, takenBack }: DescribedConversion): string[] {
  if (review === 'open') return ['It was already part of a payout, which is now in review.'];
  if (takenBack < 0n) {
    return [`${money(-takenBack as Minor, currency)} paid for it is subtracted from a later payout.`];
  }
  return review === 'kept' ? ['The part that was already in a payout stays yours.'] : [];
}

function money(amount: Minor, currency: string): string {
  return `${formatMajor(amount)} ${currency}`;
}
