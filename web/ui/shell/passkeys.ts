import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';

/**
 * Asks the authenticator to identify the user, and returns its response. `options` is the challenge from the API.
 * Throws the browser's error if the request fails or is canceled.
 */
export async function requestPasskey(options: object): Promise<never> {
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  // The types of the API and of WebAuthn are equivalent but have different names.
  return (await startAuthentication({ optionsJSON })) as never;
}

/**
 * Asks the authenticator to create a passkey, and returns its response. `options` is the challenge from the API. Throws
 * the browser's error if the request fails or is canceled.
 */
export async function createPasskey(options: object): Promise<never> {
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  return (await startRegistration({ optionsJSON })) as never;
}

/** Returns whether the user canceled the request or let it expire, which is not a failure. */
export function isAbandoned(error: unknown): boolean {
  return error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name);
}
