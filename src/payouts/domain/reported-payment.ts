import type { PayoutId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';

/**
 * The state of a payment in a result file. `pending` means that the bank or payment service hasn't finished the
 * payment. `unknown` means that a person must judge the payment.
 */
export type ReportedState = 'paid' | 'failed' | 'pending' | 'unknown';

/** A payment in a result file of a bank or payment service. */
export type ReportedPayment = {
  readonly payoutId: PayoutId;
  readonly state: ReportedState;
  /** The text of the state, as in the file. */
  readonly status: string;
  /** The paid amount. Null if the file doesn't contain it. */
  readonly amount: Minor | null;
  readonly currency: string | null;
  /** The reason for a failed payment, as in the file, cut to REASON_LENGTH. Null if no reason is known. */
  readonly reason: string | null;
};

export type ReadResults = {
  readonly kind: 'read';
  readonly payments: readonly ReportedPayment[];
  /** The number of entries that are not in `payments`. Most of them don't have the reference of a payout. */
  readonly others: number;
};

const REFERENCE = /^PAYOUT-(\d{1,16})$/i;

/**
 * Returns the id of the payout that a payment reference names, or undefined. The text must contain nothing but the
 * reference, because collaborators choose other texts in a file, such as the name of an account holder.
 */
export function parsePayoutReference(text: string): PayoutId | undefined {
  const digits = REFERENCE.exec(text.trim())?.[1];
  const id = Number(digits);
  return digits !== undefined && Number.isSafeInteger(id) && id > 0 ? (id as PayoutId) : undefined;
}

/** The maximum length of the reason that is stored with a payout, in UTF-16 units. */
const REASON_LENGTH = 500;

/** Returns the reason cut to REASON_LENGTH, or null if it is empty. */
export function shortenReason(reason: string): string | null {
  return reason === '' ? null : reason.slice(0, REASON_LENGTH);
}
