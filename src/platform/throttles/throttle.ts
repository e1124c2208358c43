import { createHmac } from 'node:crypto';
import type { SecretBox } from '../crypto/secret-box.ts';

/**
 * A limit on attempts. `tries` attempts are allowed immediately, and after that one attempt every `seconds` / `tries`
 * seconds.
 */
export type Throttle = { readonly tries: number; readonly seconds: number };

/** The limits on attempts and emails, against guessing and abuse. Attempts in all processes count together. */
export const THROTTLES = {
  /**
   * Attempts with a password or a second-factor code for one account, or for an address that has no account. A password
   * login resets the count.
   */
  'log-in of an address': { tries: 10, seconds: 900 },
  /** Password logins from one network. A successful login doesn't count, unless several people have the address. */
  'log-in from a network': { tries: 30, seconds: 900 },
  /**
   * Password logins for one address, including logins with the correct password, because checking any password uses a
   * share of the computing time for all logins.
   */
  'password of an address': { tries: 60, seconds: 900 },
  /**
   * Changes of a person's own password, including attempts with a wrong current password. Each attempt uses a database
   * connection while passwords are hashed.
   */
  'password change of a person': { tries: 10, seconds: 900 },
  /**
   * Attempts to set a password with one invitation or reset link. Weak passwords count too, because checking their
   * strength takes time.
   */
  'password with a link': { tries: 20, seconds: 900 },
  /** Requests to email a link for setting a new password to one address. */
  'reset of an address': { tries: 3, seconds: 3_600 },
  'reset from a network': { tries: 20, seconds: 3_600 },
  /**
   * Requests to email a portal login link to one address, even if it belongs to no collaborator. Each exact address
   * counts separately. If all addresses of a mailbox counted together, a stranger could use up the limit without
   * causing an email.
   */
  'entry of an address': { tries: 5, seconds: 900 },
  /**
   * Login emails of one portal to any address of one mailbox. A merchant can add any number of collaborators with
   * addresses of a mailbox whose owner never agreed to get emails. Beyond the limit, no email is sent.
   */
  'login emails to a mailbox': { tries: 5, seconds: 900 },
  /** Requests to email a link that confirms a sign-up for one portal, to any address of one mailbox. */
  'sign-up of a mailbox': { tries: 5, seconds: 900 },
  /** Requests to email a login or sign-up link from one network, for known and unknown addresses alike. */
  'entry from a network': { tries: 30, seconds: 900 },
  /** Attempts with a code from a login or sign-up email, from one network. Correct codes don't count. */
  'code from a network': { tries: 30, seconds: 900 },
  /** Emails in which an organization invites a collaborator to the portal, to one mailbox. */
  'invitation of an address': { tries: 5, seconds: 900 },
  /** Invitation emails to one collaborator, regardless of address changes. */
  'invitation of a collaborator': { tries: 10, seconds: 86_400 },
  /**
   * Emails in which an organization invites a person to the console, to one mailbox. The limit on open invitations
   * isn't enough, because a revoked invitation makes room for another invitation.
   */
  'invitation of a person': { tries: 5, seconds: 900 },
  /**
   * All emails in which an organization invites people to the console, so that a stolen API key can't be used to send
   * spam.
   */
  'people invited by an organization': { tries: 100, seconds: 3_600 },
  /**
   * All emails in which an organization invites collaborators to the portal. Merchants often invite many of them
   * together.
   */
  'collaborators invited by an organization': { tries: 1_000, seconds: 3_600 },
  /**
   * Changes that a collaborator makes to their own payout details. A change can send an email, so this also limits the
   * emails that an account can cause.
   */
  'payout details of a collaborator': { tries: 10, seconds: 86_400 },
  /** Changes of a collaborator's tax details, by the collaborator or by the merchant. A change can send an email. */
  'tax details of a collaborator': { tries: 10, seconds: 86_400 },
  /** Changes of the tax details of all collaborators of one organization whose addresses belong to one mailbox. */
  'tax details of a mailbox': { tries: 50, seconds: 86_400 },
  /**
   * Changes of tax details in one organization that send an email. Without this limit, these emails could delay other
   * organizations' emails for long.
   */
  'tax details of an organization': { tries: 5_000, seconds: 3_600 },
  /**
   * Changes of the email addresses of all collaborators of one organization whose old addresses belong to one mailbox.
   * Each change sends a security notice. If notices beyond the limit were skipped instead, a person with a stolen API key
   * could use up the limit to change an address unnoticed.
   */
  'changed addresses of a mailbox': { tries: 50, seconds: 86_400 },
  /** Changes of collaborators' email addresses in one organization that send a security notice. */
  'changed addresses of an organization': { tries: 5_000, seconds: 3_600 },
  /** Changes that a collaborator makes to their own name. Each change permanently adds an audit record. */
  'name of a collaborator': { tries: 20, seconds: 86_400 },
  /** Changes that a collaborator makes to their email preferences. Each change permanently adds an audit record. */
  'email preferences of a collaborator': { tries: 50, seconds: 86_400 },
  /** Requests to email a link that confirms a sign-up for one portal, to any address and from any network. */
  'sign-ups of an organization': { tries: 300, seconds: 3_600 },
  /**
   * Notification emails and announcements of one organization to one mailbox. A merchant can add any number of
   * collaborators with addresses of a mailbox whose owner never agreed to get emails. Further emails are not sent.
   */
  'partner emails to a mailbox': { tries: 20, seconds: 86_400 },
  /**
   * Emails of one organization to one mailbox that notify a collaborator of a change by the merchant. Beyond the limit,
   * changes send no email.
   */
  'notice to an address': { tries: 10, seconds: 86_400 },
  /** All emails in which an organization notifies collaborators of a change by the merchant. */
  'notices of an organization': { tries: 1_000, seconds: 3_600 },
  /**
   * Notices of one organization about the accounts of people with unconfirmed addresses of one mailbox. Anyone who can
   * create invitations can add people with addresses of that mailbox. Beyond the limit, no email is sent.
   */
  'notices to an unconfirmed mailbox': { tries: 10, seconds: 86_400 },
  /**
   * Password links and confirmations of one organization to people with unconfirmed addresses of one mailbox. Beyond the
   * limit, no email is sent. Notices have a limit of their own, because anyone can request password links.
   */
  'links to an unconfirmed mailbox': { tries: 10, seconds: 86_400 },
  /** Emails that confirm a person's own address. */
  'confirmation of a person': { tries: 3, seconds: 3_600 },
  /** Announcements to collaborators. Each can be sent to many of them. */
  'announcements of an organization': { tries: 5, seconds: 86_400 },
  /** Emails of one organization to one mailbox with which people test announcements. Their addresses may be unconfirmed. */
  'tests of announcements to a mailbox': { tries: 20, seconds: 3_600 },
  /** Emails of one organization to one mailbox that remind a collaborator to enter payout details. */
  'payout reminder to an address': { tries: 1, seconds: 86_400 },
  /** All emails in which an organization reminds collaborators to enter payout details. */
  'payout reminders of an organization': { tries: 1_000, seconds: 3_600 },
  /** Passkeys and second factors that are added to one account. Each addition also sends an email. */
  'way in of an account': { tries: 20, seconds: 86_400 },
  /**
   * Partner links that a collaborator creates. Each link permanently adds a referral code and a configuration version,
   * even if the code is retired later.
   */
  'new link of a collaborator': { tries: 200, seconds: 86_400 },
} as const satisfies Readonly<Record<string, Throttle>>;

export type ThrottleName = keyof typeof THROTTLES;

/**
 * Returns the bucket in which the attempts of a subject, such as an email address or a network, are counted. It is a
 * keyed hash, so the subject itself is never stored. Without a key, the hash of an IPv4 address could be reversed
 * within minutes, by trying all 2^32 addresses.
 */
export function throttleBucket(key: Uint8Array, name: ThrottleName, of: string): Buffer {
  return createHmac('sha256', key).update(`${name}\n${of}`).digest();
}

/** The attempts of a subject: the limit on them, and the bucket in which they are counted. */
export type Attempts = Throttle & { readonly bucket: Uint8Array };

/** Returns the attempts of a subject under the limit `name`. See `throttleBucket`. */
export function attemptsOf({ hashKey }: Pick<SecretBox, 'hashKey'>, name: ThrottleName, of: string): Attempts {
  return { ...THROTTLES[name], bucket: throttleBucket(hashKey, name, of) };
}
