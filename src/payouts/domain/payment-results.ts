import type { PayoutId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import { failPayout, type MarkedPayout, markPayout } from './payout.ts';
import type { ReportedPayment } from './reported-payment.ts';

/**
 * The outcome of a payment in a result file:
 * - `paid`, `failed`: the payout changes.
 * - `unchanged`: the payout already has this state.
 * - `pending`: the payment is not final.
 * - `superseded`: another payment in the file has the final state of the payout.
 * - All other outcomes: the payout is not changed, for the named reason.
 */
export const RESULT_OUTCOMES = [
  'paid',
  'failed',
  'unchanged',
  'pending',
  'superseded',
  'not-found',
  'unknown-status',
  'amount-differs',
  'currency-differs',
  'under-review',
  'refund-waits',
  'no-tax-details',
  'void',
  'run-closed',
  'clawed-back',
] as const;
export type ResultOutcome = (typeof RESULT_OUTCOMES)[number];

/** The facts about a payout that decide how a result file changes it. */
export type ResultPayout = MarkedPayout & { readonly amount: Minor; readonly currency: string };

export type PaymentResult = ReportedPayment & { readonly outcome: ResultOutcome };

/**
 * Decides the outcome of each payment in a result file. If several payments name the same payout, a failed payment
 * takes precedence over a successful payment, because money can be returned after it was sent.
 */
export function decideResults(
  payments: readonly ReportedPayment[],
  payouts: ReadonlyMap<PayoutId, ResultPayout>,
): PaymentResult[] {
  const final = new Map<PayoutId, ReportedPayment>();
  for (const payment of payments) {
    if (!fits(payment, payouts.get(payment.payoutId))) continue;
    const before = final.get(payment.payoutId);
    if (before === undefined || RANK[payment.state] > RANK[before.state]) final.set(payment.payoutId, payment);
  }
  return payments.map((payment) => {
    const payout = payouts.get(payment.payoutId);
    const isSuperseded = fits(payment, payout) && final.get(payment.payoutId) !== payment;
    return { ...payment, outcome: isSuperseded ? 'superseded' : outcomeOf(payment, payout) };
  });
}

/**
 * Returns whether a payment has the payout's amount and currency, as far as the file states them. Anyone can send money
 * with the reference of a payout, so a payment with another amount must not change the payout.
 */
function fits({ amount, currency }: ReportedPayment, payout: ResultPayout | undefined): boolean {
  // An unknown or void payout has no amount to compare.
  if (payout === undefined || payout.status === 'void') return true;
  return (currency === null || currency === payout.currency) && (amount === null || amount === payout.amount);
}

const RANK = { unknown: 0, pending: 1, paid: 2, failed: 3 } as const;

function outcomeOf(payment: ReportedPayment, payout: ResultPayout | undefined): ResultOutcome {
  const { state, amount, currency } = payment;
  if (payout === undefined) return 'not-found';
  if (state === 'unknown') return 'unknown-status';
  if (state === 'pending') return 'pending';
  const decision = state === 'paid' ? markPayout(payout, 'paid') : failPayout(payout);
  // A void payout has no amount to compare.
  if (payout.status !== 'void') {
    if (currency !== null && currency !== payout.currency) return 'currency-differs';
    if (amount !== null && amount !== payout.amount) return 'amount-differs';
  }
  return decision === 'changed' ? state : decision;
}
