import type { OrganizationId, PersonId, SessionId } from '#core/ids.ts';
import { passwordChangedEmail, secondFactorAddedEmail, secondFactorRemovedEmail } from '../wording/emails.ts';
import { attemptsOf } from '#platform/throttles/throttle.ts';
import { type Connection, type Database, inTransaction } from '#platform/postgres/database.ts';
import { lockPerson, type Person, setPassword, updatePerson } from '../store/people.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';
import { people, type PersonResource } from '../store/read/people.ts';
import { beginTotp, proposeTotp, removeTotp as remove } from '../store/second-factors.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { endSessions } from '../store/sessions.ts';
import { clearThrottle, releaseThrottle } from '#platform/throttles/throttles.ts';
import { logInAttempts } from './open-session.ts';
import { findPasswordFault } from './password-strength.ts';
import { hashPassword, isPassword, saltOf } from './passwords.ts';
import { readOrganization } from '#organizations/store/read/organizations.ts';
import { notifyPerson } from './notify-person.ts';
import { newRecoveryCodes, newTotp, spendCode, spendTotp } from './second-factor.ts';
import { takeThrottles, type Throttled } from '#platform/throttles/take-throttles.ts';
import { PersonGone } from '#core/failures.ts';

/** A person who changes their own account, with the session that they use. */
export type Own = {
  readonly organizationId: OrganizationId;
  readonly personId: PersonId;
  readonly sessionId: SessionId;
};

/** Changes the name of the calling person, and returns the changed person. */
export function changeAccount(
  database: Database,
  own: Own,
  { name }: { readonly name?: string | undefined },
): Promise<PersonResource> {
  return inTransaction(database, async (connection) => {
    const person = await ownPerson(connection, own);
    const tenant = { connection, organizationId: own.organizationId };
    await updatePerson(tenant, own.personId, { name: name ?? person.name, role: person.role });
    return await readExisting(tenant, people, { id: own.personId });
  });
}

export type PasswordChangeOutcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'weak'; readonly detail: string }
  | Throttled;

/**
 * Sets a new password, ends all other sessions of the person, and queues an email to the person. Each attempt counts
 * against the limit of password changes. A wrong current password also counts as a login attempt.
 */
export function changePassword(
  database: Database,
  secrets: SecretBox,
  own: Own,
  { current, password }: { readonly current: string; readonly password: string },
): Promise<PasswordChangeOutcome> {
  return inTransaction(database, async (connection) => {
    const person = await ownPerson(connection, own);
    // The attempt stays counted if the change is refused, because the transaction of a refused change is committed.
    const changes = attemptsOf(secrets, 'password change of a person', String(own.personId));
    const throttled = await takeThrottles(connection, changes, logInAttempts(secrets, person));
    if (throttled !== undefined) return throttled;
    if (!(await isPassword(current, person.password))) return { kind: 'wrong' };
    // Subtract only this attempt from the count. If all attempts were cleared, a caller who knows the password could
    // try any number of codes of the second factor.
    await releaseThrottle(connection, logInAttempts(secrets, person));
    const { name: organization } = await readOrganization({ connection, organizationId: own.organizationId });
    const detail = await findPasswordFault(password, { email: person.email, organization });
    if (detail !== undefined) return { kind: 'weak', detail };
    const { organizationId, personId, sessionId } = own;
    const kept = await hashPassword(password, saltOf(secrets, person.email));
    const tenant = { connection, organizationId };
    await setPassword(tenant, personId, kept);
    await endSessions(tenant, { kind: 'person', personId }, sessionId);
    await notifyPerson(tenant, secrets, personId, { to: person.email, ...passwordChangedEmail(person) });
    return { kind: 'changed' };
  });
}

/**
 * Creates a secret for an authenticator app. It takes effect when `confirmTotp` accepts the first code. Returns
 * undefined if the person already has a second factor.
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

export type TotpConfirmationOutcome =
  | { readonly kind: 'confirmed'; readonly recoveryCodes: readonly string[] }
  | { readonly kind: 'wrong' }
  /** The setup was not started, or the second factor is already in use. */
  | { readonly kind: 'not-begun' }
  | Throttled;

/**
 * Activates the second factor with the first code from the authenticator app, and returns recovery codes. From then on,
 * password logins require a code.
 */
export function confirmTotp(
  database: Database,
  secrets: SecretBox,
  own: Own,
  code: string,
): Promise<TotpConfirmationOutcome> {
  return inTransaction(database, async (connection) => {
    const person = await ownPerson(connection, own);
    if (person.totpSecret === null || person.totpSince !== null) return { kind: 'not-begun' };
    const waysIn = attemptsOf(secrets, 'way in of an account', `person ${own.personId} of ${own.organizationId}`);
    // Count in both buckets before the code is compared, so that a refused call never clears the count of attempts.
    const throttled = await takeThrottles(connection, logInAttempts(secrets, person), waysIn);
    if (throttled !== undefined) return throttled;
    if (!(await spendTotp(connection, secrets, person, code))) {
      await releaseThrottle(connection, waysIn);
      return { kind: 'wrong' };
    }
    await clearThrottle(connection, logInAttempts(secrets, person));
    const { codes, hashes } = newRecoveryCodes();
    const tenant = { connection, organizationId: own.organizationId };
    await beginTotp(tenant, own.personId, hashes);
    const mail = { to: person.email, ...secondFactorAddedEmail(person) };
    await notifyPerson(tenant, secrets, own.personId, mail);
    return { kind: 'confirmed', recoveryCodes: codes };
  });
}

export type TotpRemovalOutcome = { readonly kind: 'removed' | 'wrong' | 'not-in-use' } | Throttled;

/** Removes the person's second factor and its recovery codes. Requires a code from the app or a recovery code. */
export function removeTotp(
  database: Database,
  secrets: SecretBox,
  own: Own,
  code: string,
): Promise<TotpRemovalOutcome> {
  return inTransaction(database, async (connection) => {
    const person = await ownPerson(connection, own);
    if (person.totpSince === null) return { kind: 'not-in-use' };
    const throttled = await takeThrottles(connection, logInAttempts(secrets, person));
    if (throttled !== undefined) return throttled;
    if (!(await spendCode(connection, secrets, person, code))) return { kind: 'wrong' };
    await clearThrottle(connection, logInAttempts(secrets, person));
    const tenant = { connection, organizationId: own.organizationId };
    await remove(tenant, own.personId);
    const mail = { to: person.email, ...secondFactorRemovedEmail(person) };
    await notifyPerson(tenant, secrets, own.personId, mail);
    return { kind: 'removed' };
  });
}

/** Locks and returns the calling person. Throws `PersonGone` if the person was removed during the request. */
async function ownPerson(connection: Connection, { organizationId, personId }: Own): Promise<Person> {
  const person = await lockPerson({ connection, organizationId }, personId);
  if (person === undefined) throw new PersonGone(`person ${personId}`);
  return person;
}
