import type { Role } from '#core/caller.ts';

/** An email. All emails are plain text. */
export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

type Written = Omit<Mail, 'to'>;

/* The texts of all emails, in one place. Names in them are user input, so they must not add a line or a header. */

export function invitationMail(of: {
  readonly organization: string;
  readonly invitedBy: string | null;
  readonly role: Role;
  readonly url: string;
  readonly days: number;
}): Written {
  const organization = oneLine(of.organization);
  const who = of.invitedBy === null ? 'You are' : `${oneLine(of.invitedBy)} has`;
  const invited = of.invitedBy === null ? 'invited' : 'invited you';
  return {
    subject: `Your invitation to ${organization} on Whence`,
    text: paragraphs(
      'Hello,',
      `${who} ${invited} to work with ${organization} on Whence, as ${ROLE_NAMES[of.role]}. Follow this link to choose a password:`,
      of.url,
      `The link works once, within ${of.days} days. If you did not expect this email, ignore it. Nothing will happen.`,
    ),
  };
}

/** The recipient of an email. An address may have accounts in several organizations, so the email names this one. */
type Account = { readonly name: string; readonly organization: string };

export function resetMail(of: Account & { readonly url: string; readonly minutes: number }): Written {
  return {
    subject: 'Set a new password for Whence',
    text: paragraphs(
      `Hello ${oneLine(of.name)},`,
      `someone, probably you, requested a new password for your account at ${oneLine(of.organization)}. Follow this link to choose one:`,
      of.url,
      `The link works once, within ${of.minutes} minutes. If it was not you, ignore this email. Your password stays as it is.`,
    ),
  };
}

export function passwordChangedMail(of: Account): Written {
  return {
    subject: 'Your password for Whence was changed',
    text: paragraphs(
      `Hello ${oneLine(of.name)},`,
      `the password of your account at ${oneLine(of.organization)} was just changed, and all other browsers were logged out.`,
      'If it was not you, request a new password on the login page, and contact an owner of your organization.',
    ),
  };
}

export function secondFactorAddedMail(of: Account): Written {
  return {
    subject: 'A second factor for Whence was added',
    text: paragraphs(
      `Hello ${oneLine(of.name)},`,
      `a second factor was added to your account at ${oneLine(of.organization)} just now. From now on, logging in with your password also needs a code from your app.`,
      'If it was not you, contact an owner of your organization immediately. The operator of the service can restore your access.',
    ),
  };
}

export function secondFactorRemovedMail(of: Account): Written {
  return {
    subject: 'Your second factor for Whence was removed',
    text: paragraphs(
      `Hello ${oneLine(of.name)},`,
      `the second factor of your account at ${oneLine(of.organization)} was just removed. From now on, your password is enough to log in.`,
      'If it was not you, request a new password on the login page, and contact an owner of your organization.',
    ),
  };
}

/** The contents of a login email for a portal: the link, and a code for recipients who can't open the link in place. */
export type Entry = { readonly url: string; readonly code: string; readonly minutes: number };

export function entryMail(of: { readonly portal: string; readonly name: string } & Entry): Written {
  const portal = oneLine(of.portal);
  return {
    subject: `Log in to ${portal}`,
    text: paragraphs(
      `Hello ${oneLine(of.name)},`,
      `follow this link to log in to the partner portal of ${portal}:`,
      ...entry(of),
      'If you did not request this link, ignore this email. Nothing will happen.',
    ),
  };
}

/**
 * Returns the email without the recipient's name. Anyone can send it to any address, and a name that they typed would
 * seem to be our text.
 */
export function signUpMail(of: { readonly portal: string; readonly program: string } & Entry): Written {
  const portal = oneLine(of.portal);
  return {
    subject: `Confirm your sign-up at ${portal}`,
    text: paragraphs(
      'Hello,',
      `someone, probably you, signed up for “${oneLine(of.program)}” at ${portal}. Follow this link to confirm it and to log in:`,
      ...entry(of),
      'If it was not you, ignore this email. Nothing is stored.',
    ),
  };
}

