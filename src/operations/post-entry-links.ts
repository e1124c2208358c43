import { randomBytes } from 'node:crypto';
import { ENTRY_CODE_LENGTH, ENTRY_SECONDS, entryCodeOf, shownEntryCode } from '#domain/entry-code.ts';
import type { OrganizationId } from '#domain/ids.ts';
import { closedAccountMail, type Entry, entryMail, type Mail, signUpMail } from '#domain/mail.ts';
import { addressOf } from '#domain/person.ts';
import { mayEnterPortal } from '#domain/portal.ts';
import { tokenHash, tokenOf } from '#domain/session.ts';
import { THROTTLES, throttleBucket } from '#domain/throttle.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import { type AskedSignUp, type EntryFor, insertEntryLink, insertNoMail } from '#store/entry-links.ts';
import { holdOpenPortal } from '#store/portals.ts';
import type { OpenPortal } from '#store/read/portals.ts';
import { MAX_OFFERED, readOfferedPrograms } from '#store/read/sign-ups.ts';
import type { SecretBox } from '#store/secret-box.ts';
import { type AddressOwner, findByAddress } from '#store/sign-ups.ts';
import { postMail } from './post-mail.ts';
import { takeThrottles, type Throttled } from './take-throttles.ts';

/** Collaborators of one address who get a link each. */
const MAX_OWNERS = 3;
const MINUTES = ENTRY_SECONDS / 60;

export type EntryPosting = { readonly kind: 'posted' } | Throttled;

/** The portal, with the address under which people reach it. */
export type Entrance = OpenPortal & { readonly url: string };

/**
 * Mails links to those who have an address and may come in. Of one that nobody has a link is made as well, and told to
 * nobody: so nobody learns by waiting either whether there is such an account.
 */
export async function postEntryLinks(
  database: Database,
  secrets: SecretBox,
  portal: Entrance,
  email: string,
  network: string,
): Promise<EntryPosting> {
  const throttled = await throttle(database, secrets, portal, email, network);
  if (throttled !== undefined) return throttled;
  await inTransaction(database, async (connection) => {
    if (!(await holdOpenPortal(connection, portal.organizationId))) return;
    const owners = await findByAddress(connection, portal.organizationId, addressOf(email), MAX_OWNERS);
    const entering = owners.filter(({ status }) => mayEnterPortal(status));
    for (const { id, name } of entering) {
      const entry = await makeEntry(connection, secrets, portal, email, { kind: 'collaborator', collaboratorId: id });
      await mail(connection, secrets, portal, email, entryMail({ portal: portal.name, name, ...entry }));
    }
    if (entering.length === 0) await postNothing(connection, secrets, portal, email, owners);
  });
  return { kind: 'posted' };
}

/** Mails the link that confirms a sign-up; of an address that may not come in, that it may not. */
export async function postSignUp(
  database: Database,
  secrets: SecretBox,
  portal: Entrance,
  signUp: AskedSignUp,
  network: string,
): Promise<EntryPosting | { readonly kind: 'unknown-program' }> {
  const offered = await readOfferedPrograms(database, portal.organizationId, MAX_OFFERED);
  const program = offered.find(({ id }) => id === signUp.programId);
  if (program === undefined) return { kind: 'unknown-program' };
  const throttled = await throttle(database, secrets, portal, signUp.email, network);
  if (throttled !== undefined) return throttled;
  await inTransaction(database, async (connection) => {
    if (!(await holdOpenPortal(connection, portal.organizationId))) return;
    const owners = await findByAddress(connection, portal.organizationId, addressOf(signUp.email), MAX_OWNERS);
    if (owners[0] !== undefined && !mayEnterPortal(owners[0].status)) {
      return postNothing(connection, secrets, portal, signUp.email, owners);
    }
    const entry = await makeEntry(connection, secrets, portal, signUp.email, { kind: 'sign-up', signUp });
    const written = signUpMail({ portal: portal.name, program: program.fields.name, ...entry });
    return mail(connection, secrets, portal, signUp.email, written);
  });
  return { kind: 'posted' };
}

const OF_ADDRESS = THROTTLES['entry of an address'];
const OF_NETWORK = THROTTLES['entry from a network'];

/** Whether somebody has the address or not: each counts alike. */
function throttle(
  database: Database,
  { hashKey }: SecretBox,
  { organizationId }: Entrance,
  email: string,
  network: string,
): Promise<Throttled | undefined> {
  const address = `${organizationId} ${addressOf(email)}`;
  return takeThrottles(
    database,
    [throttleBucket(hashKey, 'entry from a network', network), OF_NETWORK],
    [throttleBucket(hashKey, 'entry of an address', address), OF_ADDRESS],
  );
}

/** An unknown address has the same made for it, and nothing sent: a link that lets nobody in, and no mail. */
async function postNothing(
  connection: Connection,
  secrets: SecretBox,
  portal: Entrance,
  email: string,
  owners: readonly AddressOwner[],
): Promise<void> {
  const { organizationId, name, supportEmail } = portal;
  const entry = await makeEntry(connection, secrets, portal, email, { kind: 'nobody' });
  if (owners.length > 0) {
    return mail(connection, secrets, portal, email, closedAccountMail({ portal: name, supportEmail }));
  }
  const unsent = { to: email, ...entryMail({ portal: name, name: email, ...entry }) };
  return insertNoMail(connection, organizationId, secrets.seal(JSON.stringify(unsent)), ENTRY_SECONDS);
}

async function makeEntry(
  connection: Connection,
  secrets: SecretBox,
  { organizationId, url }: Entrance,
  email: string,
  entry: EntryFor,
): Promise<Entry> {
  const token = tokenOf(randomBytes(32));
  const code = entryCodeOf(randomBytes(ENTRY_CODE_LENGTH));
  const link = { hash: tokenHash(token), code: secrets.seal(code), address: addressOf(email), for: entry };
  await insertEntryLink(connection, organizationId, link, ENTRY_SECONDS);
  return { url: `${url}enter#${token}`, code: shownEntryCode(code), minutes: MINUTES };
}

/** To the address as it was compared: other letters that are taken for the same might lead to somebody else. */
function mail(
  connection: Connection,
  secrets: SecretBox,
  { organizationId }: { readonly organizationId: OrganizationId },
  to: string,
  written: Omit<Mail, 'to'>,
): Promise<void> {
  return postMail(connection, secrets, organizationId, { to: addressOf(to), ...written }, ENTRY_SECONDS);
}
