import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { PersonId } from '#domain/ids.ts';
import type { SessionKind } from '#domain/session.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import { findPasskey, notePasskeyUse, spendChallenge, type StoredPasskey } from '#store/passkeys.ts';
import { lockPerson } from '#store/people.ts';
import { type Browser, type LoggedIn, logIn } from './begin-session.ts';
import { challengeHash, CHALLENGE_MS, makeChallenge, type PasskeySite, readChallenge } from './passkey-challenge.ts';

/** What `navigator.credentials.get` takes, for whichever passkey of ours somebody has. */
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

/** What an authenticator has answered, as the contract reads it. */
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

/** A passkey that has answered a challenge of ours; it counts once `spendAnswer` has said so. */
export type AnsweredPasskey = {
  readonly passkey: StoredPasskey;
  readonly counter: number;
  /** SHA-256 of the challenge. */
  readonly spends: Buffer;
};

/** The passkey of this kind of holder that has signed; undefined where anything about it is not right. */
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
    // The library throws at whatever is not as it must be: all of it came from the caller.
    return undefined;
  }
}

/** Lets an answer count, in the caller's transaction. False where it has before, or where a copy of it has. */
export async function spendAnswer(
  connection: Connection,
  { passkey, counter, spends }: AnsweredPasskey,
): Promise<boolean> {
  return (
    (await spendChallenge(connection, passkey.organizationId, spends)) &&
    (await notePasskeyUse(connection, passkey, counter))
  );
}

/** Logs a person in by their passkey; undefined where it is not right. */
export async function openSessionByPasskey(
  database: Database,
  site: PasskeySite,
  answer: PasskeyAnswer,
  browser: Browser,
): Promise<LoggedIn | undefined> {
  const answered = await verifyAnswer(database, site, 'person', answer);
  if (answered === undefined) return undefined;
  const { organizationId, personId } = answered.passkey;
  return inTransaction(database, async (connection) => {
    const person = await lockPerson(connection, organizationId, personId as PersonId);
    if (person === undefined || !(await spendAnswer(connection, answered))) return undefined;
    const by = { operation: 'openSessionByPasskey', path: '/v1/sessions/passkey' };
    return logIn(connection, organizationId, person.id, browser, by);
  });
}

function purposeOf(kind: SessionKind): string {
  return `log-in of a ${kind}`;
}
