import { createHmac } from 'node:crypto';

/**
 * A limit of attempts. `tries` attempts are allowed immediately, and after that one attempt every `seconds` / `tries`
 * seconds.
 */
export type Throttle = { readonly tries: number; readonly seconds: number };

/** The limits of actions against guessing and abuse, across all processes. */
export const THROTTLES = {
  /** Attempts with passwords and codes for one address, whether or not an account has this address. */
  'log-in of an address': { tries: 10, seconds: 900 },
  /** Logins from one network. Successful logins don't count. */
  'log-in from a network': { tries: 30, seconds: 900 },
  /**
   * Password logins for one address, including correct passwords, because each login uses a share of the computing time
   * for all logins.
   */
  'password of an address': { tries: 60, seconds: 900 },
  /**
   * Changes of a person's own password, including attempts with a wrong current password. Each attempt uses a
   * connection while passwords are hashed.
   */
  'password change of a person': { tries: 10, seconds: 900 },
  /**
   * New passwords with an invitation or reset link. Weak passwords count too, because checking a password takes time.
   */
  'password with a link': { tries: 20, seconds: 900 },
  /** Emails with a link to set a new password. */
  'reset of an address': { tries: 3, seconds: 3_600 },
  'reset from a network': { tries: 20, seconds: 3_600 },
  /**
   * Emails with a login link for a portal. They count for the exact address, because only a collaborator's own address
   * gets an email. If all addresses of a mailbox counted together, a stranger could use up the limit without causing an
   * email.
   */
  'entry of an address': { tries: 5, seconds: 900 },
  /** Emails with a link to confirm a sign-up, to all addresses of a mailbox. */
  'sign-up of a mailbox': { tries: 5, seconds: 900 },
  'entry from a network': { tries: 30, seconds: 900 },
  /** Attempts from one network with the codes of login and sign-up emails. Correct codes don't count. */
  'code from a network': { tries: 30, seconds: 900 },
  /** Emails with which a merchant invites a collaborator. */
  'invitation of an address': { tries: 5, seconds: 900 },
  /** Invitation emails to one collaborator, regardless of address changes. */
  'invitation of a collaborator': { tries: 10, seconds: 86_400 },
  /**
   * Emails with which an organization invites a person to the console. They are limited separately, because a revoked
   * invitation makes room for another invitation.
   */
  'invitation of a person': { tries: 5, seconds: 900 },
  /** All invitation emails of an organization to people, so that a key can't be used to send spam. */
  'people invited by an organization': { tries: 100, seconds: 3_600 },
  /** All invitation emails of an organization to collaborators. Merchants often invite many of them together. */
  'collaborators invited by an organization': { tries: 1_000, seconds: 3_600 },
  /** Changes of payout details. Each sends an email, so this also limits the emails that an account can cause. */
  'payout details of a collaborator': { tries: 10, seconds: 86_400 },
  /** Changes of a collaborator's own name. Each permanently adds a version and an audit record. */
  'name of a collaborator': { tries: 20, seconds: 86_400 },
  /** Emails that confirm sign-ups at an organization's portal, to any addresses and from any networks. */
  'sign-ups of an organization': { tries: 300, seconds: 3_600 },
  /** Emails that notify a collaborator of a change by the merchant. Further changes send no email. */
  'notice to an address': { tries: 10, seconds: 86_400 },
  /** All notices of an organization to its collaborators. */
  'notices of an organization': { tries: 1_000, seconds: 3_600 },
  /** New passkeys and second factors. Each sends an email as well. */
  'way in of an account': { tries: 20, seconds: 86_400 },
  /** New partner links. Each permanently adds a code and a configuration version, even if it is retired. */
  'new link of a collaborator': { tries: 200, seconds: 86_400 },
} as const satisfies Readonly<Record<string, Throttle>>;

export type ThrottleName = keyof typeof THROTTLES;

/**
 * Returns the stored form of a counted subject, so that addresses of people and networks are never stored. It needs the
 * key, because an unkeyed hash could be reversed by trying all 2^32 IPv4 addresses within minutes.
 */
export function throttleBucket(key: Uint8Array, name: ThrottleName, of: string): Buffer {
  return createHmac('sha256', key).update(`${name}\n${of}`).digest();
}
