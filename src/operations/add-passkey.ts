import { randomBytes } from 'node:crypto';
import type { PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { CollaboratorId, OrganizationId, PasskeyId } from '#domain/ids.ts';
import { passkeyAddedMail } from '#domain/mail.ts';
import { mayEnterPortal } from '#domain/portal.ts';
import type { SessionHolder } from '#domain/session.ts';
import { holdCollaborator } from '#store/collaborators.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import {
  insertPasskey,
  isCredentialKnown,
  type NewPasskey,
  passkeysOf,
  removePasskey,
  spendChallenge,
} from '#store/passkeys.ts';
import { type PasskeyResource, passkeys } from '#store/read/passkeys.ts';
import { readOne } from '#store/read/page.ts';
import {
  challengeHash,
  CHALLENGE_MS,
  makeChallenge,
  PASSKEY_ALGORITHMS,
  type PasskeySite,
  readChallenge,
} from './passkey-challenge.ts';
import { postMail } from './post-mail.ts';

/*
 * How a person or a collaborator gets a passkey. The library is loaded when somebody does: it takes 0.2 s, and a start of
 * the service 0.5.
 */

/** Of one person or collaborator. */
export const MAX_PASSKEYS = 20;

const HANDLE_BYTES = 32;
/** A word of what has happened is of use for a day. */
const NOTICE_S = 86_400;

/** Whose passkey it is to be, as their authenticator shows them. */
export type PasskeyOwner = {
  readonly organizationId: OrganizationId;
  readonly holder: SessionHolder;
  readonly email: string;
  readonly name: string;
};

/** What `navigator.credentials.create` takes, for a passkey that logs in without naming anybody. */
export async function challengePasskey(
  database: Database,
  { publicUrl, secrets }: PasskeySite,
  { organizationId, holder, email, name }: PasskeyOwner,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const held = await passkeysOf(database, organizationId, holder);
  // All of somebody's are kept under one handle, which says nothing of them.
  const handle = held[0]?.userHandle ?? randomBytes(HANDLE_BYTES);
  const purpose = purposeOf(organizationId, holder);
  return generateRegistrationOptions({
    rpName: 'Whence',
    rpID: new URL(publicUrl).hostname,
    userName: email,
    userDisplayName: name,
    userID: new Uint8Array(handle),
    challenge: makeChallenge(secrets, purpose, handle.toString('base64url')),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
    excludeCredentials: held.map(({ credential, transports }) => ({
      id: credential.toString('base64url'),
      transports,
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** What an authenticator has answered, as the contract reads it. */
export type PasskeyCreation = {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports?: string[] | undefined;
  };
};

export type PasskeyAdding =
  | { readonly kind: 'added'; readonly passkey: PasskeyResource }
  /** The challenge is not ours or holds no more, or what was signed is not right. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'known' }
  | { readonly kind: 'too-many' };

/** Adds the passkey that an authenticator has made for a challenge. */
export async function addPasskey(
  database: Database,
  site: PasskeySite,
  owner: PasskeyOwner,
  name: string,
  creation: PasskeyCreation,
): Promise<PasskeyAdding> {
  const { organizationId, holder } = owner;
  const verified = await verify(site, owner, creation);
  if (verified === undefined) return { kind: 'refused' };
  return inTransaction(database, async (connection) => {
    // Erased a moment ago, perhaps: nothing of them may come back.
    if (holder.kind === 'collaborator' && !(await isThere(connection, organizationId, holder.collaboratorId)))
      return { kind: 'refused' };
    if (!(await spendChallenge(connection, organizationId, verified.spends))) return { kind: 'refused' };
    if ((await passkeysOf(connection, organizationId, holder)).length >= MAX_PASSKEYS) return { kind: 'too-many' };
    if (await isCredentialKnown(connection, verified.passkey.credential)) return { kind: 'known' };
    const id = await insertPasskey(connection, organizationId, holder, { ...verified.passkey, name });
    if (id === undefined) return { kind: 'known' };
    const mail = { to: owner.email, ...passkeyAddedMail({ name: owner.name, passkey: name }) };
    await postMail(connection, site.secrets, organizationId, mail, NOTICE_S);
    return { kind: 'added', passkey: (await readOne(connection, organizationId, passkeys, { id })) as PasskeyResource };
  });
}

async function isThere(connection: Connection, organizationId: OrganizationId, id: CollaboratorId): Promise<boolean> {
  const collaborator = await holdCollaborator(connection, organizationId, id);
  return collaborator !== undefined && mayEnterPortal(collaborator.status);
}

type Verified = { readonly passkey: Omit<NewPasskey, 'name'>; readonly spends: Buffer };

async function verify(
  { publicUrl, secrets }: PasskeySite,
  { organizationId, holder }: PasskeyOwner,
  { response, ...credential }: PasskeyCreation,
): Promise<Verified | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { origin, hostname } = new URL(publicUrl);
  let challenge = '';
  let handle: string | undefined;
  const { transports = [] } = response;
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...credential, response, clientExtensionResults: {} } as RegistrationResponseJSON,
      expectedChallenge: (answered) => {
        challenge = answered;
        handle = readChallenge(secrets, purposeOf(organizationId, holder), answered);
        return handle !== undefined;
      },
      expectedOrigin: origin,
      expectedRPID: hostname,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
    });
    if (!verified || handle === undefined) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    const userHandle = Buffer.from(handle, 'base64url');
    const passkey = { credential: Buffer.from(id, 'base64url'), publicKey, counter, transports, userHandle };
    return { passkey, spends: challengeHash(challenge) };
  } catch {
    // The library throws at whatever is not as it must be: all of it came from the caller.
    return undefined;
  }
}

/** Removes a passkey of this person or collaborator. False where they have none of this id. */
export function deletePasskey(
  database: Database,
  organizationId: OrganizationId,
  holder: SessionHolder,
  id: PasskeyId,
): Promise<boolean> {
  return inTransaction(database, (connection) => removePasskey(connection, organizationId, holder, id));
}

function purposeOf(organizationId: OrganizationId, holder: SessionHolder): string {
  const id = holder.kind === 'person' ? holder.personId : holder.collaboratorId;
  return `passkey of ${holder.kind} ${id} of ${organizationId}`;
}
