import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { PersonId } from '#core/ids.ts';
import { type Connection, type Database, inVisitorTransaction } from '#platform/postgres/database.ts';
import { findPasskey, notePasskeyUse, spendChallenge, type StoredPasskey } from '../store/passkeys.ts';
import { lockPersonForLogin } from '../store/people.ts';
import { type Browser, type LoggedIn, logIn } from './begin-session.ts';
import { challengeHash, CHALLENGE_MS, makeChallenge, type PasskeySite, readChallenge } from './passkey-challenge.ts';
import type { SessionKind } from '#core/caller.ts';

/**
 * Returns the options for `navigator.credentials.get`. Any passkey of a person, or of a collaborator, depending on
 * `kind`, can sign the challenge.
 */
export async function challengeLogIn(
  { publicUrl, secrets }: PasskeySite,
  kind: SessionKind,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  return generateAuthenticationOptions({
    rpID: new URL(publicUrl).hostname,
    challenge: makeChallenge(secrets, purposeOf(kind)),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  });
}

/** The response of an authenticator that has signed a challenge, as the contract parses it. */
export type PasskeyAnswer = {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string | undefined;
  };
};

/** A passkey that answered a valid challenge. The answer is not valid until `spendAnswer` has accepted it. */
export type AnsweredPasskey = {
  readonly passkey: StoredPasskey;
  readonly counter: number;
  readonly spends: Buffer;
};

/**
 * Returns the passkey that signed the answer. Returns undefined if its holder is not of the given kind, or if the
 * answer is invalid.
 */
export async function verifyAnswer(
  database: Database,
  { publicUrl, secrets }: PasskeySite,
  kind: SessionKind,
  { response, ...credential }: PasskeyAnswer,
): Promise<AnsweredPasskey | undefined> {
  const handle = Buffer.from(response.userHandle ?? '', 'base64url');
  const passkey = await findPasskey(database, kind, Buffer.from(credential.id, 'base64url'), handle);
  if (passkey === undefined) return undefined;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { origin, hostname } = new URL(publicUrl);
  let challenge = '';
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, response, clientExtensionResults: {} } as AuthenticationResponseJSON,
      expectedChallenge: (answered) => {
        challenge = answered;
        return readChallenge(secrets, purposeOf(kind), answered) !== undefined;
      },
      expectedOrigin: origin,
      expectedRPID: hostname,
      credential: { id: credential.id, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.counter },
      requireUserVerification: true,
    });
    return verified ? { passkey, counter: authenticationInfo.newCounter, spends: challengeHash(challenge) } : undefined;
  } catch {
    // The WebAuthn library throws if the authenticator's response is invalid.
    return undefined;
  }
}

/**
 * Uses up an answer in the caller's transaction. Returns false if the answer was already used. Also returns false if
 * the answer's signature counter was already reached, by a concurrent login or by a copy of the passkey.
 */
export async function spendAnswer(
  connection: Connection,
  { passkey, counter, spends }: AnsweredPasskey,
): Promise<boolean> {
  return (
    (await spendChallenge({ connection, organizationId: passkey.organizationId }, spends)) &&
    (await notePasskeyUse(connection, passkey, counter))
  );
}

/**
 * Logs a person in with their passkey. Returns undefined if the answer is invalid or already used, or if the person was
 * removed.
 */
export async function openSessionByPasskey(
  database: Database,
  site: PasskeySite,
  answer: PasskeyAnswer,
  browser: Browser,
): Promise<LoggedIn | undefined> {
  const answered = await verifyAnswer(database, site, 'person', answer);
  if (answered === undefined) return undefined;
  const { organizationId, personId } = answered.passkey;
  return inVisitorTransaction(database, async (connection) => {
    const tenant = { connection, organizationId };
    const person = await lockPersonForLogin(tenant, personId as PersonId);
    if (person === undefined || !(await spendAnswer(connection, answered))) return undefined;
    const by = { operation: 'openSessionByPasskey', path: '/v1/sessions/passkey' };
    return logIn(tenant, person.id, browser, by);
  });
}

function purposeOf(kind: SessionKind): string {
  return `log-in of a ${kind}`;
}
