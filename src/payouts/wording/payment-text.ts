import type { PayoutId } from '#core/ids.ts';
import type { Mode } from '#core/mode.ts';

/**
 * Returns the text of a payment, which the payee reads on the bank statement or in an email. A text of a test
 * organization says that it isn't for a bank.
 */
export function paymentText(merchant: string, mode: Mode, payoutId: PayoutId): string {
  return `${mode === 'test' ? 'TEST, NOT FOR A BANK. ' : ''}${merchant}: payout ${payoutId}`;
}
