import { object } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operation } from '#core/contract/operation.ts';
import { newPasskey, passkey, passkeyId } from '#access/contract/passkey.ts';
import { passkeyAnswer, passkeyOptions, passkeyRequest } from '#access/contract/passkey-answer.ts';
import { ofPortal } from './portal.ts';
import { openedPortal } from './portal-session.ts';

const logIn = 'Portal log-in';
const tag = 'Portal pages';

export const challengePortalSession = operation({
  method: 'POST',
  path: '/v1/portals/{slug}/sessions/challenge',
  tag: logIn,
  summary: 'Begin to log in by passkey',
  description: 'Answers what `navigator.credentials.get` takes. Good for five minutes.',
  scope: 'portal',
  keys: [],
  open: true,
  params: ofPortal,
  repeats: 'none',
  success: { status: 200, description: 'The challenge.', body: passkeyRequest },
  problems: ['not-found'],
});

export const openPortalSessionByPasskey = operation({
  method: 'POST',
  path: '/v1/portals/{slug}/sessions/passkey',
  tag: logIn,
  summary: 'Log in by passkey',
  description: 'Begins a session by what the authenticator has answered to the challenge, which counts once.',
  scope: 'portal',
  keys: [],
  open: true,
  params: ofPortal,
  body: object({ response: passkeyAnswer }),
  repeats: 'token',
  takesSecret: ['response'],
  success: openedPortal,
  problems: ['not-found', 'wrong-credentials'],
});

export const listPortalPasskeys = operation({
  method: 'GET',
  path: '/v1/portal/passkeys',
  tag,
  summary: 'List one’s own passkeys',
  description: 'The passkeys of the collaborator who is logged in.',
  scope: 'portal',
  keys: [],
  query: listQuery(['id'], {}),
  success: listSuccess(passkey, 'Passkeys.'),
  problems: ['invalid-request'],
});

export const challengePortalPasskey = operation({
  method: 'POST',
  path: '/v1/portal/passkeys/challenge',
  tag,
  summary: 'Begin to add a passkey',
  description:
    'Answers what `navigator.credentials.create` takes. Good for five minutes. Who has no address any more adds none.',
  scope: 'portal',
  keys: [],
  fresh: true,
  repeats: 'none',
  success: { status: 200, description: 'The challenge.', body: passkeyOptions },
  problems: ['invalid-transition'],
});

export const createPortalPasskey = operation({
  method: 'POST',
  path: '/v1/portal/passkeys',
  tag,
  summary: 'Add a passkey',
  description:
    'Adds the passkey that an authenticator has made for the challenge, which counts once. One collaborator has up to 20; each is told by mail.',
  scope: 'portal',
  fresh: true,
  keys: [],
  body: newPasskey,
  takesSecret: ['response'],
  success: { status: 201, description: 'The passkey.', body: passkey },
  problems: ['invalid-transition'],
});

export const deletePortalPasskey = operation({
  method: 'DELETE',
  path: '/v1/portal/passkeys/{id}',
  tag,
  summary: 'Remove a passkey',
  description: 'It logs nobody in any more.',
  scope: 'portal',
  keys: [],
  fresh: true,
  params: passkeyId,
  success: { status: 200, description: 'It is gone. No body.' },
  problems: ['not-found'],
});
