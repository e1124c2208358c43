import { addressOf } from '#domain/person.ts';
import { THROTTLES, throttleBucket } from '#domain/throttle.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { findByAddress, lockPerson, type Person } from '#store/people.ts';
import type { SecretBox } from '#store/secret-box.ts';
import { clearThrottle, giveBackThrottle } from '#store/throttles.ts';
import { type Browser, type LoggedIn, logIn } from './begin-session.ts';
import { isPassword } from './passwords.ts';
import { spendCode } from './second-factor.ts';
import { takeThrottles, type Throttled } from './take-throttles.ts';

export type Credentials = {
  readonly email: string;
  readonly password: string;
  readonly code: string | undefined;
};

/** Who tries, as far as it can be known. */
export type Trier = Browser & { readonly network: string };

export type SessionOpening =
  | ({ readonly kind: 'opened' } & LoggedIn)
  /** Unknown, removed, a wrong password, a wrong code: one answer, after the same time. */
  | { readonly kind: 'wrong' }
  | { readonly kind: 'code-required' }
  | Throttled;

const BY_ADDRESS = THROTTLES['log-in of an address'];
const BY_NETWORK = THROTTLES['log-in from a network'];
const BY_PASSWORD = THROTTLES['password of an address'];

/**
 * Logs a person in by their password and, where they have a second factor, a code. Each try counts before it is looked at,
 * so that many at once are no more than many. What was right is given back, up to a number that nobody comes to by hand: each
 * costs as much as a wrong one, and whoever has one account would keep all others waiting.
 */
export async function openSession(
  database: Database,
  secrets: SecretBox,
  { email, password, code }: Credentials,
  { network, ...browser }: Trier,
): Promise<SessionOpening> {
  const address = addressOf(email);
  const { hashKey } = secrets;
  const buckets = {
    address: logInBucket(secrets, address),
    network: throttleBucket(hashKey, 'log-in from a network', network),
  };
  const throttled = await takeThrottles(
    database,
    [buckets.network, BY_NETWORK],
    [buckets.address, BY_ADDRESS],
    [throttleBucket(hashKey, 'password of an address', address), BY_PASSWORD],
  );
  if (throttled !== undefined) return throttled;
  const person = await findByAddress(database, address);
  const isRight = await isPassword(password, person?.password);
  if (person === undefined || !isRight) return { kind: 'wrong' };
  const opening = await openFor(database, secrets, person, code, browser);
  if (opening.kind === 'wrong') return opening;
  await giveBackThrottle(database, buckets.network, BY_NETWORK);
  // Who knows the password may try as many codes as before, and no more.
  if (opening.kind === 'opened') await clearThrottle(database, buckets.address);
  else await giveBackThrottle(database, buckets.address, BY_ADDRESS);
  return opening;
}

/** What counts the tries of one address, whoever tries: passwords and codes alike. */
export function logInBucket({ hashKey }: SecretBox, address: string): Buffer {
  return throttleBucket(hashKey, 'log-in of an address', address);
}

/** The password was right a moment ago; whether it still is, is seen under the lock. */
function openFor(
  database: Database,
  secrets: SecretBox,
  { organizationId, id, password }: Person,
  code: string | undefined,
  browser: Browser,
): Promise<Exclude<SessionOpening, Throttled>> {
  return inTransaction(database, async (connection) => {
    const person = await lockPerson(connection, organizationId, id);
    if (person?.password !== password) return { kind: 'wrong' };
    if (person.totpSince !== null) {
      if (code === undefined) return { kind: 'code-required' };
      if (!(await spendCode(connection, secrets, person, code))) return { kind: 'wrong' };
    }
    const by = { operation: 'openSession', path: '/v1/sessions' };
    return { kind: 'opened', ...(await logIn(connection, organizationId, id, browser, by)) };
  });
}
