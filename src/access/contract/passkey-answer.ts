import { z } from 'zod';
import { choice, object, optional, optionalList, text } from '#core/contract/fields.ts';

/*
 * Responses of authenticators in the JSON format of WebAuthn, as `@simplewebauthn/browser` and
 * `PublicKeyCredential.toJSON()` write it. Unused fields are not read.
 */

/**
 * The default maximum length of a field, in characters of base64url. All fields of a response together fit into the
 * longest body of an unauthenticated call (MAX_OUTSIDE_BODY_BYTES).
 */
const MAX_BYTES_AS_TEXT = 4_096;
const ID = 'mJ5vQ0Xk3o9cYb1oQ2Zr7A';

const bytes = (description: string, example: string, max = MAX_BYTES_AS_TEXT) =>
  text(1, max, { description, example }, { pattern: /^[\w-]+$/, mismatch: 'This must be base64url, as in RFC 4648.' });

const credential = {
  id: bytes('The credential’s id, as base64url.', ID, 1_364),
  rawId: bytes('The same value as `id`.', ID, 1_364),
  type: choice(['public-key'], { description: 'The type of the credential.' }),
};

/** The response of `navigator.credentials.get`. */
export const requestPasskey = object({
  ...credential,
  response: object({
    clientDataJSON: bytes('The client data of the browser, as base64url.', 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'),
    authenticatorData: bytes(
      'The authenticator data, as base64url.',
      'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
    ),
    signature: bytes('The authenticator’s signature, as base64url.', 'MEUCIQDx'),
    userHandle: optional(bytes('The user handle, as base64url.', 'c2V2ZW4gcXVpZXQgaGVyb25z', 128)),
  }),
}).meta({ description: 'The result of `navigator.credentials.get`, as WebAuthn’s JSON.' });

/** The response of `navigator.credentials.create`. */
export const passkeyCreation = object({
  ...credential,
  response: object({
    clientDataJSON: bytes('The client data of the browser, as base64url.', 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0'),
    attestationObject: bytes('The attestation object, as base64url.', 'o2NmbXRkbm9uZQ', 2 * MAX_BYTES_AS_TEXT),
    transports: optionalList(text(1, 32, { description: 'A transport.', example: 'internal' }), {
      max: 10,
      description: 'The transports of the authenticator.',
    }),
  }),
}).meta({ description: 'The result of `navigator.credentials.create`, as WebAuthn’s JSON.' });

/** The options for `navigator.credentials.get`. */
export const passkeyRequest = z.record(z.string(), z.unknown()).meta({
  description: 'WebAuthn’s `PublicKeyCredentialRequestOptionsJSON`.',
  examples: [
    { challenge: 'Qm9hdHMgYXJlIG5pY2U', rpId: 'whence.example.com', timeout: 300_000, userVerification: 'required' },
  ],
});

/** The options for `navigator.credentials.create`. */
export const passkeyOptions = z.record(z.string(), z.unknown()).meta({
  description: 'WebAuthn’s `PublicKeyCredentialCreationOptionsJSON`.',
  examples: [
    {
      challenge: 'Qm9hdHMgYXJlIG5pY2U',
      rp: { id: 'whence.example.com', name: 'Whence' },
      user: { id: 'c2V2ZW4gcXVpZXQgaGVyb25z', name: 'ada@example.com', displayName: 'Ada Lovelace' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    },
  ],
});
