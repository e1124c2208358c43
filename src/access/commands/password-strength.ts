import { ownWordsOf, type PasswordOwner, passwordFault } from '../domain/person.ts';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { ROLES } from '#core/caller.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Database } from '#platform/postgres/database.ts';
import { takeThrottles, type Throttled } from '#platform/throttles/take-throttles.ts';
import { attemptsOf } from '#platform/throttles/throttle.ts';

/**
 * The minimum number of guesses for a new password, as zxcvbn estimates it. It is the threshold of zxcvbn's highest
 * level. The next lower level, 10^8, accepted `Sommer2026!` and `Change-me-2026`. Ten characters without a pattern are
 * estimated at exactly 10^10.
 */
const SAFE_GUESSES = 1e10;
/**
 * The maximum number of characters of a password that zxcvbn checks. Further characters can only make a password harder
 * to guess. With 32 characters and 10 substitutions, the slowest known password takes 5 ms. With 48 characters and 20
 * substitutions, it takes 16 ms. With the defaults, 256 characters and 100 substitutions, it takes 2.3 s.
 */
const JUDGED_LENGTH = 32;
/** The maximum number of substitutions of look-alike letters that zxcvbn tries. */
const READINGS = 10;
/**
 * Words that the users of this service are likely to choose first, in English and German. The word lists of zxcvbn lack
 * them.
 */
const EXPECTED_WORDS = [
  'administrator organization organisation company change-me account affiliate partner collaborator referral',
  'commission payout conversion shop firma passwort kennwort willkommen hallo frühling fruehling sommer herbst',
  'autumn monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag',
  'samstag sonntag january february march april june july august september october november december januar februar',
  'märz maerz juni juli oktober dezember',
].flatMap((line) => line.split(' '));

/** Returns an error text if the owner's new password is too easy to guess, and undefined otherwise. */
export async function findPasswordFault(password: string, owner: PasswordOwner): Promise<string | undefined> {
  const fault = passwordFault(password, owner);
  if (fault !== undefined) return fault;
  const words = [...ownWordsOf(owner), ...ROLES, ...EXPECTED_WORDS];
  const { guesses } = (await estimator()).check(password.slice(0, JUDGED_LENGTH), words);
  return guesses < SAFE_GUESSES
    ? 'This password is easy to guess. Use several unrelated words, or let a password manager generate one.'
    : undefined;
}

/**
 * Counts an attempt to set a password with a link. Returns `Throttled` if there were too many attempts. Call it only
 * for links that exist.
 */
export function takePasswordTry(
  database: Database,
  secrets: SecretBox,
  linkHash: Uint8Array,
): Promise<Throttled | undefined> {
  const link = Buffer.from(linkHash).toString('hex');
  return takeThrottles(database, attemptsOf(secrets, 'password with a link', link));
}

let made: Promise<ZxcvbnFactory> | undefined;

/**
 * Returns the estimator of password strength. It is loaded for the first new password, because loading its word lists
 * takes 100 ms and 28 MB of memory. Most processes never need it.
 */
function estimator(): Promise<ZxcvbnFactory> {
  made ??= load();
  return made;
}

async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new Factory({ dictionary, graphs: adjacencyGraphs, l33tMaxSubstitutions: READINGS });
}
