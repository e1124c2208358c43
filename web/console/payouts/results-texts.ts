import { payouts } from './payouts-texts.ts';
import { formatCount } from '#web/ui/formats/numbers.ts';

export const results = {
  button: 'Import results',
  title: 'Import results',
  description:
    'Choose the result file of your bank, PayPal or Wise, or your payment file with the status filled in. You see what changes before anything is saved. The file is not stored.',
  choose: 'Choose a file',
  another: 'Choose another file',
  tooLarge: 'The file has more than 1,000,000 characters. Export shorter periods, and import them one by one.',
  paid: (count: number) => `${payouts.some(count)} will be marked as paid`,
  failed: (count: number) =>
    `${payouts.some(count)} failed: ${count === 1 ? 'it becomes' : 'they become'} void, and the commissions are ready to pay again`,
  same: (count: number) => `${payouts.some(count)} already recorded or not final`,
  refused: (count: number) => `${payouts.some(count)} can’t be recorded`,
  others: (count: number) =>
    `${formatCount(count)} other ${count === 1 ? 'payment' : 'payments'} without the reference of a payout`,
  nothing: 'This file changes nothing',
  save: 'Save results',
  saved: (paid: number, failed: number) => `${payouts.some(paid)} marked as paid, ${formatCount(failed)} failed`,
  list: 'Payments in the file',
  outcomes: {
    paid: 'Paid',
    failed: 'Failed',
    unchanged: 'Already recorded',
    pending: 'Not final yet',
    superseded: 'Another line of the file has the final status',
    'not-found': 'This payout does not exist: check the reference',
    'unknown-status': 'The status is unknown: mark the payout yourself',
    'amount-differs': 'The amount differs from the payout: check the payment, then mark the payout yourself',
    'currency-differs': 'The currency differs from the payout: check the payment, then mark the payout yourself',
    'under-review': 'In review: decide first whether to keep or claw back the money',
    'refund-waits': 'A refund is being processed: import the file again in a moment',
    'no-tax-details': 'The partner has no tax details, and your settings require them: ask the partner to enter them',
    void: 'The payout is void, so its commissions may be in another run',
    'run-closed':
      'The run of the payout has ended, so the payout can’t change: if the payment was returned, send it again',
    'clawed-back': 'A part of the payout was clawed back after it was paid, so it can’t be marked as failed',
  },
};

export const failure = {
  button: 'Payment failed',
  title: 'Record a failed payment?',
  description:
    'The payout becomes void, and its commissions are ready to pay again at their current amounts. This can’t be undone.',
  reason: 'Reason',
  reasonHelp: 'As your bank or payment service says. The partner sees it in the portal.',
  save: 'Record failure',
  saved: 'The failed payment is recorded',
  shown: (reason: string) => `The payment failed: ${reason}`,
};
