import type { PayoutId } from '#core/ids.ts';

/** Returns the text of a payment, which the payee reads on the bank statement or in an email. */
export function paymentText(merchant: string, payoutId: PayoutId): string {
  return `${merchant}: payout ${payoutId}`;
}
