import { MAX_WRONG_CODES, typedEntryCode } from '#domain/entry-code.ts';
import type { CollaboratorId, OrganizationId, SessionId } from '#domain/ids.ts';
import { addressOf } from '#domain/person.ts';
import { mayEnterPortal } from '#domain/portal.ts';
import { tokenHash } from '#domain/session.ts';
import { THROTTLES, throttleBucket } from '#domain/throttle.ts';
import { insertAuditEntry } from '#store/audit.ts';
import { holdCollaborator } from '#store/collaborators.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import { countWrongCode, type EntryFor, lockEntryCodes, takeEntryLink } from '#store/entry-links.ts';
import { holdOpenPortal } from '#store/portals.ts';
import type { SecretBox } from '#store/secret-box.ts';
import { giveBackThrottle } from '#store/throttles.ts';
import { beginSession, type Browser } from './begin-session.ts';
import { confirmSignUp } from './confirm-sign-up.ts';
import type { Trier } from './open-session.ts';
import type { PasskeySite } from './passkey-challenge.ts';
import { takeThrottles, type Throttled } from './take-throttles.ts';
import { type PasskeyAnswer, spendAnswer, verifyAnswer } from './use-passkey.ts';

/** What lets somebody in: the token of a link, or the code that stands beside it in the mail. */
export type EntryProof =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'code'; readonly email: string; readonly code: string };

export type OpenedPortal = {
  readonly kind: 'opened';
  readonly collaboratorId: CollaboratorId;
  readonly sessionId: SessionId;
  /** What the cookie holds. */
  readonly token: string;
};

export type PortalOpening = OpenedPortal | { readonly kind: 'expired' };

const CODE_OF_NETWORK = THROTTLES['code from a network'];

/**
 * Uses a mailed link up and begins a session; one that confirms a sign-up does that first. A code counts as a try before it
 * is looked at; a token has too many random bits to be guessed.
 */
export async function openPortalSession(
  database: Database,
  secrets: SecretBox,
  portal: { readonly organizationId: OrganizationId; readonly slug: string },
  proof: EntryProof,
  { network, ...browser }: Trier,
): Promise<PortalOpening | Throttled> {
  if (proof.kind === 'token') return open(database, secrets, portal, proof, browser);
  const bucket = throttleBucket(secrets.hashKey, 'code from a network', network);
  const throttled = await takeThrottles(database, [bucket, CODE_OF_NETWORK]);
  if (throttled !== undefined) return throttled;
  const opening = await open(database, secrets, portal, proof, browser);
  if (opening.kind === 'opened') await giveBackThrottle(database, bucket, CODE_OF_NETWORK);
  return opening;
}

async function open(
  database: Database,
  secrets: SecretBox,
  portal: { readonly organizationId: OrganizationId; readonly slug: string },
  proof: EntryProof,
  browser: Browser,
): Promise<PortalOpening> {
  const { organizationId } = portal;
  try {
    return await inTransaction(database, async (connection) => {
      if (!(await holdOpenPortal(connection, organizationId))) return EXPIRED;
      const entry = await takeEntry(connection, secrets, organizationId, proof);
      if (entry === undefined) return EXPIRED;
      const collaboratorId = await enteringBy(connection, portal, entry);
      if (collaboratorId === undefined) throw new LetsNobodyIn();
      const opening = await beginPortalSession(connection, organizationId, collaboratorId, browser);
      if (opening.kind === 'expired') throw new LetsNobodyIn();
      return opening;
    });
  } catch (error) {
    if (error instanceof LetsNobodyIn) return EXPIRED;
    throw error;
  }
}

const EXPIRED = { kind: 'expired' } as const;

/** A link that lets nobody in is not used up by that: what is refused has changed nothing. */
class LetsNobodyIn extends Error {
  override readonly name = 'LetsNobodyIn';
}

/** Begins a session by a passkey, if its collaborator is this organization's. */
export async function openPortalSessionByPasskey(
  database: Database,
  site: PasskeySite,
  { organizationId }: { readonly organizationId: OrganizationId },
  answer: PasskeyAnswer,
  browser: Browser,
): Promise<PortalOpening> {
  const answered = await verifyAnswer(database, site, 'collaborator', answer);
  const { passkey } = answered ?? {};
  if (answered === undefined || passkey?.organizationId !== organizationId) return { kind: 'expired' };
  return inTransaction(database, async (connection) => {
    if (!(await holdOpenPortal(connection, organizationId))) return { kind: 'expired' };
    if (!(await spendAnswer(connection, answered))) return { kind: 'expired' };
    return beginPortalSession(connection, organizationId, passkey.collaboratorId as CollaboratorId, browser);
  });
}

/** A session for a collaborator, if they may still come in: they may have been turned away since the mail. */
async function beginPortalSession(
  connection: Connection,
  organizationId: OrganizationId,
  collaboratorId: CollaboratorId,
  browser: Browser,
): Promise<PortalOpening> {
  const collaborator = await holdCollaborator(connection, organizationId, collaboratorId);
  if (collaborator === undefined || !mayEnterPortal(collaborator.status)) return { kind: 'expired' };
  const holder = { kind: 'collaborator', collaboratorId } as const;
  const { id: sessionId, token } = await beginSession(connection, organizationId, holder, browser);
  return { kind: 'opened', collaboratorId, sessionId, token };
}

async function takeEntry(
  connection: Connection,
  secrets: SecretBox,
  organizationId: OrganizationId,
  proof: EntryProof,
): Promise<EntryFor | undefined> {
  if (proof.kind === 'token') return takeEntryLink(connection, organizationId, tokenHash(proof.token));
  const address = addressOf(proof.email);
  const typed = typedEntryCode(proof.code);
  const links = await lockEntryCodes(connection, organizationId, address, MAX_WRONG_CODES);
  const found = links.find(
    ({ code }) => secrets.sealed(code) && tokenHash(secrets.open(code)).equals(tokenHash(typed)),
  );
  if (found !== undefined) return takeEntryLink(connection, organizationId, found.hash);
  await countWrongCode(connection, organizationId, address);
  return undefined;
}

async function enteringBy(
  connection: Connection,
  { organizationId, slug }: { readonly organizationId: OrganizationId; readonly slug: string },
  entry: EntryFor,
): Promise<CollaboratorId | undefined> {
  switch (entry.kind) {
    case 'nobody':
      return undefined;
    case 'collaborator':
      return entry.collaboratorId;
    case 'sign-up': {
      const { programId, name, code } = entry.signUp;
      const collaboratorId = await confirmSignUp(connection, organizationId, entry.signUp);
      if (collaboratorId === undefined) return undefined;
      await insertAuditEntry(connection, organizationId, {
        author: `collaborator ${collaboratorId}`,
        operation: 'signUp',
        path: `/v1/portals/${slug}/sign-ups`,
        request: JSON.stringify({ programId, name, code }),
        before: null,
        after: JSON.stringify({ collaboratorId }),
      });
      return collaboratorId;
    }
    default:
      return entry satisfies never;
  }
}
