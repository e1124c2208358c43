import type { PasskeyId } from '#core/ids.ts';
import { z } from 'zod';
import { id, object, text } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { passkeyCreation, passkeyOptions } from './passkey-answer.ts';
import { shownId, shownText, shownTime } from '#core/contract/response-fields.ts';

const operation = operationsOf('Account');

/** A passkey in the list of its owner's passkeys. */
export const passkey = z
  .strictObject({
    id: shownId({ description: 'The passkey’s id.', example: 3 }),
    name: shownText({ description: 'The owner’s name for the passkey.', example: 'Phone' }),
    createdAt: shownTime({ description: 'When it was added.' }),
    lastUsedAt: shownTime({ description: 'When it was last used to log in.' }).nullable(),
  })
  .meta({ id: 'Passkey', description: 'A way to log in without a password.' });

/** A new passkey: its name, and the authenticator's response to the challenge. */
export const newPasskey = object({
  name: text(1, 255, { description: 'A name for the passkey.', example: 'Phone' }, { noControlCharacters: true }),
  response: passkeyCreation,
});

export const passkeyId = z.object({ id: id<PasskeyId>({ description: 'The passkey’s id.', example: 3 }) });

export const listPasskeys = operation({
  method: 'GET',
  path: '/v1/account/passkeys',
  summary: 'List your passkeys',
  description: 'Lists the passkeys of the logged-in person.',
  scope: 'account',
  query: listQuery(['id'], {}),
  success: listSuccess(passkey, 'Passkeys.'),
});

export const challengePasskey = operation({
  method: 'POST',
  path: '/v1/account/passkeys/challenge',
  summary: 'Start adding a passkey',
  description: 'Returns the options for `navigator.credentials.create`. They expire after five minutes.',
  scope: 'account',
  fresh: true,
  repeats: 'none',
  success: { description: 'The challenge.', body: passkeyOptions },
});

export const createPasskey = operation({
  method: 'POST',
  path: '/v1/account/passkeys',
  summary: 'Add a passkey',
  description:
    'Adds the passkey that the authenticator created for the challenge. Each challenge works once. A person can ' +
    'have up to 20 passkeys.',
  scope: 'account',
  fresh: true,
  body: newPasskey,
  takesSecret: ['response'],
  success: { status: 201, description: 'The passkey.', body: passkey },
  problems: ['invalid-transition'],
});

export const deletePasskey = operation({
  method: 'DELETE',
  path: '/v1/account/passkeys/{id}',
  summary: 'Remove a passkey',
  description: 'Deletes a passkey, so that it can no longer be used to log in.',
  scope: 'account',
  fresh: true,
  params: passkeyId,
  success: { description: 'The passkey is deleted. No body.' },
});
