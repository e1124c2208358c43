import { Overloaded } from '#core/failures.ts';
import { addressOf } from '../domain/person.ts';
import { type Attempts, attemptsOf } from '#platform/throttles/throttle.ts';
import { type Database, inVisitorTransaction } from '#platform/postgres/database.ts';
import { findByAddress, lockPersonForLogin, type Person } from '../store/people.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { clearThrottle, releaseThrottle } from '#platform/throttles/throttles.ts';
import { type Browser, type LoggedIn, logIn } from './begin-session.ts';
import { findPassword } from './passwords.ts';
import { spendCode } from './second-factor.ts';
import { takeThrottles, type Throttled } from '#platform/throttles/take-throttles.ts';

export type Credentials = {
  readonly email: string;
  readonly password: string;
  readonly code: string | undefined;
};

/** The browser and the network of a login attempt. */
export type Trier = Browser & { readonly network: string };

export type SessionOutcome =
  | ({ readonly kind: 'opened' } & LoggedIn)
  /**
   * The person is unknown or removed, or the password or the code is wrong. All cases return the same response. A login
   * with an unknown address takes as long as a login with a wrong password.
   */
  | { readonly kind: 'wrong' }
  | { readonly kind: 'code-required' }
  | Throttled;

/**
 * Logs a person in with their password and, if they have a second factor, a code. Each attempt is counted before it is
 * checked, so concurrent attempts can't exceed the limits. Successful attempts are subtracted again, with two
 * exceptions:
 *
 * - The limit `password of an address` counts all attempts, and is too high to reach by typing. Without it, the owner
 *   of one account could delay all other logins by sending their correct password many times. A correct password takes
 *   as long to check as a wrong password.
 * - If several people with the address have attempts left, the attempt stays counted for the network and for the other
 *   people.
 *
 * If several people have the address and the password, the person who was added first is logged in. Otherwise, another
 * organization could block the login by adding a person.
 */
export async function openSession(
  database: Database,
  secrets: SecretBox,
  { email, password, code }: Credentials,
  { network, ...browser }: Trier,
): Promise<SessionOutcome> {
  const address = addressOf(email);
  const ofNetwork = attemptsOf(secrets, 'log-in from a network', network);
  const tooMany = await takeThrottles(database, ofNetwork);
  if (tooMany !== undefined) return tooMany;
  const trying = await countAttempts(database, secrets, address);
  if (trying.kind === 'throttled') return trying;
  const ofPasswords = passwordAttempts(secrets, address);
  const throttled = await takeThrottles(database, ofPasswords);
  if (throttled !== undefined) return throttled;
  const passwords = trying.people.map((each) => each.password);
  const found = await findPassword(password, passwords).catch(async (error: unknown) => {
    // No password was compared, so an attempt during an overload must not count.
    if (error instanceof Overloaded) {
      for (const attempts of [ofNetwork, ofPasswords, ...trying.counted]) await releaseThrottle(database, attempts);
    }
    throw error;
  });
  const person = trying.people[found];
  if (person === undefined) return { kind: 'wrong' };
  const ofPerson = logInAttempts(secrets, person);
  const opening = await openFor(database, secrets, person, code, browser).catch(async (error: unknown) => {
    // The password is correct, so an attempt that fails because of a lock or the database must not count for the person.
    await releaseThrottle(database, ofPerson);
    if (trying.counted.length === 1) await releaseThrottle(database, ofNetwork);
    throw error;
  });
  if (opening.kind === 'wrong') return opening;
  // If other people have this address, the attempt stays counted for them, and therefore for the network too.
  // Otherwise, another organization could invite the address and use up the other people's attempts with successful
  // logins of its own.
  if (trying.counted.length === 1) await releaseThrottle(database, ofNetwork);
  // If only the code is missing, subtract only this attempt from the count. If all attempts were cleared, a caller who
  // knows the password could try any number of codes.
  if (opening.kind === 'opened') await clearThrottle(database, ofPerson);
  else await releaseThrottle(database, ofPerson);
  return opening;
}

/**
 * Counts a login attempt for each person with the address, and returns the people with attempts left. For an unknown
 * address, counts the attempt for the address itself. Returns `Throttled` if no attempts are left.
 *
 * A login clears only its own person's attempts. Otherwise, an organization could invite the address of another
 * organization's person and reset the count by logging in as its own person. It could then guess the other person's
 * password without limit.
 */
async function countAttempts(
  database: Database,
  secrets: SecretBox,
  address: string,
): Promise<
  { readonly kind: 'taken'; readonly people: readonly Person[]; readonly counted: readonly Attempts[] } | Throttled
> {
  const found = await findByAddress(database, address);
  const people: Person[] = [];
  const ofNobody = attemptsOf(secrets, 'log-in of an address', address);
  let throttled: Throttled | undefined;
  for (const person of found) {
    const refusal = await takeThrottles(database, logInAttempts(secrets, person));
    if (refusal === undefined) people.push(person);
    else throttled ??= refusal;
  }
  if (found.length === 0) throttled = await takeThrottles(database, ofNobody);
  if (people.length === 0 && throttled !== undefined) return throttled;
  const counted = found.length === 0 ? [ofNobody] : people.map((person) => logInAttempts(secrets, person));
  return { kind: 'taken', people, counted };
}

export function logInAttempts(
  secrets: SecretBox,
  { organizationId, email }: Pick<Person, 'organizationId' | 'email'>,
): Attempts {
  return attemptsOf(secrets, 'log-in of an address', `${organizationId} ${email}`);
}

/** Returns the attempts that count the passwords compared for an address, across all organizations. */
export function passwordAttempts(secrets: SecretBox, address: string): Attempts {
  return attemptsOf(secrets, 'password of an address', address);
}

/**
 * Opens a session for a person whose password was just verified. Returns `wrong` if the password was changed in the
 * meantime, or if the code is wrong. Returns `code-required` if the person has a second factor and no code was sent.
 */
function openFor(
  database: Database,
  secrets: SecretBox,
  { organizationId, id, password }: Person,
  code: string | undefined,
  browser: Browser,
): Promise<Exclude<SessionOutcome, Throttled>> {
  return inVisitorTransaction(database, async (connection) => {
    const tenant = { connection, organizationId };
    const person = await lockPersonForLogin(tenant, id);
    if (person?.password !== password) return { kind: 'wrong' };
    if (person.totpSince !== null) {
      if (code === undefined) return { kind: 'code-required' };
      if (!(await spendCode(connection, secrets, person, code))) return { kind: 'wrong' };
    }
    const by = { operation: 'openSession', path: '/v1/sessions' };
    return { kind: 'opened', ...(await logIn(tenant, id, browser, by)) };
  });
}
