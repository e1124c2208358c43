import { randomBytes } from 'node:crypto';
import { passwordChangedEmail, resetEmail } from '../wording/emails.ts';
import { addressOf, RESET_MINUTES } from '../domain/person.ts';
import { tokenHash, tokenOf } from '../domain/session.ts';
import { attemptsOf } from '#platform/throttles/throttle.ts';
import { insertAuditEntry } from '#organizations/store/audit.ts';
import { type Database, inVisitorTransaction } from '#platform/postgres/database.ts';
import {
  beginPasswordReset,
  findPasswordReset,
  insertPasswordReset,
  spendPasswordReset,
} from '../store/password-resets.ts';
import { confirmAddress, findByAddress, lockPerson, type Person, setPassword } from '../store/people.ts';
import { removeTotp } from '../store/second-factors.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { endSessions } from '../store/sessions.ts';
import { clearThrottle, takeThrottle } from '#platform/throttles/throttles.ts';
import { logInAttempts, passwordAttempts } from './open-session.ts';
import { findPasswordFault, takePasswordTry } from './password-strength.ts';
import { hashPassword, saltOf } from './passwords.ts';
import { canEmailPerson, notifyPerson } from './notify-person.ts';
import { queueEmail } from '#platform/email/queue-email.ts';
import { takeThrottles, type Throttled } from '#platform/throttles/take-throttles.ts';

const MINUTE_S = 60;

/**
 * The minimum response time of an accepted request, in milliseconds. Queuing an email takes less, so the response time
 * doesn't reveal whether an email was queued.
 */
const EVEN_MS = 100;

/**
 * Queues an email with a password link for each person with the given address, one for each organization. The response
 * doesn't reveal whether the address is known. Returns `Throttled` if there were too many requests from the network. If
 * there were too many requests for the address, no email is queued.
 */
export async function requestPasswordReset(
  database: Database,
  secrets: SecretBox,
  { email, network, publicUrl }: { readonly email: string; readonly network: string; readonly publicUrl: string },
): Promise<{ readonly kind: 'done' } | Throttled> {
  const even = new Promise((resolve) => setTimeout(resolve, EVEN_MS));
  const throttled = await takeThrottles(database, attemptsOf(secrets, 'reset from a network', network));
  if (throttled !== undefined) return throttled;
  const address = addressOf(email);
  const mailing = await takeThrottle(database, attemptsOf(secrets, 'reset of an address', address));
  const people = await findByAddress(database, address);
  if (mailing.kind === 'taken')
    await Promise.all(people.map((person) => emailReset(database, secrets, person, publicUrl)));
  await even;
  return { kind: 'done' };
}

function emailReset(database: Database, secrets: SecretBox, person: Person, publicUrl: string): Promise<void> {
  const { organizationId, id, email } = person;
  const token = tokenOf(randomBytes(32));
  const seconds = RESET_MINUTES * MINUTE_S;
  const text = resetEmail({ ...person, url: `${publicUrl}/console/reset#${token}`, minutes: RESET_MINUTES });
  return inVisitorTransaction(database, async (connection) => {
    const tenant = { connection, organizationId };
    if (!(await canEmailPerson(tenant, secrets, id, email, 'links to an unconfirmed mailbox'))) return;
    const reset = { organizationId, personId: id, liftsTotp: false };
    await insertPasswordReset(connection, reset, tokenHash(token), seconds);
    await queueEmail(tenant, secrets, { to: email, ...text }, seconds);
  });
}

export type PasswordResetOutcome =
  | { readonly kind: 'reset' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'weak'; readonly detail: string }
  | Throttled;

/**
 * Sets a new password with a link's token, ends all sessions of the person, and queues an email to the person. A link
 * from the command line also removes the second factor. A link works only once, even if two calls use it concurrently.
 */
export async function resetPassword(
  database: Database,
  secrets: SecretBox,
  token: string,
  password: string,
): Promise<PasswordResetOutcome> {
  const hash = tokenHash(token);
  const found = await findPasswordReset(database, hash);
  if (found === undefined) return { kind: 'expired' };
  const throttled = await takePasswordTry(database, secrets, hash);
  if (throttled !== undefined) return throttled;
  const detail = await findPasswordFault(password, found);
  if (detail !== undefined) return { kind: 'weak', detail };
  // Hash the password before the transaction, because hashing is slow and the transaction locks the person.
  const kept = await hashPassword(password, saltOf(secrets, found.email));
  const { organizationId, personId } = found;
  // Refuse logins and end the sessions first. Otherwise, somebody with a stolen password or session could keep the
  // person locked with one change after another, and the transaction below would never get the lock.
  await beginPasswordReset(database, found, hash);
  await endSessions({ connection: database, organizationId }, { kind: 'person', personId });
  return inVisitorTransaction(database, async (connection) => {
    const tenant = { connection, organizationId };
    const person = await lockPerson(tenant, personId);
    if (person === undefined) return { kind: 'expired' };
    if (!(await spendPasswordReset(connection, found, hash))) return { kind: 'expired' };
    await setPassword(tenant, personId, kept);
    // A link from the command line also removes the second factor. It was not emailed, so it doesn't confirm the
    // address.
    if (found.liftsTotp) await removeTotp(tenant, personId);
    else await confirmAddress(tenant, personId);
    await endSessions(tenant, { kind: 'person', personId });
    await clearThrottle(connection, logInAttempts(secrets, person));
    // Clear the count of compared passwords, and not only the count of login attempts. Otherwise, the person could be
    // locked out by earlier wrong attempts, or by logins of another organization's person with the same address.
    await clearThrottle(connection, passwordAttempts(secrets, addressOf(person.email)));
    await insertAuditEntry(tenant, {
      author: `person ${personId}`,
      operation: 'resetPassword',
      path: '/v1/password-resets/complete',
      request: null,
      before: null,
      after: null,
    });
    await notifyPerson(tenant, secrets, personId, { to: person.email, ...passwordChangedEmail(person) });
    return { kind: 'reset' };
  });
}
