import { object } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { newPasskey, passkey, passkeyId } from '#access/contract/passkey.ts';
import { requestPasskey, passkeyOptions, passkeyRequest } from '#access/contract/passkey-answer.ts';
import { ofPortal } from './portal.ts';
import { openedPortal } from './portal-session.ts';

const operation = operationsOf('Portal pages');

export const challengePortalSession = operation({
  method: 'POST',
  path: '/v1/portals/{slug}/sessions/challenge',
  tag: 'Portal login',
  summary: 'Start a passkey login',
  description: 'Returns the options for `navigator.credentials.get`. They expire after five minutes.',
  scope: 'portal',
  open: true,
  params: ofPortal,
  repeats: 'none',
  success: { description: 'The challenge.', body: passkeyRequest },
});

export const openPortalSessionByPasskey = operation({
  method: 'POST',
  path: '/v1/portals/{slug}/sessions/passkey',
  tag: 'Portal login',
  summary: 'Log in with a passkey',
  description: 'Opens a session with the authenticator’s response to the challenge. Each challenge works once.',
  scope: 'portal',
  open: true,
  params: ofPortal,
  body: object({ response: requestPasskey }),
  repeats: 'token',
  takesSecret: ['response'],
  success: openedPortal,
  problems: ['wrong-credentials'],
});

export const listPortalPasskeys = operation({
  method: 'GET',
  path: '/v1/portal/passkeys',
  summary: 'List your passkeys',
  description: 'Lists your passkeys.',
  scope: 'portal',
  query: listQuery(['id'], {}),
  success: listSuccess(passkey, 'Passkeys.'),
});

export const challengePortalPasskey = operation({
  method: 'POST',
  path: '/v1/portal/passkeys/challenge',
  summary: 'Start adding a passkey',
  description:
    'Returns the options for `navigator.credentials.create`. They expire after five minutes. You must have an email ' +
    'address.',
  scope: 'portal',
  fresh: true,
  repeats: 'none',
  success: { description: 'The challenge.', body: passkeyOptions },
  problems: ['invalid-transition'],
});

export const createPortalPasskey = operation({
  method: 'POST',
  path: '/v1/portal/passkeys',
  summary: 'Add a passkey',
  description:
    'Adds the passkey that the authenticator created for the challenge. Each challenge works once. You can have up to ' +
    '20 passkeys. Each new passkey is reported to you by email.',
  scope: 'portal',
  fresh: true,
  body: newPasskey,
  takesSecret: ['response'],
  success: { status: 201, description: 'The passkey.', body: passkey },
  problems: ['invalid-transition'],
});

export const deletePortalPasskey = operation({
  method: 'DELETE',
  path: '/v1/portal/passkeys/{id}',
  summary: 'Remove a passkey',
  description: 'Deletes a passkey, so that it can no longer be used to log in.',
  scope: 'portal',
  fresh: true,
  params: passkeyId,
  success: { description: 'The passkey is deleted. No body.' },
});
