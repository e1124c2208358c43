import type { Role } from '#core/caller.ts';
import { consoleEmail, oneLine, type EmailText } from '#platform/email/email.ts';

const DATE_AND_TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/* Names in emails are user input, so they must not add a line or a header. */

export function invitationEmail(of: {
  readonly organization: string;
  readonly invitedBy: string | null;
  readonly role: Role;
  readonly url: string;
  readonly expiresAt: Date;
}): EmailText {
  const organization = oneLine(of.organization);
  const who = of.invitedBy === null ? 'You are' : `${oneLine(of.invitedBy)} has`;
  const invited = of.invitedBy === null ? 'invited' : 'invited you';
  return consoleEmail(
    `Your invitation to ${organization} on Whence`,
    'Hello,',
    `${who} ${invited} to work with ${organization} on Whence, as ${ROLE_NAMES[of.role]}. Follow this link to choose a password:`,
    { link: of.url, label: 'Choose a password' },
    `The link works once, until ${DATE_AND_TIME.format(of.expiresAt)} UTC. If you did not expect this email, ignore it. Nothing will happen.`,
  );
}

/**
 * The recipient of an email. The email contains the organization's name, because an address can have accounts in
 * several organizations.
 */
type Account = { readonly name: string; readonly organization: string };

export function resetEmail(of: Account & { readonly url: string; readonly minutes: number }): EmailText {
  return consoleEmail(
    'Set a new password for Whence',
    `Hello ${oneLine(of.name)},`,
    `Someone, probably you, requested a new password for your account at ${oneLine(of.organization)}. Follow this link to choose one:`,
    { link: of.url, label: 'Choose a new password' },
    `The link works once, within ${of.minutes} minutes. If it was not you, ignore this email. Your password stays as it is.`,
  );
}

export function passwordChangedEmail(of: Account): EmailText {
  return consoleEmail(
    'Your password for Whence was changed',
    `Hello ${oneLine(of.name)},`,
    `The password of your account at ${oneLine(of.organization)} was just changed, and all other browsers were logged out.`,
    'Your passkeys can still be used to log in. Review them on the Account page.',
    'If it was not you, request a new password on the login page, and contact an owner of your organization.',
  );
}

export function secondFactorAddedEmail(of: Account): EmailText {
  return consoleEmail(
    'A second factor for Whence was added',
    `Hello ${oneLine(of.name)},`,
    `A second factor was added to your account at ${oneLine(of.organization)} just now. From now on, logging in with your password also needs a code from your app.`,
    'If it was not you, contact an owner of your organization immediately. The operator of the service can restore your access.',
  );
}

export function secondFactorRemovedEmail(of: Account): EmailText {
  return consoleEmail(
    'Your second factor for Whence was removed',
    `Hello ${oneLine(of.name)},`,
    `The second factor of your account at ${oneLine(of.organization)} was just removed. From now on, your password is enough to log in.`,
    'If it was not you, request a new password on the login page, and contact an owner of your organization.',
  );
}

export function passkeyAddedEmail(of: { readonly name: string; readonly passkey: string }): EmailText {
  return consoleEmail(
    'A passkey for Whence was added',
    `Hello ${oneLine(of.name)},`,
    `From now on the passkey “${oneLine(of.passkey)}” logs you in.`,
    'If you did not add it, remove it in your account, and end the other sessions there.',
  );
}

const ROLE_NAMES: Readonly<Record<Role, string>> = { owner: 'an owner', manager: 'a manager', viewer: 'a viewer' };
