import { randomBytes } from 'node:crypto';
import { passwordChangedMail, resetMail } from '#domain/mail.ts';
import { addressOf, passwordFault, RESET_MINUTES } from '#domain/person.ts';
import { tokenHash, tokenOf } from '#domain/session.ts';
import { THROTTLES, throttleBucket } from '#domain/throttle.ts';
import { insertAuditEntry } from '#store/audit.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { findPasswordReset, insertPasswordReset, spendPasswordReset } from '#store/password-resets.ts';
import { findByAddress, lockPerson, type Person, setPassword } from '#store/people.ts';
import { removeTotp } from '#store/second-factors.ts';
import type { SecretBox } from '#store/secret-box.ts';
import { endSessions } from '#store/sessions.ts';
import { clearThrottle, takeThrottle } from '#store/throttles.ts';
import { logInBucket } from './open-session.ts';
import { hashPassword } from './passwords.ts';
import { postMail } from './post-mail.ts';
import { takeThrottles, type Throttled } from './take-throttles.ts';

const MINUTE_S = 60;
/** A word of what has happened is of use for a day. */
const NOTICE_S = 86_400;

/** Longer than it takes to leave a mail: whether one was left is not to be told by the time either. */
const EVEN_MS = 100;

/**
 * Mails a link to a new password to who has this address. Whoever asks learns nothing of whether somebody does; beyond so many
 * mails to one address there are no more, without a word.
 */
export async function requestPasswordReset(
  database: Database,
  secrets: SecretBox,
  { email, network, publicUrl }: { readonly email: string; readonly network: string; readonly publicUrl: string },
): Promise<{ readonly kind: 'done' } | Throttled> {
  const even = new Promise((resolve) => setTimeout(resolve, EVEN_MS));
  const networks = throttleBucket(secrets.hashKey, 'reset from a network', network);
  const throttled = await takeThrottles(database, [networks, THROTTLES['reset from a network']]);
  if (throttled !== undefined) return throttled;
  const address = addressOf(email);
  const mails = throttleBucket(secrets.hashKey, 'reset of an address', address);
  const mailing = await takeThrottle(database, mails, THROTTLES['reset of an address']);
  const person = await findByAddress(database, address);
  if (person !== undefined && mailing.kind === 'taken') await mailReset(database, secrets, person, publicUrl);
  await even;
  return { kind: 'done' };
}

function mailReset(database: Database, secrets: SecretBox, person: Person, publicUrl: string): Promise<void> {
  const { organizationId, id, email, name } = person;
  const token = tokenOf(randomBytes(32));
  const seconds = RESET_MINUTES * MINUTE_S;
  const text = resetMail({ name, url: `${publicUrl}/console/reset#${token}`, minutes: RESET_MINUTES });
  return inTransaction(database, async (connection) => {
    const reset = { organizationId, personId: id, liftsTotp: false };
    await insertPasswordReset(connection, reset, tokenHash(token), seconds);
    await postMail(connection, secrets, organizationId, { to: email, ...text }, seconds);
  });
}

export type PasswordResetting =
  { readonly kind: 'reset' } | { readonly kind: 'expired' } | { readonly kind: 'weak'; readonly detail: string };

/** Sets a new password by a link's token, and ends every session. Of two at once with the same link one does. */
export async function resetPassword(
  database: Database,
  secrets: SecretBox,
  token: string,
  password: string,
): Promise<PasswordResetting> {
  const hash = tokenHash(token);
  const found = await findPasswordReset(database, hash);
  if (found === undefined) return { kind: 'expired' };
  const kept = await hashPassword(password);
  return inTransaction(database, async (connection) => {
    const { organizationId, personId } = found;
    const person = await lockPerson(connection, organizationId, personId);
    if (person === undefined) return { kind: 'expired' };
    const detail = passwordFault(password, person.email);
    if (detail !== undefined) return { kind: 'weak', detail };
    if (!(await spendPasswordReset(connection, found, hash))) return { kind: 'expired' };
    await setPassword(connection, organizationId, personId, kept);
    if (found.liftsTotp) await removeTotp(connection, organizationId, personId);
    await endSessions(connection, organizationId, { kind: 'person', personId });
    await clearThrottle(connection, logInBucket(secrets, person.email));
    await insertAuditEntry(connection, organizationId, {
      author: `person ${personId}`,
      operation: 'resetPassword',
      path: '/v1/password-resets/complete',
      request: null,
      before: null,
      after: null,
    });
    await postMail(connection, secrets, organizationId, { to: person.email, ...passwordChangedMail(person) }, NOTICE_S);
    return { kind: 'reset' };
  });
}
