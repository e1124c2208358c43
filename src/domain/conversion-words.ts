import type { ConversionStatus, ConversionType } from './conversion.ts';
import { formatMajor, type Minor } from './money.ts';
import type { PayoutStatus } from './payout.ts';

/** What is said of a conversion to whom it belongs to. Nothing of the visitor, and nothing of others who earned beside them. */
export type ToldConversion = {
  readonly type: ConversionType;
  readonly status: ConversionStatus;
  /** A rejection's: `refunded`, or the words of the person who did it. */
  readonly reason: string | null;
  /** Whether a person rejected it. */
  readonly byHand: boolean;
  readonly awarded: Minor;
  readonly amount: Minor;
  readonly currency: string;
  /** Whether a person looks at it first; why is none of their business. */
  readonly isHeld: boolean;
  /** When it is approved without anybody's word. */
  readonly approveAt: Date | null;
  /** The payout that it is in. */
  readonly payout: { readonly status: PayoutStatus; readonly paidAt: Date | null } | null;
  /** What of it went back after it had come into a payout: a person looks at it, or has let it be. */
  readonly review: 'open' | 'kept' | null;
  /** What is taken off other payouts for it, 0 or less. */
  readonly takenBack: Minor;
};

/** Where a conversion stands and why, in plain sentences. */
export function conversionWords(conversion: ToldConversion): string {
  return [...reductionOf(conversion), STANDS[conversion.status](conversion), ...afterwards(conversion)].join(' ');
}

const REPORTED: Readonly<Record<ConversionType, string>> = {
  sale: 'order',
  lead: 'lead',
  renewal: 'renewal',
  manual: 'order',
};

/** One that is worth nothing any more is told as rejected. */
function reductionOf({ type, status, awarded, amount, currency }: ToldConversion): string[] {
  if (status === 'rejected' || amount === awarded) return [];
  return [
    `Part of the ${REPORTED[type]} was given back: ${money(amount, currency)} of ${money(awarded, currency)} are left.`,
  ];
}

const STANDS: Readonly<Record<ConversionStatus, (conversion: ToldConversion) => string>> = {
  pending: waiting,
  approved,
  rejected,
};

function waiting({ isHeld, approveAt }: ToldConversion): string {
  if (isHeld) return 'Is being checked.';
  return approveAt === null
    ? 'Waits for approval.'
    : `Will be approved on ${day(approveAt)}, unless it is given back or rejected before.`;
}

function approved({ payout }: ToldConversion): string {
  if (payout === null) return 'Approved: it will be part of a coming payout.';
  if (payout.status !== 'paid') return 'Approved, and in a payout that is on its way.';
  return payout.paidAt === null ? 'Paid.' : `Paid on ${day(payout.paidAt)}.`;
}

function rejected({ type, reason, byHand }: ToldConversion): string {
  if (byHand && reason !== null) return `Rejected, with this reason: “${reason}”.`;
  return `The ${REPORTED[type]} was given back, so nothing is owed for it.`;
}

/** What becomes of money that had come into a payout before some of it went back. */
function afterwards({ currency, review, takenBack }: ToldConversion): string[] {
  if (review === 'open') return ['It had come into a payout by then: somebody looks at that now.'];
  if (takenBack < 0n) {
    return [`${money(-takenBack as Minor, currency)} that had been paid for it come off a later payout.`];
  }
  return review === 'kept' ? ['What had come into a payout by then stays yours.'] : [];
}

function money(amount: Minor, currency: string): string {
  return `${formatMajor(amount)} ${currency}`;
}

/** UTC, as all days of the service. */
function day(at: Date): string {
  return at.toISOString().slice(0, 10);
}
