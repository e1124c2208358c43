import { type Role, ROLES, type Scope, SCOPES } from '#core/caller.ts';
import { lackingScopes } from './api-key.ts';

export const PERSON_STATUSES = ['active', 'removed'] as const;
export const INVITATION_STATUSES = ['open', 'accepted', 'revoked', 'expired'] as const;

export type PersonStatus = (typeof PERSON_STATUSES)[number];
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  owner: SCOPES,
  manager: ['events:write', 'resources:read', 'resources:write'],
  viewer: ['resources:read'],
};

/** Returns the permissions of a role, as the scopes of an equivalent secret key. */
export function scopesOf(role: Role): readonly Scope[] {
  return ROLE_SCOPES[role];
}

/** Returns the roles that have the scope. */
export function rolesWith(scope: Scope): Role[] {
  return ROLES.filter((role) => ROLE_SCOPES[role].includes(scope));
}

/**
 * Returns the scopes that a caller needs to invite a person with the given role. Inviters can't grant more permissions
 * than their own.
 */
export function scopesToInvite(role: Role): readonly Scope[] {
  return ['people:write', ...scopesOf(role)];
}

/** Returns the roles to which a caller with the given scopes can invite people. */
export function rolesToInvite(scopes: readonly Scope[]): Role[] {
  return ROLES.filter((role) => lackingScopes(scopesToInvite(role), scopes).length === 0);
}

/** Returns whether a change would leave an organization without an owner. */
export function leavesNoOwner<Id>(owners: readonly Id[], person: Id, becomes: Role | 'removed'): boolean {
  return becomes !== 'owner' && owners.length === 1 && owners[0] === person;
}

/** Returns an email address in the form used for comparison. */
export function addressOf(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/**
 * Returns the mailbox that emails to an address likely reach, because many servers deliver `ada+shop@` to `ada@`. A
 * domain can be spelled in many ways, so its ASCII form is used. A local part with quotes can also be spelled in many
 * ways, so all such local parts of a domain count as one mailbox. Gmail ignores the dots of a local part, and has two
 * domains. Use it only to count emails. Two addresses with the same mailbox may still belong to different people.
 */
export function mailboxOf(email: string): string {
  const address = addressOf(email);
  const at = address.lastIndexOf('@');
  const [name = ''] = address.slice(0, at).split('+', 1);
  const domain = address.slice(at + 1);
  // Some mail servers accept a domain with a final dot. `asciiDomain` converts the dots of other scripts to ASCII dots.
  const server = asciiDomain(domain).replace(/\.$/, '');
  const plain = PLAIN_NAME.test(name) ? name : '';
  return GMAIL.has(server) ? `${plain.replaceAll('.', '')}@gmail.com` : `${plain}@${server}`;
}

const GMAIL: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com']);

function asciiDomain(domain: string): string {
  const url = `http://${domain}`;
  return URL.canParse(url) ? new URL(url).hostname : domain;
}

/**
 * A local part of dots, letters, combining marks, digits and the other characters that need no quotes in an address
 * (RFC 5322, atext).
 */
const PLAIN_NAME = /^[\p{L}\p{M}\p{N}.!#$%&'*/=?^_`{|}~-]+$/u;

export const INVITATION_DAYS = 7;
/** The maximum number of open invitations of an organization. */
export const MAX_OPEN_INVITATIONS = 100;
export const RESET_MINUTES = 60;

export const MIN_PASSWORD_LENGTH = 10;
/** The maximum length of a password. A longer password is no safer, and takes time to hash. */
export const MAX_PASSWORD_LENGTH = 256;
/** The minimum number of different characters in a password. It excludes passwords that repeat a few characters. */
const MIN_DIFFERENT_CHARACTERS = 5;

/**
 * The minimum number of characters of a password after the words of `ownWordsOf` are removed from it. Applies only to
 * passwords that contain such words.
 */
const MIN_BESIDE_OWN_WORDS = 6;
const SERVICE = 'whence';
/**
 * Example passwords from the documentation, and the best-known example of a strong password. Only their letters are
 * listed.
 */
const DOCUMENTED = new Set(['correcthorsebatterystaple', 'sevenquietherons', 'nineloudherons']);
/**
 * The maximum number of words of an organization's name that are searched for in a password. Without this limit, the
 * check took 175 ms instead of 25 ms for a name of 51 words.
 */
const NAME_WORDS = 8;
/** Characters that can join the words of a name in a password. */
const JOINTS = ['', '-', '_', '.', ' '];
/** The minimum length of a word of `ownWordsOf`. Shorter words occur in many passwords by chance. */
const MIN_WORD_LENGTH = 4;

export type PasswordOwner = { readonly email: string; readonly organization: string };

/**
 * Returns a reason why attackers would try the password early, or undefined. `findPasswordFault` in commands/ estimates
 * how hard other passwords are to guess.
 */
export function passwordFault(password: string, owner: PasswordOwner): string | undefined {
  if (new Set(password).size < MIN_DIFFERENT_CHARACTERS)
    return 'This has too few different characters. Use several unrelated words.';
  if (isDocumented(password)) return 'This is an example from the documentation. Choose your own password.';
  return isMostlyOwnWords(password.toLowerCase(), owner)
    ? 'This is too similar to your email address, your organization’s name or the service’s name. Choose another password.'
    : undefined;
}

/**
 * Returns words that attackers would expect in the owner's password, in lower case, the longest first. They are the
 * email address and its parts, the service's name, and the first NAME_WORDS words of the organization's name.
 * Combinations of that name's words are also included: the first two words, the first three and so on, joined with each
 * of JOINTS. Omits words that are shorter than MIN_WORD_LENGTH.
 */
export function ownWordsOf({ email, organization }: PasswordOwner): string[] {
  const address = addressOf(email);
  const [local = '', domain = ''] = address.split('@');
  const name = organization.normalize('NFC').toLowerCase();
  const words = name
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, NAME_WORDS);
  const names = words.flatMap((word, at) => [word, ...JOINTS.map((joint) => words.slice(0, at + 1).join(joint))]);
  // Sort the words by length, the longest first, because a name is no longer found after one of its words has been
  // removed.
  return [address, local, ...local.split(/[._+-]/), ...domain.split('.'), ...names, SERVICE]
    .filter(({ length }) => length >= MIN_WORD_LENGTH)
    .toSorted((one, other) => other.length - one.length);
}

/**
 * Returns whether a password is an example from the documentation. Ignores case and all characters except the letters a
 * to z.
 */
function isDocumented(password: string): boolean {
  const letters = password.toLowerCase().replaceAll(/[^a-z]/g, '');
  return DOCUMENTED.has(letters);
}

function isMostlyOwnWords(password: string, owner: PasswordOwner): boolean {
  const rest = ownWordsOf(owner).reduce((left, word) => left.replaceAll(word, ''), password);
  return rest.length < password.length && rest.length < MIN_BESIDE_OWN_WORDS;
}
