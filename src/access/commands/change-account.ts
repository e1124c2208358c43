import type { OrganizationId, PersonId, SessionId } from '#core/ids.ts';
import { passwordChangedEmail, secondFactorAddedEmail, secondFactorRemovedEmail } from '../wording/emails.ts';
import { throttleBucket, THROTTLES } from '#platform/throttles/throttle.ts';
import { type Connection, type Database, inTransaction } from '#platform/postgres/database.ts';
import { lockPerson, type Person, setPassword, updatePerson } from '../store/people.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { people, type PersonResource } from '../store/read/people.ts';
import { beginTotp, proposeTotp, removeTotp as remove } from '../store/second-factors.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { endSessions } from '../store/sessions.ts';
import { clearThrottle, releaseThrottle } from '#platform/throttles/throttles.ts';
import { logInBucket } from './open-session.ts';
import { findPasswordFault } from './password-strength.ts';
import { hashPassword, isPassword, saltOf } from './passwords.ts';
import { readOrganization } from '#organizations/store/read/organizations.ts';
import { queueEmail } from '#platform/email/queue-email.ts';
import { newRecoveryCodes, newTotp, spendCode, spendTotp } from './second-factor.ts';
import { takeThrottles, type Throttled } from '#platform/throttles/take-throttles.ts';
import { PersonGone } from '#core/failures.ts';

/** A person who changes their own account, with the session that they use. */
export type Own = {
  readonly organizationId: OrganizationId;
  readonly personId: PersonId;
  readonly sessionId: SessionId;
};

/** How long a notification can wait to be sent, in seconds. */
const NOTICE_S = 86_400;
const CHANGES = 'password change of a person';
const WAYS_IN = 'way in of an account';

/** Changes the fields of an account that its owner can change. */
export function changeAccount(
  database: Database,
  own: Own,
  { name }: { readonly name?: string | undefined },
): Promise<PersonResource> {
  return inTransaction(database, async (connection) => {
    const person = await ownPerson(connection, own);
    const tenant = { connection, organizationId: own.organizationId };
    await updatePerson(tenant, own.personId, { name: name ?? person.name, role: person.role });
    return (await readOne(tenant, people, { id: own.personId })) as PersonResource;
  });
}

export type PasswordChanging =
  | { readonly kind: 'changed' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'weak'; readonly detail: string }
  | Throttled;

/**
 * Sets a new password, and ends all other sessions of the person. A wrong current password counts as a login attempt.
 */
export function changePassword(
  database: Database,
  secrets: SecretBox,
  own: Own,
  { current, password }: { readonly current: string; readonly password: string },
): Promise<PasswordChanging> {
  return inTransaction(database, async (connection) => {
    const person = await ownPerson(connection, own);
    const changes = throttleBucket(secrets.hashKey, CHANGES, String(own.personId));
    const throttled =
      (await takeThrottles(connection, [changes, THROTTLES[CHANGES]])) ??
      (await countAttempt(connection, secrets, person));
    if (throttled !== undefined) return throttled;
    if (!(await isPassword(current, person.password))) return { kind: 'wrong' };
    // Don't clear all attempts. A caller who knows the password could otherwise try any number of codes.
    await releaseThrottle(connection, logInBucket(secrets, person), THROTTLES['log-in of an address']);
    const { name: organization } = await readOrganization({ connection, organizationId: own.organizationId });
    const detail = await findPasswordFault(password, { email: person.email, organization });
    if (detail !== undefined) return { kind: 'weak', detail };
    const { organizationId, personId, sessionId } = own;
    const kept = await hashPassword(password, saltOf(secrets, person.email));
    const tenant = { connection, organizationId };
    await setPassword(tenant, personId, kept);
    await endSessions(tenant, { kind: 'person', personId }, sessionId);
    await queueEmail(tenant, secrets, { to: person.email, ...passwordChangedEmail(person) }, NOTICE_S);
    return { kind: 'changed' };
  });
}

