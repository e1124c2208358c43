import { type EmailText, oneLine, partnerEmail } from '#platform/email/email.ts';

/** Returns the approval email. It has no login link, because it may stay in the mailbox for a long time. */
export function approvedEmail(of: { readonly portal: string; readonly name: string; readonly url: string }): EmailText {
  const portal = oneLine(of.portal);
  return partnerEmail(
    `Welcome to ${portal}`,
    `Hello ${oneLine(of.name)},`,
    `You are now a partner of ${portal}. Your links and your earnings are here:`,
    { link: of.url, label: 'Open the partner portal' },
    'To get paid, add your payout details there under Settings.',
    'To log in, enter the address that received this email. You don’t need a password.',
  );
}

/** Returns the invitation email. Its link opens the portal without logging in, so the link never expires. */
export function collaboratorInvitationEmail(of: {
  readonly portal: string;
  readonly name: string;
  readonly invitedBy: string | null;
  readonly url: string;
}): EmailText {
  const portal = oneLine(of.portal);
  const who = of.invitedBy === null ? portal : `${oneLine(of.invitedBy)} of ${portal}`;
  return partnerEmail(
    `Your invitation to ${portal}`,
    `Hello ${oneLine(of.name)},`,
    `${who} added you as a partner. Your links and your earnings are in the partner portal:`,
    { link: of.url, label: 'Open the partner portal' },
    'To log in, enter the address that received this email. You don’t need a password. The link works for as long as you are a partner.',
    'If you did not expect this email, ignore it. Nothing will happen.',
  );
}

export function codeMovedEmail(of: {
  readonly sender: string;
  readonly name: string;
  readonly code: string;
  readonly supportEmail: string | null;
}): EmailText {
  const sender = oneLine(of.sender);
  const code = oneLine(of.code);
  const help = of.supportEmail === null ? sender : `${sender} at ${of.supportEmail}`;
  return partnerEmail(
    `${sender} has moved your code ${code}`,
    `Hello ${oneLine(of.name)},`,
    `${sender} moved the code “${code}” to another partner. From now on, clicks and orders with this code no longer count for you.`,
    'You keep everything that you have earned with it.',
    `If you think that this is a mistake, contact ${help}.`,
  );
}

export function taxDetailsChangedEmail(of: {
  readonly sender: string;
  readonly name: string;
  readonly supportEmail: string | null;
}): EmailText {
  const sender = oneLine(of.sender);
  const help = of.supportEmail === null ? sender : `${sender} at ${of.supportEmail}`;
  return partnerEmail(
    `Your tax details at ${sender} were changed`,
    `Hello ${oneLine(of.name)},`,
    `Your tax details at ${sender} were just changed, in the partner portal or by ${sender}.`,
    `If you did not expect this, contact ${help} at once.`,
  );
}

/**
 * Returns the email to the old address of a collaborator. Shows only the start and the domain of the new address,
 * because the old address may belong to someone else. `to` is null if the address was removed.
 */
export function addressChangedEmail(of: {
  readonly sender: string;
  readonly name: string;
  readonly to: string | null;
  readonly supportEmail: string | null;
}): EmailText {
  const sender = oneLine(of.sender);
  const help = of.supportEmail === null ? sender : `${sender} at ${of.supportEmail}`;
  const change = of.to === null ? 'removed' : `changed to ${shortAddress(of.to)}`;
  return partnerEmail(
    `Your email address at ${sender} was changed`,
    `Hello ${oneLine(of.name)},`,
    `Your email address at ${sender} was ${change}. You can no longer log in with this address, and emails about your earnings and your payout details no longer arrive here.`,
    `If you did not expect this, contact ${help} at once.`,
  );
}

/** Returns an address without most of its local part, such as `a…@example.com`. */
function shortAddress(address: string): string {
  const [first = ''] = address;
  return `${first}…${address.slice(address.lastIndexOf('@'))}`;
}

export function payoutDetailsMissingEmail(of: {
  readonly portal: string;
  readonly name: string;
  readonly url: string;
}): EmailText {
  const portal = oneLine(of.portal);
  return partnerEmail(
    `${portal} needs your payout details`,
    `Hello ${oneLine(of.name)},`,
    `${portal} wants to pay you, but doesn’t know where to send the money. Log in to the partner portal and add your payout details:`,
    { link: of.url, label: 'Add payout details' },
    `Never send account numbers by email. ${portal} doesn’t ask for them in emails.`,
  );
}
