import { createHmac, randomBytes } from 'node:crypto';
import { type AnswersCheck, checkAnswers } from '../domain/application-form.ts';
import { ENTRY_CODE_LENGTH, ENTRY_SECONDS, entryCodeOf, shownEntryCode } from '../domain/entry-code.ts';
import { signUpNetwork } from '../domain/sign-up-network.ts';
import type { OrganizationId } from '#core/ids.ts';
import type { Email } from '#platform/email/email.ts';
import { closedAccountEmail, type Entry, entryEmail, signUpEmail } from '../wording/emails.ts';
import { addressOf, mailboxOf } from '#access/domain/person.ts';
import { type AgreementFault, agreementFault } from '../domain/partner-agreement.ts';
import { findAgreementInForce } from '../store/agreements.ts';
import { tokenHash, tokenOf } from '#access/domain/session.ts';
import { type Attempts, attemptsOf } from '#platform/throttles/throttle.ts';
import { type Connection, type Database, inVisitorTransaction } from '#platform/postgres/database.ts';
import {
  type AskedSignUp,
  type EntryFor,
  insertEntryLink,
  insertNoEmail,
  voidLoginLinks,
  voidSignUpLinks,
} from '../store/entry-links.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { visitListsOf } from '#programs/domain/fraud-list.ts';
import { findVisitEntries } from '#programs/store/fraud-list.ts';
import { lockOpenPortal } from '#organizations/store/portals.ts';
import type { OpenPortal } from '#organizations/store/read/portals.ts';
import { findOfferedProgram, readInvitation } from '../store/read/sign-ups.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { type AddressOwner, findByAddress } from '../store/sign-ups.ts';
import { queueEmail } from '#platform/email/queue-email.ts';
import { releaseThrottle, takeEachThrottle } from '#platform/throttles/throttles.ts';
import { takeThrottles, type Throttled } from '#platform/throttles/take-throttles.ts';
import { canEnterPortal } from '#collaborators/domain/collaborator.ts';

/** The maximum number of collaborators with the same address who get a link. */
const MAX_OWNERS = 3;
const MINUTES = ENTRY_SECONDS / 60;

export type EntryLinkOutcome = { readonly kind: 'posted' } | Throttled;

export type InvitedSignUp = {
  readonly signUp: AskedSignUp;
  /** The token of an invitation link, if the applicant uses one. */
  readonly invitation: string | undefined;
};

export type SignUpOutcome =
  | EntryLinkOutcome
  | { readonly kind: 'unknown-program' | 'link-expired' }
  | Extract<AnswersCheck, { kind: 'faulty' }>
  | { readonly kind: 'agreement'; readonly fault: AgreementFault };

/** An open portal with its public URL. */
export type Entrance = OpenPortal & { readonly url: string };

/**
 * Emails a login link to each collaborator with the given address who can log in, up to MAX_OWNERS. If there are none,
 * does the same work but emails no login link, so that response times don't reveal whether an account exists.
 */
export async function queueEntryLinks(
  database: Database,
  secrets: SecretBox,
  portal: Entrance,
  email: string,
  network: string,
): Promise<EntryLinkOutcome> {
  const throttled = await takeThrottles(
    database,
    attemptsOf(secrets, 'entry from a network', network),
    attemptsOf(secrets, 'entry of an address', `${portal.organizationId} ${addressOf(email)}`),
  );
  if (throttled !== undefined) return throttled;
  const to = { email, network };
  await inVisitorTransaction(database, async (connection) => {
    const tenant = { connection, organizationId: portal.organizationId };
    if (!(await lockOpenPortal(tenant))) return;
    const owners = await findByAddress(tenant, addressOf(email), MAX_OWNERS);
    const entering = owners.filter(({ status }) => canEnterPortal(status));
    // The owner of a closed account gets one email.
    const emails = owners.length === 0 ? 0 : Math.max(1, entering.length);
    const isAllowed = await takeLoginEmails(connection, secrets, portal, email, emails);
    // Beyond the limit, the links of earlier emails stay valid.
    if (isAllowed) await voidLoginLinks(tenant, addressOf(email));
    for (const { id, name } of isAllowed ? entering : []) {
      const entry = await makeEntry(connection, secrets, portal, to, { kind: 'collaborator', collaboratorId: id });
      await queueEntryEmail(connection, secrets, portal, email, entryEmail({ portal: portal.name, name, ...entry }));
    }
    if (!isAllowed) await queueNothing(connection, secrets, portal, to, []);
    else if (entering.length === 0) await queueNothing(connection, secrets, portal, to, owners);
  });
  return { kind: 'posted' };
}

