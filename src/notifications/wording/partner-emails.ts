import { formatMajor, type Minor } from '#core/money.ts';
import { count } from '#core/count.ts';
import { type EmailPart, type EmailText, oneLine, partnerEmail } from '#platform/email/email.ts';

/** The recipient's name, and the name and URL of the portal. */
export type Addressed = { readonly name: string; readonly portal: string; readonly url: string };

type Sum = { readonly count: number; readonly amount: Minor; readonly currency: string };
type Rejected = Sum & { readonly reason: string | null; readonly byHand: boolean };

/** Returns the email to a rejected applicant. `reason` is the merchant's reason, or null. */
export function applicationRejectedEmail(of: Addressed, reason: string | null, supportEmail: string | null): EmailText {
  const portal = oneLine(of.portal);
  return partnerEmail(
    `Your application to ${portal}`,
    ...hello(of),
    `Thank you for applying to ${portal}. Your application was not accepted.`,
    ...(reason === null ? [] : [{ facts: [['Reason', oneLine(reason)]] } as const]),
    ...(supportEmail === null ? [] : [`If you have questions, contact ${portal} at ${supportEmail}.`]),
  );
}

export function firstClickEmail(of: Addressed): EmailText {
  return partnerEmail(
    'Your link has its first click',
    ...hello(of),
    `Someone clicked your partner link for ${oneLine(of.portal)} for the first time. The link works, so keep sharing it.`,
    { link: of.url, label: 'See your clicks' },
  );
}

export function firstSaleEmail(of: Addressed, sums: readonly Sum[]): EmailText {
  return partnerEmail(
    `Your first commission at ${oneLine(of.portal)}`,
    ...hello(of),
    `You earned your first commission at ${oneLine(of.portal)}. Congratulations!`,
    { facts: sums.map((sum) => ['Commission', money(sum)]) },
    { link: `${of.url}conversions`, label: 'See your commissions' },
  );
}

export function approvedSalesEmail(of: Addressed, sums: readonly Sum[]): EmailText {
  const commissions = commissionsOf(sums);
  return partnerEmail(
    `${commissions} approved`,
    ...hello(of),
    `${oneLine(of.portal)} approved ${commissions} of yours for a later payout.`,
    { facts: sums.map((sum) => [commissionsOf([sum]), money(sum)]) },
    { link: `${of.url}conversions`, label: 'See your commissions' },
  );
}

export function rejectedSalesEmail(of: Addressed, sums: readonly Rejected[]): EmailText {
  const commissions = commissionsOf(sums);
  return partnerEmail(
    `${commissions} rejected`,
    ...hello(of),
    `${commissions} of yours at ${oneLine(of.portal)} will not be paid. These are the reasons:`,
    { facts: sums.map((sum) => [reasonOf(sum), `${commissionsOf([sum])}, ${money(sum)}`]) },
    { link: `${of.url}conversions`, label: 'See your commissions' },
  );
}

/** Returns the email about payouts marked as paid. Dates are in `timeZone`. */
export function paidEmail(
  of: Addressed,
  timeZone: string,
  payouts: readonly { readonly amount: Minor; readonly currency: string; readonly paidAt: Date }[],
): EmailText {
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone });
  const [only] = payouts;
  const subject = only !== undefined && payouts.length === 1 ? `You were paid ${money(only)}` : 'You were paid';
  return partnerEmail(
    subject,
    ...hello(of),
    `${oneLine(of.portal)} marked ${payouts.length === 1 ? 'a payout' : count(payouts.length, 'payout')} to you as paid:`,
    { facts: payouts.map((payout) => [`Paid on ${day.format(payout.paidAt)}`, money(payout)]) },
    'Your statement lists every commission in it:',
    { link: `${of.url}payouts`, label: 'See your statement' },
  );
}

/** Returns the email about failed payments. The partner may have to correct the payout details. */
export function payoutFailedEmail(
  of: Addressed,
  payouts: readonly { readonly amount: Minor; readonly currency: string; readonly reason: string }[],
): EmailText {
  const portal = oneLine(of.portal);
  return partnerEmail(
    `A payment of ${portal} to you failed`,
    ...hello(of),
    `${portal} tried to pay you, but ${payouts.length === 1 ? 'the payment' : count(payouts.length, 'payment')} failed:`,
    { facts: payouts.map((payout) => [oneLine(payout.reason), money(payout)]) },
    'Check your payout details, and correct them if necessary. The amount is part of a later payout.',
    { link: `${of.url}settings`, label: 'Check your payout details' },
    `Never send account numbers by email. ${portal} doesn’t ask for them in emails.`,
  );
}

/**
 * Returns the email about changed rates. `words` contains the sentences of a program's terms summary. `others` is the
 * number of changed programs that are missing from `programs`.
 */
export function rateChangedEmail(
  of: Addressed,
  programs: readonly { readonly name: string; readonly words: readonly string[] }[],
  others: number,
): EmailText {
  return partnerEmail(
    `New terms at ${oneLine(of.portal)}`,
    ...hello(of),
    `${oneLine(of.portal)} changed what you earn. Sales that were reported before the change keep their terms.`,
    ...programs.map(({ name, words }) => [`${oneLine(name)}:`, ...words.map((word) => `• ${word}`)].join('\n')),
    ...(others === 0 ? [] : [`The portal shows the new terms of ${count(others, 'other program')}.`]),
    { link: of.url, label: 'Open the partner portal' },
  );
}

function hello({ name }: Addressed): EmailPart[] {
  return [`Hello ${oneLine(name)},`];
}

function commissionsOf(sums: readonly Sum[]): string {
  return count(
    sums.reduce((all, sum) => all + sum.count, 0),
    'commission',
  );
}

function money({ amount, currency }: { readonly amount: Minor; readonly currency: string }): string {
  return `${formatMajor(amount)} ${currency}`;
}

function reasonOf({ reason, byHand }: Rejected): string {
  if (byHand && reason !== null) return `“${oneLine(reason)}”`;
  return reason === 'corrected' ? 'The order was changed' : 'The order was refunded';
}
