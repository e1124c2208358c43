import { z } from 'zod';
import { choice, object, optional, optionalList, text } from './fields.ts';

/*
 * What authenticators answer, as `@simplewebauthn/browser` and `PublicKeyCredential.toJSON()` write it: WebAuthn’s own JSON.
 * Fields that say nothing to us are not read.
 */

const MAX_BYTES_AS_TEXT = 16_384;
const ID = 'mJ5vQ0Xk3o9cYb1oQ2Zr7A';

const bytes = (description: string, example: string, max = MAX_BYTES_AS_TEXT) =>
  text(1, max, { description, example }, { pattern: /^[\w-]+$/ });

const credential = {
  id: bytes('The credential’s id, as base64url.', ID, 1_364),
  rawId: bytes('The same.', ID, 1_364),
  type: choice(['public-key'], { description: 'What kind of credential it is.' }),
};

/** What `navigator.credentials.get` has answered. */
export const passkeyAnswer = object({
  ...credential,
  response: object({
    clientDataJSON: bytes('What the browser has signed, as base64url.', 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'),
    authenticatorData: bytes(
      'What the authenticator says, as base64url.',
      'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
    ),
    signature: bytes('Its signature, as base64url.', 'MEUCIQDx'),
    userHandle: optional(bytes('Whose it is, as base64url.', 'c2V2ZW4gcXVpZXQgaGVyb25z', 128)),
  }),
}).meta({ description: 'What `navigator.credentials.get` has answered, as WebAuthn’s JSON.' });

/** What `navigator.credentials.create` has answered. */
export const passkeyCreation = object({
  ...credential,
  response: object({
    clientDataJSON: bytes('What the browser says, as base64url.', 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0'),
    attestationObject: bytes('What the authenticator says, as base64url.', 'o2NmbXRkbm9uZQ'),
    transports: optionalList(text(1, 32, { description: 'A way to reach it.', example: 'internal' }), {
      max: 10,
      description: 'How the authenticator can be reached.',
    }),
  }),
}).meta({ description: 'What `navigator.credentials.create` has answered, as WebAuthn’s JSON.' });

/** What `navigator.credentials.get` takes. */
export const passkeyRequest = z.record(z.string(), z.unknown()).meta({
  description: 'WebAuthn’s `PublicKeyCredentialRequestOptionsJSON`.',
  examples: [
    { challenge: 'Qm9hdHMgYXJlIG5pY2U', rpId: 'whence.example.com', timeout: 300_000, userVerification: 'required' },
  ],
});

/** What `navigator.credentials.create` takes. */
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
