import { SCOPES, type Scope } from './api-key.ts';

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
/** How long a link to a new password holds. */
export const RESET_MINUTES = 60;

export const MIN_PASSWORD_LENGTH = 10;
/** Above it there is nothing to gain, and something to compute. */
export const MAX_PASSWORD_LENGTH = 256;
/** A word of fewer different characters is a row of the same. */
const MIN_DIFFERENT_CHARACTERS = 5;

/** What makes a password too easy to guess; undefined: nothing that could be seen. `email` is its person's. */
export function passwordFault(password: string, email: string): string | undefined {
  const plain = password.toLowerCase();
  if (COMMON.some((word) => plain === word)) return 'This is among the passwords that are tried first.';
  if (new Set(password).size < MIN_DIFFERENT_CHARACTERS) return 'This has too few different characters.';
  const address = addressOf(email);
  const isOwn = plain === address || plain === address.slice(0, address.indexOf('@'));
  return isOwn ? 'This is your address.' : undefined;
}

/** The most frequent of ten and more characters in lists that were stolen. */
const COMMON: readonly string[] = [
  '1234567890',
  '0123456789',
  '0987654321',
  '12345678910',
  '123456789a',
  'a123456789',
  '1q2w3e4r5t',
  '1q2w3e4r5t6y',
  '1qaz2wsx3edc',
  'qwertyuiop',
  'qwerty12345',
  'qwerty123456',
  'asdfghjkl123',
  'abcdefghij',
  'abcd123456',
  'password12',
  'password123',
  'password1234',
  'passw0rd123',
  'iloveyou12',
  'iloveyou123',
  'sunshine123',
  'princess123',
  'football123',
  'changeme123',
  'welcome123',
  'welcome1234',
  'administrator',
  'admin12345',
  'letmein123',
  'correcthorsebatterystaple',
];
