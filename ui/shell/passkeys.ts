import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';

/** Asks the authenticator who is there; `options` are the challenge as the API answers it. */
export async function passkeyAnswer(options: object): Promise<never> {
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  // The API's types and WebAuthn's say the same in other words.
  return (await startAuthentication({ optionsJSON })) as never;
}

/** Asks the authenticator to make a passkey. */
export async function newPasskeyAnswer(options: object): Promise<never> {
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  return (await startRegistration({ optionsJSON })) as never;
}

/** Whether nothing failed: whoever was asked has changed their mind, or let the time pass. */
export function isAbandoned(error: unknown): boolean {
  return error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name);
}