/**
 * Creates a secret for an authenticator app. It takes effect with the first code. Returns undefined if the person
 * already has a second factor.
 */
export function startTotp(
  database: Database,
  secrets: SecretBox,
  own: Own,
): Promise<{ readonly secret: string; readonly uri: string } | undefined> {
  return inTransaction(database, async (connection) => {
    const { email } = await ownPerson(connection, own);
    const made = await newTotp(email);
    const isKept = await proposeTotp(
      { connection, organizationId: own.organizationId },
      own.personId,
      secrets.seal(made.secret),
    );
    return isKept ? made : undefined;
  });
}

export type TotpConfirming =
  | { readonly kind: 'confirmed'; readonly recoveryCodes: readonly string[] }
  | { readonly kind: 'wrong' }
  /** The setup was not started, or the second factor is already in use. */
  | { readonly kind: 'not-begun' }
  | Throttled;

/** Confirms the app with its first code. From then on, password logins require a code. */
export function confirmTotp(database: Database, secrets: SecretBox, own: Own, code: string): Promise<TotpConfirming> {
  return inTransaction(database, async (connection) => {
    const person = await ownPerson(connection, own);
    if (person.totpSecret === null || person.totpSince !== null) return { kind: 'not-begun' };
    const throttled = await countAttempt(connection, secrets, person);
    if (throttled !== undefined) return throttled;
    if (!(await spendTotp(connection, secrets, person, code))) return { kind: 'wrong' };
    await clearThrottle(connection, logInBucket(secrets, person));
    const waysIn = throttleBucket(secrets.hashKey, WAYS_IN, `person ${own.personId} of ${own.organizationId}`);
    const tooOften = await takeThrottles(connection, [waysIn, THROTTLES[WAYS_IN]]);
    if (tooOften !== undefined) return tooOften;
    const { codes, hashes } = newRecoveryCodes();
    const tenant = { connection, organizationId: own.organizationId };
    await beginTotp(tenant, own.personId, hashes);
    const mail = { to: person.email, ...secondFactorAddedEmail(person) };
    await queueEmail(tenant, secrets, mail, NOTICE_S);
    return { kind: 'confirmed', recoveryCodes: codes };
  });
}

export type TotpRemoving = { readonly kind: 'removed' | 'wrong' | 'not-in-use' } | Throttled;

/** Removes the second factor. Requires a valid code. */
export function removeTotp(database: Database, secrets: SecretBox, own: Own, code: string): Promise<TotpRemoving> {
  return inTransaction(database, async (connection) => {
    const person = await ownPerson(connection, own);
    if (person.totpSince === null) return { kind: 'not-in-use' };
    const throttled = await countAttempt(connection, secrets, person);
    if (throttled !== undefined) return throttled;
    if (!(await spendCode(connection, secrets, person, code))) return { kind: 'wrong' };
    await clearThrottle(connection, logInBucket(secrets, person));
    const tenant = { connection, organizationId: own.organizationId };
    await remove(tenant, own.personId);
    const mail = { to: person.email, ...secondFactorRemovedEmail(person) };
    await queueEmail(tenant, secrets, mail, NOTICE_S);
    return { kind: 'removed' };
  });
}

/** Locks and returns the caller. Throws `PersonGone` if they were removed while their request was in progress. */
async function ownPerson(connection: Connection, { organizationId, personId }: Own): Promise<Person> {
  const person = await lockPerson({ connection, organizationId }, personId);
  if (person === undefined) throw new PersonGone(`person ${personId}`);
  return person;
}

/**
 * Counts an attempt with a password or code. It counts even if the change is refused, because refusals are committed.
 */
function countAttempt(connection: Connection, secrets: SecretBox, person: Person): Promise<Throttled | undefined> {
  return takeThrottles(connection, [logInBucket(secrets, person), THROTTLES['log-in of an address']]);
}