/**
 * Counts login emails to a mailbox if all of them are allowed, and returns whether they are. If there are no emails,
 * counts one for the exact address only, so that response times don't reveal whether an account exists.
 */
async function takeLoginEmails(
  connection: Connection,
  secrets: SecretBox,
  { organizationId }: Entrance,
  email: string,
  emails: number,
): Promise<boolean> {
  const mailbox = emails === 0 ? `nobody ${addressOf(email)}` : mailboxOf(email);
  const attempts = attemptsOf(secrets, 'login emails to a mailbox', `${organizationId} ${mailbox}`);
  const buckets = Array.from({ length: Math.max(1, emails) }, () => attempts.bucket);
  const areAllowed = await takeEachThrottle(connection, buckets, attempts);
  if (areAllowed.every(Boolean)) return true;
  for (const isCounted of areAllowed) if (isCounted) await releaseThrottle(connection, attempts);
  return false;
}

/**
 * Emails a link that confirms a sign-up. If the address belongs to a closed account, the email reports that instead.
 * Sends nothing if the portal is closed or a rate limit is exceeded. Also sends nothing in these cases:
 *
 * - `unknown-program`: the portal doesn't offer the program.
 * - `faulty`: the answers don't match the program's form.
 * - `agreement`: the applicant hasn't accepted the agreement in force.
 * - `link-expired`: the invitation link can't be used.
 */
export async function postSignUp(
  database: Database,
  secrets: SecretBox,
  portal: Entrance,
  { signUp: asked, invitation: token }: InvitedSignUp,
  network: string,
): Promise<SignUpOutcome> {
  const tenant = { connection: database, organizationId: portal.organizationId };
  const invitation = token === undefined ? undefined : await readInvitation(tenant, token);
  if (token !== undefined && invitation?.program.id !== asked.programId) return { kind: 'link-expired' };
  const program = invitation?.program ?? (await findOfferedProgram(tenant, asked.programId));
  if (program === undefined) return { kind: 'unknown-program' };
  const check = checkAnswers(program.form, asked.answers);
  if (check.kind === 'faulty') return check;
  const agreement = await findAgreementInForce(tenant);
  const fault = agreementFault(agreement, asked.agreementVersion);
  if (fault !== undefined) return { kind: 'agreement', fault };
  const signUp = {
    ...asked,
    answers: check.answers,
    agreementVersion: agreement,
    linkId: invitation?.linkId,
    network: await countedNetwork(tenant, secrets, network),
  };
  const throttled = await takeThrottles(
    database,
    attemptsOf(secrets, 'entry from a network', network),
    attemptsOf(secrets, 'sign-up of a mailbox', `${portal.organizationId} ${mailboxOf(signUp.email)}`),
    attemptsOf(secrets, 'sign-ups of an organization', String(portal.organizationId)),
  );
  if (throttled !== undefined) return throttled;
  const to = { email: signUp.email, network };
  await inVisitorTransaction(database, async (connection) => {
    const tenant = { connection, organizationId: portal.organizationId };
    if (!(await lockOpenPortal(tenant))) return;
    await voidSignUpLinks(tenant, addressOf(signUp.email), signUp.programId);
    const owners = await findByAddress(tenant, addressOf(signUp.email), MAX_OWNERS);
    if (owners[0] !== undefined && !canEnterPortal(owners[0].status)) {
      return queueNothing(connection, secrets, portal, to, owners);
    }
    const entry = await makeEntry(connection, secrets, portal, to, { kind: 'sign-up', signUp });
    const hasAgreement = owners.length === 0 && agreement !== undefined;
    const written = signUpEmail({ portal: portal.name, program: program.fields.name, hasAgreement, ...entry });
    return queueEntryEmail(connection, secrets, portal, signUp.email, written);
  });
  return { kind: 'posted' };
}

