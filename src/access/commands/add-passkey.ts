import { randomBytes } from 'node:crypto';
import type { PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { OrganizationId, PasskeyId } from '#core/ids.ts';
import { passkeyAddedEmail } from '../wording/emails.ts';
import { attemptsOf } from '#platform/throttles/throttle.ts';
import { type Connection, type Database, inTransaction } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import {
  insertPasskey,
  isCredentialKnown,
  type NewPasskey,
  passkeysOf,
  removePasskey,
  spendChallenge,
} from '../store/passkeys.ts';
import { type PasskeyResource, passkeys } from '../store/read/passkeys.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';
import {
  challengeHash,
  CHALLENGE_MS,
  makeChallenge,
  PASSKEY_ALGORITHMS,
  type PasskeySite,
  readChallenge,
} from './passkey-challenge.ts';
import { queueEmail } from '#platform/email/queue-email.ts';
import { NOTICE_S, notifyPerson } from './notify-person.ts';
import { takeThrottles, type Throttled } from '#platform/throttles/take-throttles.ts';
import type { SessionHolder } from '#core/caller.ts';

/*
 * Adds and removes passkeys of people and collaborators. The WebAuthn library is loaded on first use. Loading it takes
 * 0.2 s, while the whole service starts in 0.5 s.
 */

/** The maximum number of passkeys of one person or collaborator. */
export const MAX_PASSKEYS = 20;

const HANDLE_BYTES = 32;

/** The person or collaborator who adds a passkey. Authenticators show the email address and the name. */
export type PasskeyOwner = {
  readonly organizationId: OrganizationId;
  readonly holder: SessionHolder;
  readonly email: string;
  readonly name: string;
};

/**
 * Returns the options for `navigator.credentials.create`. A passkey that is created with these options can be used to
 * log in without an email address.
 */
export async function challengePasskey(
  database: Database,
  { publicUrl, secrets }: PasskeySite,
  { organizationId, holder, email, name }: PasskeyOwner,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const held = await passkeysOf({ connection: database, organizationId }, holder);
  // All passkeys of a holder share a random handle, which reveals nothing about the holder.
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

/** The response of an authenticator that has created a passkey, as the contract parses it. */
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

export type PasskeyOutcome =
  | { readonly kind: 'added'; readonly passkey: PasskeyResource }
  /** The challenge is unknown, expired or used, the response is invalid, or the holder can no longer log in. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'known' }
  | { readonly kind: 'too-many' }
  | Throttled;

/**
 * Adds the passkey that an authenticator has created for a challenge, and queues an email to the passkey's owner.
 * `lockHolder` returns false if the holder can no longer log in, for example because they were erased in the meantime.
 */
export async function addPasskey(
  database: Database,
  site: PasskeySite,
  owner: PasskeyOwner,
  name: string,
  creation: PasskeyCreation,
  lockHolder: (connection: Connection) => Promise<boolean> = async () => true,
): Promise<PasskeyOutcome> {
  const { organizationId, holder } = owner;
  const verified = await verify(site, owner, creation);
  if (verified === undefined) return { kind: 'refused' };
  return inTransaction(database, async (connection) => {
    if (!(await lockHolder(connection))) return { kind: 'refused' };
    const tenant = { connection, organizationId };
    if (!(await spendChallenge(tenant, verified.spends))) return { kind: 'refused' };
    if ((await passkeysOf(tenant, holder)).length >= MAX_PASSKEYS) return { kind: 'too-many' };
    if (await isCredentialKnown(connection, verified.passkey.credential)) return { kind: 'known' };
    const waysIn = attemptsOf(site.secrets, 'way in of an account', ownerNameOf(owner));
    const throttled = await takeThrottles(connection, waysIn);
    if (throttled !== undefined) return throttled;
    const id = await insertPasskey(tenant, holder, { ...verified.passkey, name });
    if (id === undefined) return { kind: 'known' };
    const mail = { to: owner.email, ...passkeyAddedEmail({ name: owner.name, passkey: name }) };
    if (holder.kind === 'person') await notifyPerson(tenant, site.secrets, holder.personId, mail);
    else await queueEmail(tenant, site.secrets, mail, NOTICE_S);
    return { kind: 'added', passkey: await readExisting(tenant, passkeys, { id }) };
  });
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
    const attestationObject = await withoutAttestation(response.attestationObject);
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...credential,
        response: { ...response, attestationObject },
        clientExtensionResults: {},
      } as RegistrationResponseJSON,
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
    // The WebAuthn library throws if the authenticator's response is invalid.
    return undefined;
  }
}

/**
 * Returns the attestation object with its format replaced by `none` and its statement emptied. Whence requests no
 * statement, but a caller can send one. For some statements, the WebAuthn library would check certificates and fetch
 * URLs that the caller chose.
 */
async function withoutAttestation(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import('@simplewebauthn/server/helpers');
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData');
  const parts: Record<string, Parameters<typeof isoCBOR.encode>[0]> = { fmt: 'none', attStmt: new Map(), authData };
  return isoBase64URL.fromBuffer(isoCBOR.encode(new Map(Object.entries(parts))));
}

/** Removes a passkey of a person or collaborator. Returns false if the holder has no passkey with the given id. */
export function deletePasskey(tenant: Tenant<Database>, holder: SessionHolder, id: PasskeyId): Promise<boolean> {
  return inTenantTransaction(tenant, (tenant) => removePasskey(tenant, holder, id));
}

function purposeOf(organizationId: OrganizationId, holder: SessionHolder): string {
  return `passkey of ${ownerNameOf({ organizationId, holder })}`;
}

function ownerNameOf({ organizationId, holder }: Pick<PasskeyOwner, 'organizationId' | 'holder'>): string {
  const id = holder.kind === 'person' ? holder.personId : holder.collaboratorId;
  return `${holder.kind} ${id} of ${organizationId}`;
}
