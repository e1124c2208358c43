import { SCOPES, type Scope } from './api-key.ts';
import { isCommonPassword } from './common-passwords.ts';

export const ROLES = ['owner', 'manager', 'viewer'] as const;
export const PERSON_STATUSES = ['active', 'removed'] as const;
export const INVITATION_STATUSES = ['open', 'accepted', 'revoked', 'expired'] as const;

export type Role = (typeof ROLES)[number];
export type PersonStatus = (typeof PERSON_STATUSES)[number];
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  owner: SCOPES,
  manager: ['events:write', 'resources:read', 'resources:write'],
  viewer: ['resources:read'],
};

/** What a role may do, as the scopes of a secret key that may do the same. */
export function scopesOf(role: Role): readonly Scope[] {
  return ROLE_SCOPES[role];
}

/** Whether an organization would be left without an owner: then nobody could make another one. */
export function leavesNoOwner<Id>(owners: readonly Id[], person: Id, becomes: Role | 'removed'): boolean {
  return becomes !== 'owner' && owners.length === 1 && owners[0] === person;
}

/** An address in the form in which two are compared. */
export function addressOf(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/** How long an invitation's link holds. */
export const INVITATION_DAYS = 7;
/** Links of an organization that hold at the same time: more doors than that nobody keeps an eye on. */
export const MAX_OPEN_INVITATIONS = 100;
/** How long a link to a new password holds. */
export const RESET_MINUTES = 60;

export const MIN_PASSWORD_LENGTH = 10;
/** Above it there is nothing to gain, and something to compute. */
export const MAX_PASSWORD_LENGTH = 256;
/** A word of fewer different characters is a row of the same. */
const MIN_DIFFERENT_CHARACTERS = 5;

/** What has the name of the service or a part of one's address in it needs so many characters beside. */
const MIN_BESIDE_OWN_WORDS = 6;
const SERVICE = 'whence';
/** A shorter part of an address is in many words by chance. */
const MIN_WORD_LENGTH = 4;

/** What makes a password too easy to guess; undefined: nothing that could be seen. `email` is its person's. */
export function passwordFault(password: string, email: string): string | undefined {
  if (isCommonPassword(password)) return 'This is among the passwords that are tried first.';
  if (new Set(password).size < MIN_DIFFERENT_CHARACTERS) return 'This has too few different characters.';
  return isMostlyOwnWords(password.toLowerCase(), addressOf(email))
    ? 'This is little more than your address or the name of the service.'
    : undefined;
}

function isMostlyOwnWords(password: string, address: string): boolean {
  const [local = '', domain = ''] = address.split('@');
  const words = [address, local, ...local.split(/[._+-]/), ...domain.split('.'), SERVICE].filter(
    ({ length }) => length >= MIN_WORD_LENGTH,
  );
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), password);
  return rest.length < password.length && rest.length < MIN_BESIDE_OWN_WORDS;
}
