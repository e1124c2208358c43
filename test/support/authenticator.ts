import { createSign, generateKeyPairSync, hash, type KeyObject, randomBytes } from 'node:crypto';

type CreationOptions = {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
};
type RequestOptions = { readonly challenge: string; readonly rpId: string };

/** Values that replace the correct claims in a passkey's answer, so that a test can send a wrong answer. */
export type Lies = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly userHandle?: string;
  /** The authenticator's flag bits: 1 means that the user is present, and 4 that the user is verified. */
  readonly flags?: number;
  readonly counter?: number;
  /** The format of the attestation statement. If it is set, the statement contains an invalid certificate. */
  readonly attestation?: string;
};

export type Passkey = {
  /** Creates the answer to `navigator.credentials.create`, in the JSON format of WebAuthn. */
  readonly create: (options: CreationOptions, lies?: Lies) => object;
  /** Creates the answer to `navigator.credentials.get`, in the JSON format of WebAuthn. */
  readonly get: (options: RequestOptions, lies?: Lies) => object;
};

const PRESENT_AND_VERIFIED = 0b101;
const WITH_KEY = 0b1000000;

/** Creates an authenticator with one ES256 key for pages of `origin`. It creates real signatures. */
export function newPasskey(origin: string): Passkey {
  const id = randomBytes(16);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let handle = randomBytes(32).toString('base64url');
  let counter = 0;

  return {
    create: ({ challenge, rp, user }, lies = {}) => {
      handle = user.id;
      const clientData = clientDataOf('webauthn.create', { challenge, origin, ...lies });
      const flags = (lies.flags ?? PRESENT_AND_VERIFIED) | WITH_KEY;
      const data = Buffer.concat([authenticatorData(lies.rpId ?? rp.id, flags, 0), credentialData(id, publicKey)]);
      const attestation = map([
        [text('fmt'), text(lies.attestation ?? 'none')],
        [text('attStmt'), lies.attestation === undefined ? map([]) : map([[text('x5c'), list([bytes(id)])]])],
        [text('authData'), bytes(data)],
      ]);
      return credential(id, {
        clientDataJSON: base64url(clientData),
        attestationObject: base64url(attestation),
        transports: ['internal'],
        publicKeyAlgorithm: -7,
      });
    },
    get: ({ challenge, rpId }, lies = {}) => {
      counter += 1;
      const clientData = clientDataOf('webauthn.get', { challenge, origin, ...lies });
      const { flags = PRESENT_AND_VERIFIED } = lies;
      const data = authenticatorData(lies.rpId ?? rpId, flags, lies.counter ?? counter);
      const signed = Buffer.concat([data, hash('sha256', clientData, 'buffer')]);
      return credential(id, {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(data),
        signature: base64url(createSign('sha256').update(signed).sign(privateKey)),
        userHandle: lies.userHandle ?? handle,
      });
    },
  };
}

function credential(id: Buffer, response: object): object {
  const name = base64url(id);
  return { id: name, rawId: name, type: 'public-key', clientExtensionResults: {}, response };
}

function clientDataOf(type: string, { challenge, origin }: Pick<Lies, 'challenge' | 'origin'>): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([hash('sha256', rpId, 'buffer'), Buffer.from([flags]), count]);
}

/**
 * Returns the attested credential data: an all-zero model id (AAGUID), the credential's id, and its public key in COSE
 * format.
 */
function credentialData(id: Buffer, publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const key = map([
    // The key type (1) is an elliptic curve (2), the algorithm (3) is ES256 (-7), and the curve (-1) is P-256 (1).
    [integer(1), integer(2)],
    [integer(3), integer(-7)],
    [integer(-1), integer(1)],
    [integer(-2), bytes(Buffer.from(x, 'base64url'))],
    [integer(-3), bytes(Buffer.from(y, 'base64url'))],
  ]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(id.length);
  return Buffer.concat([Buffer.alloc(16), length, id, key]);
}

/* Encoders for the few CBOR types that a passkey needs. */

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  return value < 256
    ? Buffer.from([(major << 5) | 24, value])
    : Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

function integer(value: number): Buffer {
  return value < 0 ? head(1, -1 - value) : head(0, value);
}

function bytes(of: Buffer): Buffer {
  return Buffer.concat([head(2, of.length), of]);
}

function text(of: string): Buffer {
  return Buffer.concat([head(3, of.length), Buffer.from(of)]);
}

function map(entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flat()]);
}

function list(of: readonly Buffer[]): Buffer {
  return Buffer.concat([head(4, of.length), ...of]);
}

function base64url(of: Buffer): string {
  return of.toString('base64url');
}
