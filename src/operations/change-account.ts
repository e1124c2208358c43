import type { OrganizationId, PersonId, SessionId } from '#domain/ids.ts';
import { passwordChangedMail, secondFactorAddedMail, secondFactorRemovedMail } from '#domain/mail.ts';
import { passwordFault } from '#domain/person.ts';
import { throttleBucket, THROTTLES } from '#domain/throttle.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import { lockPerson, type Person, setPassword, updatePerson } from '#store/people.ts';
import { readOne } from '#store/read/page.ts';
import { people, type PersonResource } from '#store/read/people.ts';
import { beginTotp, proposeTotp, removeTotp as remove } from '#store/second-factors.ts';
import type { SecretBox } from '#store/secret-box.ts';
import { endSessions } from '#store/sessions.ts';
import { clearThrottle } from '#store/throttles.ts';
import { logInBucket } from './open-session.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { postMail } from './post-mail.ts';
import { newRecoveryCodes, newTotp, spendCode, spendTotp } from './second-factor.ts';
import { takeThrottles, type Throttled } from './take-throttles.ts';

/** Who changes their own account, in which session. */
export type Own = {
  readonly organizationId: OrganizationId;
  readonly personId: PersonId;
  readonly sessionId: SessionId;
};

/** A word of what has happened is of use for a day. */
const NOTICE_S = 86_400;
const CHANGES = 'password change of a person';

/** Changes what people may change of themselves. */
export function changeAccount(
  database: Database,
  own: Own,
  { name }: { readonly name?: string | undefined },
): Promise<PersonResource> {
  return inTransaction(database, async (connection) => {
    const person = await ownPerson(connection, own);
    await updatePerson(connection, own.organizationId, own.personId, { name: name ?? person.name, role: person.role });
    return (await readOne(connection, own.organizationId, people, { id: own.personId })) as PersonResource;
  });
}

export type PasswordChanging =
  | { readonly kind: 'changed' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'weak'; readonly detail: string }
  | Throttled;

/** Sets another password, and ends all sessions but the one that asks. Wrong ones count as tries to log in do. */
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
      (await takeThrottles(connection, [changes, THROTTLES[CHANGES]])) ?? (await takeTry(connection, secrets, person));
    if (throttled !== undefined) return throttled;
    if (!(await isPassword(current, person.password))) return { kind: 'wrong' };
    await clearThrottle(connection, logInBucket(secrets, person.email));
    const detail = passwordFault(password, person.email);
    if (detail !== undefined) return { kind: 'weak', detail };
    const { organizationId, personId, sessionId } = own;
    await setPassword(connection, organizationId, personId, await hashPassword(password));
    await endSessions(connection, organizationId, { kind: 'person', personId }, sessionId);
    await postMail(connection, secrets, organizationId, { to: person.email, ...passwordChangedMail(person) }, NOTICE_S);
    return { kind: 'changed' };
  });
}

/** A secret for an app, which no code has proved yet. Undefined where the person has a second factor already. */
export function startTotp(
  database: Database,
  secrets: SecretBox,
  own: Own,
): Promise<{ readonly secret: string; readonly uri: string } | undefined> {
  return inTransaction(database, async (connection) => {
    const { email } = await ownPerson(connection, own);
    const made = await newTotp(email);
    const isKept = await proposeTotp(connection, own.organizationId, own.personId, secrets.seal(made.secret));
    return isKept ? made : undefined;
  });
}

export type TotpConfirming =
  | { readonly kind: 'confirmed'; readonly recoveryCodes: readonly string[] }
  | { readonly kind: 'wrong' }
  /** It was not begun, or is in use already. */
  | { readonly kind: 'not-begun' }
  | Throttled;

/** A first code proves the app: from now on log-ins need one. */
export function confirmTotp(database: Database, secrets: SecretBox, own: Own, code: string): Promise<TotpConfirming> {
  return inTransaction(database, async (connection) => {
    const person = await ownPerson(connection, own);
    if (person.totpSecret === null || person.totpSince !== null) return { kind: 'not-begun' };
    const throttled = await takeTry(connection, secrets, person);
    if (throttled !== undefined) return throttled;
    if (!(await spendTotp(connection, secrets, person, code))) return { kind: 'wrong' };
    await clearThrottle(connection, logInBucket(secrets, person.email));
    const { codes, hashes } = newRecoveryCodes();
    await beginTotp(connection, own.organizationId, own.personId, hashes);
    const mail = { to: person.email, ...secondFactorAddedMail(person) };
    await postMail(connection, secrets, own.organizationId, mail, NOTICE_S);
    return { kind: 'confirmed', recoveryCodes: codes };
  });
}

export type TotpRemoving = { readonly kind: 'removed' | 'wrong' | 'not-in-use' } | Throttled;

/** Takes the second factor away, by one of its codes. */
export function removeTotp(database: Database, secrets: SecretBox, own: Own, code: string): Promise<TotpRemoving> {
  return inTransaction(database, async (connection) => {
    const person = await ownPerson(connection, own);
    if (person.totpSince === null) return { kind: 'not-in-use' };
    const throttled = await takeTry(connection, secrets, person);
    if (throttled !== undefined) return throttled;
    if (!(await spendCode(connection, secrets, person, code))) return { kind: 'wrong' };
    await clearThrottle(connection, logInBucket(secrets, person.email));
    await remove(connection, own.organizationId, own.personId);
    const mail = { to: person.email, ...secondFactorRemovedMail(person) };
    await postMail(connection, secrets, own.organizationId, mail, NOTICE_S);
    return { kind: 'removed' };
  });
}

/** Thrown where somebody was removed a moment ago, while a request of theirs was under way. */
async function ownPerson(connection: Connection, { organizationId, personId }: Own): Promise<Person> {
  const person = await lockPerson(connection, organizationId, personId);
  if (person === undefined) throw new PersonGone(`person ${personId}`);
  return person;
}

/** Who asks was removed meanwhile. */
export class PersonGone extends Error {
  override readonly name = 'PersonGone';
}

/** Counts, though what comes of it may be refused: a refusal is committed as well. */
function takeTry(connection: Connection, secrets: SecretBox, { email }: Person): Promise<Throttled | undefined> {
  return takeThrottles(connection, [logInBucket(secrets, email), THROTTLES['log-in of an address']]);
}