/**
 * Returns the hash with which sign-ups from a network are counted, in base64. The hash also depends on the
 * organization, so it can't be compared with the hashes of other organizations. Returns undefined if sign-ups from the
 * network aren't counted, for example because the network is on the organization's allow list.
 */
async function countedNetwork(
  tenant: Tenant<Database>,
  { hashKey }: SecretBox,
  client: string,
): Promise<string | undefined> {
  const network = signUpNetwork(client);
  if (network === undefined || visitListsOf(await findVisitEntries(tenant))?.allowsNetwork(client) === true)
    return undefined;
  const counted = `sign-ups from a network\n${tenant.organizationId}\n${network}`;
  return createHmac('sha256', hashKey).update(counted).digest('base64');
}

/** The recipient of a login or sign-up link, and the network that requested the link. */
type LinkRequest = { readonly email: string; readonly network: string };

/**
 * Returns the attempts with a code from a network. Their bucket is a keyed hash of the network, and is stored with a
 * login code. Without the key, it can't be reversed by trying all networks (see `throttleBucket`).
 */
export function codeAttempts(secrets: SecretBox, network: string): Attempts {
  return attemptsOf(secrets, 'code from a network', network);
}

/**
 * Does the work of a login email for an address that can't log in, so that the response time is the same. Creates a
 * link that is never sent. If the address belongs to a closed account, emails its owner that the account is closed.
 * Otherwise, does the work of queuing an email, but queues none.
 */
async function queueNothing(
  connection: Connection,
  secrets: SecretBox,
  portal: Entrance,
  to: LinkRequest,
  owners: readonly AddressOwner[],
): Promise<void> {
  const { organizationId, name, supportEmail } = portal;
  const { email } = to;
  const entry = await makeEntry(connection, secrets, portal, to, { kind: 'nobody' });
  if (owners.length > 0) {
    return queueEntryEmail(connection, secrets, portal, email, closedAccountEmail({ portal: name, supportEmail }));
  }
  const unsent = { to: email, ...entryEmail({ portal: name, name: email, ...entry }) };
  return insertNoEmail({ connection, organizationId }, secrets.seal(JSON.stringify(unsent)), ENTRY_SECONDS);
}

async function makeEntry(
  connection: Connection,
  secrets: SecretBox,
  { organizationId, url }: Entrance,
  { email, network }: LinkRequest,
  entry: EntryFor,
): Promise<Entry> {
  const token = tokenOf(randomBytes(32));
  const code = entryCodeOf(randomBytes(ENTRY_CODE_LENGTH));
  const { bucket: askedFrom } = codeAttempts(secrets, network);
  const link = { hash: tokenHash(token), code: secrets.seal(code), address: addressOf(email), askedFrom, for: entry };
  await insertEntryLink({ connection, organizationId }, link, ENTRY_SECONDS);
  return { url: `${url}enter#${token}`, code: shownEntryCode(code), minutes: MINUTES };
}

/**
 * Queues an email to the normalized address. The typed address may have different but equivalent letters, so it might
 * belong to another person.
 */
function queueEntryEmail(
  connection: Connection,
  secrets: SecretBox,
  { organizationId }: { readonly organizationId: OrganizationId },
  to: string,
  written: Omit<Email, 'to'>,
): Promise<void> {
  return queueEmail({ connection, organizationId }, secrets, { to: addressOf(to), ...written }, ENTRY_SECONDS);
}