/** Returns the email without a login link, because it may stay in the mailbox for a long time. */
export function approvedMail(of: { readonly portal: string; readonly name: string; readonly url: string }): Written {
  const portal = oneLine(of.portal);
  return {
    subject: `Welcome to ${portal}`,
    text: paragraphs(
      `Hello ${oneLine(of.name)},`,
      `you are now a partner of ${portal}. Your links and your earnings are here:`,
      of.url,
      'To log in, enter the address that received this email. You don’t need a password.',
    ),
  };
}

/** Returns the email without a login link, so that it remains valid whenever it is read. */
export function collaboratorInvitationMail(of: {
  readonly portal: string;
  readonly name: string;
  readonly invitedBy: string | null;
  readonly url: string;
}): Written {
  const portal = oneLine(of.portal);
  const who = of.invitedBy === null ? portal : `${oneLine(of.invitedBy)} of ${portal}`;
  return {
    subject: `Your invitation to ${portal}`,
    text: paragraphs(
      `Hello ${oneLine(of.name)},`,
      `${who} added you as a partner. Your links and your earnings are in the partner portal:`,
      of.url,
      'To log in, enter the address that received this email. You don’t need a password. The link works for as long as you are a partner.',
      'If you did not expect this email, ignore it. Nothing will happen.',
    ),
  };
}

/**
 * Returns the email about a closed account. Only the owner of the address reads it, so nobody else learns of the
 * account.
 */
export function closedAccountMail(of: { readonly portal: string; readonly supportEmail: string | null }): Written {
  const portal = oneLine(of.portal);
  const help = of.supportEmail === null ? 'Ask them' : `Write to ${of.supportEmail}`;
  return {
    subject: `Your account at ${portal} is closed`,
    text: paragraphs(
      'Hello,',
      `someone, probably you, wants to log in to the partner portal of ${portal}. The account of this address is closed there.`,
      `${help} if you think that this is a mistake.`,
    ),
  };
}

export function codeMovedMail(of: {
  readonly sender: string;
  readonly name: string;
  readonly code: string;
  readonly supportEmail: string | null;
}): Written {
  const sender = oneLine(of.sender);
  const code = oneLine(of.code);
  const help = of.supportEmail === null ? sender : `${sender} at ${of.supportEmail}`;
  return {
    subject: `${sender} has moved your code ${code}`,
    text: paragraphs(
      `Hello ${oneLine(of.name)},`,
      `${sender} moved the code “${code}” to another partner. From now on, clicks and orders with this code no longer count for you.`,
      'You keep everything that you have earned with it.',
      `If you think that this is a mistake, contact ${help}.`,
    ),
  };
}

export function payoutDetailsChangedMail(of: {
  readonly portal: string;
  readonly name: string;
  readonly supportEmail: string | null;
}): Written {
  const portal = oneLine(of.portal);
  const help = of.supportEmail === null ? portal : `${portal} at ${of.supportEmail}`;
  return {
    subject: `Your payout details at ${portal} were changed`,
    text: paragraphs(
      `Hello ${oneLine(of.name)},`,
      'your payout details were just changed in the partner portal.',
      `If it was not you, contact ${help} at once.`,
    ),
  };
}

function entry({ url, code, minutes }: Entry): string[] {
  return [
    url,
    `Where you can’t follow it, as within another site’s page, give your address and this code instead: ${code}`,
    `Both work once, within ${minutes} minutes.`,
  ];
}

export function passkeyAddedMail(of: { readonly name: string; readonly passkey: string }): Written {
  return {
    subject: 'A passkey for Whence was added',
    text: paragraphs(
      `Hello ${oneLine(of.name)},`,
      `from now on the passkey “${oneLine(of.passkey)}” logs you in.`,
      'If you did not add it, remove it in your account, and end the other sessions there.',
    ),
  };
}

const ROLE_NAMES: Readonly<Record<Role, string>> = { owner: 'an owner', manager: 'a manager', viewer: 'a viewer' };

function paragraphs(...each: readonly string[]): string {
  return `${each.join('\n\n')}\n`;
}

/** Returns user input as one line. Replaces control and format characters, which could disguise the text. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
