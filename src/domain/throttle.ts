import { createHmac } from 'node:crypto';

/** So many tries at once, and after them one each time when a share of the seconds has passed: `tries` in `seconds` in all. */
export type Throttle = { readonly tries: number; readonly seconds: number };

/** What may be tried so often only, whichever process is asked, since whoever tries more often is guessing. */
export const THROTTLES = {
  /** Passwords and codes of one address, whether somebody has it or not. */
  'log-in of an address': { tries: 10, seconds: 900 },
  /** Log-ins from one network: those that succeed don't count. */
  'log-in from a network': { tries: 30, seconds: 900 },
  /** Log-ins by password at one address, right ones too: each takes its share of what all log-ins have to compute. */
  'password of an address': { tries: 60, seconds: 900 },
  /** Changes of one's password, right or wrong: each holds a connection while passwords are computed. */
  'password change of a person': { tries: 10, seconds: 900 },
  /** Mails with a link to a new password. */
  'reset of an address': { tries: 3, seconds: 3_600 },
  'reset from a network': { tries: 20, seconds: 3_600 },
  /** Mails that let somebody into a portal, or confirm a sign-up. */
  'entry of an address': { tries: 5, seconds: 900 },
  'entry from a network': { tries: 30, seconds: 900 },
  /** Codes of such mails from one network: those that are right don't count. */
  'code from a network': { tries: 30, seconds: 900 },
  /** Mails by which a merchant invites a collaborator. */
  'invitation of an address': { tries: 5, seconds: 900 },
  /** The same, whichever address they have by then. */
  'invitation of a collaborator': { tries: 10, seconds: 86_400 },
  /** Mails by which an organization invites one of its people: a link that was revoked makes room for another. */
  'invitation of a person': { tries: 5, seconds: 900 },
} as const satisfies Readonly<Record<string, Throttle>>;

export type ThrottleName = keyof typeof THROTTLES;

/**
 * What is counted, as it is kept: addresses of people and networks are nowhere. Nobody without the key finds them by trying,
 * either: of a bare hash all 2^32 addresses of IPv4 are tried in minutes.
 */
export function throttleBucket(key: Uint8Array, name: ThrottleName, of: string): Buffer {
  return createHmac('sha256', key).update(`${name}\n${of}`).digest();
}
