import { Overloaded } from '#core/failures.ts';
import { addressOf } from '../domain/person.ts';
import { THROTTLES, throttleBucket } from '#platform/throttles/throttle.ts';
import { type Database, inVisitorTransaction } from '#platform/postgres/database.ts';
import { findByAddress, lockPerson, type Person } from '../store/people.ts';
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

const BY_ADDRESS = THROTTLES['log-in of an address'];
const BY_NETWORK = THROTTLES['log-in from a network'];
const BY_PASSWORD = THROTTLES['password of an address'];

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
  const { hashKey } = secrets;
  const ofNetwork = throttleBucket(hashKey, 'log-in from a network', network);
  const tooMany = await takeThrottles(database, [ofNetwork, BY_NETWORK]);
  if (tooMany !== undefined) return tooMany;
  const trying = await countAttempts(database, secrets, address);
  if (trying.kind === 'throttled') return trying;
  const ofPasswords = passwordsBucket(secrets, address);
  const throttled = await takeThrottles(database, [ofPasswords, BY_PASSWORD]);
  if (throttled !== undefined) return throttled;
  const passwords = trying.people.map((each) => each.password);
  const found = await findPassword(password, passwords).catch(async (error: unknown) => {
    // No password was compared, so an attempt during an overload must not count.
    if (error instanceof Overloaded) {
      await releaseThrottle(database, ofNetwork, BY_NETWORK);
      await releaseThrottle(database, ofPasswords, BY_PASSWORD);
      for (const bucket of trying.buckets) await releaseThrottle(database, bucket, BY_ADDRESS);
    }
    throw error;
  });
  const person = trying.people[found];
  if (person === undefined) return { kind: 'wrong' };
  const opening = await openFor(database, secrets, person, code, browser);
  if (opening.kind === 'wrong') return opening;
  // If other people have this address, the attempt stays counted for them, and therefore for the network too.
  // Otherwise, another organization could invite the address and use up the other people's attempts with successful
  // logins of its own.
  if (trying.buckets.length === 1) await releaseThrottle(database, ofNetwork, BY_NETWORK);
  // If only the code is missing, subtract only this attempt from the count. If all attempts were cleared, a caller who
  // knows the password could try any number of codes.
  const ofPerson = logInBucket(secrets, person);
  if (opening.kind === 'opened') await clearThrottle(database, ofPerson);
  else await releaseThrottle(database, ofPerson, BY_ADDRESS);
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
  { readonly kind: 'taken'; readonly people: readonly Person[]; readonly buckets: readonly Buffer[] } | Throttled
> {
  const found = await findByAddress(database, address);
  const people: Person[] = [];
  const ofNobody = throttleBucket(secrets.hashKey, 'log-in of an address', address);
  let throttled: Throttled | undefined;
  for (const person of found) {
    const refusal = await takeThrottles(database, [logInBucket(secrets, person), BY_ADDRESS]);
    if (refusal === undefined) people.push(person);
    else throttled ??= refusal;
  }
  if (found.length === 0) {
    throttled = await takeThrottles(database, [ofNobody, BY_ADDRESS]);
  }
  if (people.length === 0 && throttled !== undefined) return throttled;
  const buckets = found.length === 0 ? [ofNobody] : people.map((person) => logInBucket(secrets, person));
  return { kind: 'taken', people, buckets };
}

export function logInBucket(
  { hashKey }: SecretBox,
  { organizationId, email }: Pick<Person, 'organizationId' | 'email'>,
): Buffer {
  return throttleBucket(hashKey, 'log-in of an address', `${organizationId} ${email}`);
}

/** Returns the throttle bucket that counts the passwords compared for an address, across all organizations. */
export function passwordsBucket({ hashKey }: SecretBox, address: string): Buffer {
  return throttleBucket(hashKey, 'password of an address', address);
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
    const person = await lockPerson(tenant, id);
    if (person?.password !== password) return { kind: 'wrong' };
    if (person.totpSince !== null) {
      if (code === undefined) return { kind: 'code-required' };
      if (!(await spendCode(connection, secrets, person, code))) return { kind: 'wrong' };
    }
    const by = { operation: 'openSession', path: '/v1/sessions' };
    return { kind: 'opened', ...(await logIn(tenant, id, browser, by)) };
  });
}
