import { MAX_WRONG_CODES, typedEntryCode } from '../domain/entry-code.ts';
import type { CollaboratorId, OrganizationId, SessionId } from '#core/ids.ts';
import { addressOf } from '#access/domain/person.ts';
import { tokenHash } from '#access/domain/session.ts';
import { insertAuditEntry } from '#organizations/store/audit.ts';
import type { EmailContext } from '#collaborators/commands/notify-approved.ts';
import { lockCollaboratorShared } from '#collaborators/store/collaborators.ts';
import { type Connection, type Database, inVisitorTransaction } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { countWrongCode, type EntryFor, isEntryLink, lockEntryCodes, takeEntryLink } from '../store/entry-links.ts';
import { lockOpenPortal } from '#organizations/store/portals.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { releaseThrottle } from '#platform/throttles/throttles.ts';
import { beginSession, type Browser } from '#access/commands/begin-session.ts';
import { confirmSignUp } from './confirm-sign-up.ts';
import type { Trier } from '#access/commands/open-session.ts';
import { codeAttempts } from './queue-entry-links.ts';
import type { PasskeySite } from '#access/commands/passkey-challenge.ts';
import { takeThrottles, type Throttled } from '#platform/throttles/take-throttles.ts';
import { type PasskeyAnswer, spendAnswer, verifyAnswer } from '#access/commands/use-passkey.ts';
import { canEnterPortal } from '#collaborators/domain/collaborator.ts';

/** The credential with which a collaborator logs in: the token of an emailed link, or the code in the same email. */
export type EntryProof =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'code'; readonly email: string; readonly code: string };

export type OpenedPortal = {
  readonly kind: 'opened';
  readonly collaboratorId: CollaboratorId;
  readonly sessionId: SessionId;
  readonly token: string;
};

export type PortalSessionOutcome = OpenedPortal | { readonly kind: 'expired' };

/**
 * Uses up an emailed link or code and opens a session. If the link belongs to a sign-up, confirms the sign-up first.
 * Returns `expired` if the link or code is invalid, the portal is closed, or the collaborator can't log in. An unusable
 * link is not used up.
 *
 * Each attempt with a code counts against the limit of its network before the code is checked. Successful attempts are
 * subtracted again. Tokens are not limited, because they have too many random bits to be guessed.
 */
export async function openPortalSession(
  database: Database,
  context: EmailContext,
  portal: { readonly organizationId: OrganizationId; readonly slug: string },
  proof: EntryProof,
  { network, ...browser }: Trier,
): Promise<PortalSessionOutcome | Throttled> {
  if (proof.kind === 'token') {
    // Check the token before the lock, so that a flood of unknown tokens doesn't wait for changes of the organization.
    const tenant = { connection: database, organizationId: portal.organizationId };
    if (!(await isEntryLink(tenant, tokenHash(proof.token)))) return EXPIRED;
    return open(database, context, portal, proof, network, browser);
  }
  const attempts = codeAttempts(context.secrets, network);
  const throttled = await takeThrottles(database, attempts);
  if (throttled !== undefined) return throttled;
  const opening = await open(database, context, portal, proof, network, browser);
  if (opening.kind === 'opened') await releaseThrottle(database, attempts);
  return opening;
}

async function open(
  database: Database,
  context: EmailContext,
  portal: { readonly organizationId: OrganizationId; readonly slug: string },
  proof: EntryProof,
  network: string,
  browser: Browser,
): Promise<PortalSessionOutcome> {
  const { organizationId } = portal;
  try {
    return await inVisitorTransaction(database, async (connection) => {
      const tenant = { connection, organizationId };
      if (!(await lockOpenPortal(tenant))) return EXPIRED;
      const entry = await takeEntry(tenant, context.secrets, proof, network);
      if (entry === undefined) return EXPIRED;
      const collaboratorId = await enteringBy(connection, context, portal, entry);
      if (collaboratorId === undefined) throw new UnusableEntry();
      const opening = await beginPortalSession(tenant, collaboratorId, browser);
      if (opening.kind === 'expired') throw new UnusableEntry();
      return opening;
    });
  } catch (error) {
    if (error instanceof UnusableEntry) return EXPIRED;
    throw error;
  }
}

