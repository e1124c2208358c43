import { type EmailPart, type EmailText, oneLine, partnerEmail } from '#platform/email/email.ts';

/**
 * The part of a portal email that lets its recipient log in: a link, and a code for recipients who can't open the link.
 * Both expire after `minutes`.
 */
export type Entry = { readonly url: string; readonly code: string; readonly minutes: number };

export function entryEmail(of: { readonly portal: string; readonly name: string } & Entry): EmailText {
  const portal = oneLine(of.portal);
  return partnerEmail(
    `Log in to ${portal}`,
    `Hello ${oneLine(of.name)},`,
    `Follow this link to log in to the partner portal of ${portal}:`,
    ...entry(of),
    'If you did not request this link, ignore this email. Nothing will happen.',
  );
}

/**
 * Returns the sign-up email. It omits the recipient's name, because any person can request this email for any address.
 * A typed name could contain text that seems to be from the merchant.
 */
export function signUpEmail(
  of: { readonly portal: string; readonly program: string; readonly hasAgreement: boolean } & Entry,
): EmailText {
  const portal = oneLine(of.portal);
  const agreement = of.hasAgreement ? ' You also confirm that you accept the partner agreement.' : '';
  return partnerEmail(
    `Confirm your sign-up at ${portal}`,
    'Hello,',
    `Someone, probably you, signed up for “${oneLine(of.program)}” at ${portal}. Follow this link to confirm it and to log in.${agreement}`,
    ...entry(of),
    'If it was not you, ignore this email. Nothing is stored.',
  );
}

/**
 * Returns the email about a closed account. Only the owner of the address reads it, so the email doesn't reveal the
 * account to other people.
 */
export function closedAccountEmail(of: { readonly portal: string; readonly supportEmail: string | null }): EmailText {
  const portal = oneLine(of.portal);
  const help = of.supportEmail === null ? `Contact ${portal}` : `Write to ${of.supportEmail}`;
  return partnerEmail(
    `Your account at ${portal} is closed`,
    'Hello,',
    `Someone, probably you, wants to log in to the partner portal of ${portal}. The account of this address is closed there.`,
    `${help} if you think that this is a mistake.`,
  );
}

export function payoutDetailsChangedEmail(of: {
  readonly sender: string;
  readonly name: string;
  readonly supportEmail: string | null;
}): EmailText {
  const sender = oneLine(of.sender);
  const help = of.supportEmail === null ? sender : `${sender} at ${of.supportEmail}`;
  return partnerEmail(
    `Your payout details at ${sender} were changed`,
    `Hello ${oneLine(of.name)},`,
    'Your payout details were just changed in the partner portal.',
    `If it was not you, contact ${help} at once.`,
  );
}

function entry({ url, code, minutes }: Entry): EmailPart[] {
  return [
    { link: url, label: 'Log in' },
    'If you can’t open the link, for example because the portal is part of another site’s page, enter your address and this code instead:',
    { code },
    `Use one of them within ${minutes} minutes. After that, both stop working.`,
  ];
}