const EXPIRED = { kind: 'expired' } as const;

/** The error that rolls back the transaction, so that a link is not used up if its collaborator can't log in. */
class UnusableEntry extends Error {
  override readonly name = 'UnusableEntry';
}

/**
 * Opens a portal session with a passkey. Returns `expired` if the passkey's response is invalid or already used, or the
 * passkey belongs to another organization. Also returns `expired` if the portal is closed, or the collaborator can't
 * log in.
 */
export async function openPortalSessionByPasskey(
  database: Database,
  site: PasskeySite,
  { organizationId }: { readonly organizationId: OrganizationId },
  answer: PasskeyAnswer,
  browser: Browser,
): Promise<PortalSessionOutcome> {
  const answered = await verifyAnswer(database, site, 'collaborator', answer);
  const { passkey } = answered ?? {};
  if (answered === undefined || passkey?.organizationId !== organizationId) return { kind: 'expired' };
  return inVisitorTransaction(database, async (connection) => {
    const tenant = { connection, organizationId };
    if (!(await lockOpenPortal(tenant))) return { kind: 'expired' };
    if (!(await spendAnswer(connection, answered))) return { kind: 'expired' };
    return beginPortalSession(tenant, passkey.collaboratorId as CollaboratorId, browser);
  });
}

/**
 * Opens a session, or returns `expired` if the collaborator can't log in. For example, the merchant may have
 * deactivated the collaborator after the login email was sent.
 */
async function beginPortalSession(
  tenant: Tenant<Connection>,
  collaboratorId: CollaboratorId,
  browser: Browser,
): Promise<PortalSessionOutcome> {
  const collaborator = await lockCollaboratorShared(tenant, collaboratorId);
  if (collaborator === undefined || !canEnterPortal(collaborator.status)) return { kind: 'expired' };
  const holder = { kind: 'collaborator', collaboratorId } as const;
  const { id: sessionId, token } = await beginSession(tenant, holder, browser);
  return { kind: 'opened', collaboratorId, sessionId, token };
}

async function takeEntry(
  tenant: Tenant<Connection>,
  secrets: SecretBox,
  proof: EntryProof,
  network: string,
): Promise<EntryFor | undefined> {
  if (proof.kind === 'token') return takeEntryLink(tenant, tokenHash(proof.token));
  const address = addressOf(proof.email);
  const typed = typedEntryCode(proof.code);
  const { bucket: from } = codeAttempts(secrets, network);
  const links = await lockEntryCodes(tenant, address, from, MAX_WRONG_CODES);
  const found = links.find(
    ({ code }) => secrets.sealed(code) && tokenHash(secrets.open(code)).equals(tokenHash(typed)),
  );
  if (found !== undefined) return takeEntryLink(tenant, found.hash);
  await countWrongCode(tenant, address, from);
  return undefined;
}

async function enteringBy(
  connection: Connection,
  context: EmailContext,
  { organizationId, slug }: { readonly organizationId: OrganizationId; readonly slug: string },
  entry: EntryFor,
): Promise<CollaboratorId | undefined> {
  const tenant = { connection, organizationId };
  switch (entry.kind) {
    case 'nobody':
      return undefined;
    case 'collaborator':
      return entry.collaboratorId;
    case 'sign-up': {
      const { programId, name, code, agreementVersion, linkId: invitationLinkId } = entry.signUp;
      const collaboratorId = await confirmSignUp(tenant, context, entry.signUp);
      if (collaboratorId === undefined) return undefined;
      await insertAuditEntry(tenant, {
        author: `collaborator ${collaboratorId}`,
        operation: 'signUp',
        path: `/v1/portals/${slug}/sign-ups`,
        request: JSON.stringify({ programId, name, code, agreementVersion, invitationLinkId }),
        before: null,
        after: JSON.stringify({ collaboratorId }),
      });
      return collaboratorId;
    }
    default:
      return entry satisfies never;
  }
}
