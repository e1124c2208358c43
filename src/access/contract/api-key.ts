import { KEY_STATUSES } from '../domain/api-key.ts';
import type { ApiKeyId } from '#core/ids.ts';
import { z } from 'zod';
import {
  choice,
  choices,
  clearable,
  field,
  type Field,
  id,
  object,
  optional,
  optionalList,
  refusal,
  text,
} from '#core/contract/fields.ts';
import { moment } from '#core/contract/time-field.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { addFault } from '#core/contract/parse.ts';
import { overlapSeconds } from '#core/contract/overlap.ts';
import { shownChoice, shownId, shownText, shownTime } from '#core/contract/response-fields.ts';
import { MAX_ORIGIN } from '#core/contract/web-address.ts';
import { KEY_KINDS, SCOPES } from '#core/caller.ts';

const operation = operationsOf('API keys');
const MAX_ORIGINS = 100;
const ORIGINS = 'The origins that can use a publishable key. Without a list, any origin is accepted.';

const shape = {
  id: shownId({ description: 'The key’s id.', example: 3 }),
  kind: shownChoice(KEY_KINDS, {
    description: 'Secret keys are for servers. Publishable keys can only report visits.',
  }),
  status: shownChoice(KEY_STATUSES, {
    description: 'The status: `active`, `revoked`, or `expired` after `expiresAt`.',
  }),
  label: shownText({ description: 'The key’s purpose.', example: 'Checkout' }),
  keyPrefix: shownText({ description: 'The beginning of the key, to recognize it.', example: 'sk_live_a1B2' }),
  scopes: z.array(z.enum(SCOPES)).meta({ description: 'What the key can do.' }),
  origins: z
    .array(z.string())
    .meta({ description: 'The origins that can use the key. Empty means any origin.', examples: [[]] }),
  createdAt: shownTime({ description: 'When it was created.' }),
  expiresAt: shownTime({ description: 'When it expires.' }).nullable(),
  revokedAt: shownTime({ description: 'When it was revoked.' }).nullable(),
  replacedBy: shownId({ description: 'The key that replaced this key in a rotation.', example: 4 }).nullable(),
  lastUsedAt: shownTime({ description: 'When it was last used, to the minute.' }).nullable(),
};

export const apiKey = z.strictObject(shape).meta({ id: 'ApiKey', description: 'An API key, without its secret part.' });

const newApiKey = z
  .strictObject({
    ...shape,
    rawKey: shownText({
      description: 'The key itself. It is shown only once and is not stored.',
      example: 'sk_live_…',
    }),
  })
  .meta({ id: 'NewApiKey', description: 'A new API key, with its secret part.' });

const label = text(1, 255, { description: 'The key’s purpose.', example: 'Checkout' });
const scopes = choices(SCOPES, { description: 'What a secret key can do.', example: ['events:write'] }, { min: 1 });
const expiresAt = moment({ description: 'When it expires. Must not be in the past.' });

const keyId = z.object({ id: id<ApiKeyId>({ description: 'The key’s id.', example: 3 }) });

export const listApiKeys = operation({
  method: 'GET',
  path: '/v1/api-keys',
  summary: 'List API keys',
  description: 'Lists the organization’s API keys, including revoked and expired keys.',
  scope: 'resources:read',
  query: listQuery(['id', 'label', 'createdAt'], {
    kind: choice(KEY_KINDS, { description: 'Keys of this kind.' }),
    label: text(1, 255, { description: 'Keys with this label.' }),
  }),
  success: listSuccess(apiKey, 'Keys.'),
});

export const createApiKey = operation({
  method: 'POST',
  path: '/v1/api-keys',
  summary: 'Create an API key',
  description:
    'Creates an API key and shows it only once. A key can only grant its own scopes. Without `scopes`, the new ' +
    'key gets the scopes of the caller. A publishable key always has only `events:write`, and can only report ' +
    'visits.',
  scope: 'keys:write',
  fresh: true,
  example: { label: 'Checkout', scopes: ['events:write'] },
  body: object({
    label,
    kind: optional(
      choice(KEY_KINDS, { description: 'Secret keys are for servers, publishable keys for browsers.' }),
      'secret',
    ),
    scopes: optional(scopes),
    origins: optionalList(origin(), { max: MAX_ORIGINS, description: ORIGINS }),
    expiresAt: optional(expiresAt),
  }).superRefine(({ kind, scopes, origins }, context) => {
    if (kind === 'publishable' && scopes !== undefined)
      reportMisplaced(context, 'scopes', 'Publishable keys have fixed scopes. Omit the field.');
    if (kind === 'secret' && origins !== undefined && origins.length > 0) {
      reportMisplaced(context, 'origins', 'Only publishable keys have origins. Never use a secret key in a browser.');
    }
  }),
  showsSecret: 'rawKey',
  success: { status: 201, description: 'The new key.', body: newApiKey },
});

export const getApiKey = operation({
  method: 'GET',
  path: '/v1/api-keys/{id}',
  summary: 'Get an API key',
  description: 'Returns an API key, without its secret part.',
  scope: 'resources:read',
  params: keyId,
  success: { description: 'The key.', body: apiKey },
});

export const changeApiKey = operation({
  method: 'PATCH',
  path: '/v1/api-keys/{id}',
  reader: getApiKey,
  summary: 'Change an API key',
  description:
    'Changes the given fields of an API key. The change takes effect everywhere within a second. `expiresAt: ' +
    'null` removes the expiry, and `origins: []` accepts any origin. A key can only grant its own scopes, and ' +
    'can’t change a key with more scopes. A revoked or expired key can’t be changed.',
  scope: 'keys:write',
  fresh: true,
  params: keyId,
  example: { label: 'Checkout of the new shop' },
  body: object({
    label: optional(label),
    scopes: optional(scopes),
    origins: optionalList(origin(), { max: MAX_ORIGINS, description: ORIGINS }),
    expiresAt: clearable(expiresAt),
  }),
  success: { description: 'The changed key.', body: apiKey },
  problems: ['invalid-transition'],
});

export const rotateApiKey = operation({
  method: 'POST',
  path: '/v1/api-keys/{id}/rotate',
  summary: 'Rotate an API key',
  description:
    'Creates an API key with the same label, kind, scopes and origins as the old key, and shows it only once. ' +
    'The old key stays valid for `overlapSeconds`, but never beyond its own expiry. The time from the new key’s ' +
    'creation to its expiry is the same as for the old key. If the old key never expires, neither does the new ' +
    'key. A key can’t rotate a key with more scopes than its own. A rotated, revoked or expired key can’t be ' +
    'rotated.',
  scope: 'keys:write',
  fresh: true,
  params: keyId,
  example: { overlapSeconds: 3_600 },
  body: object({
    overlapSeconds: overlapSeconds({ description: 'How long the old key stays valid.', example: 3_600 }),
  }),
  showsSecret: 'rawKey',
  success: { status: 201, description: 'The new key.', body: newApiKey },
  problems: ['invalid-transition'],
});

export const revokeApiKey = operation({
  method: 'DELETE',
  path: '/v1/api-keys/{id}',
  reader: getApiKey,
  revokes: true,
  summary: 'Revoke an API key',
  description:
    'Revokes an API key and the open invitations that it created. All processes refuse the key within a second. ' +
    'Repeating the call changes nothing.',
  scope: 'keys:write',
  params: keyId,
  success: { description: 'The changed key.', body: apiKey, example: { revokedAt: '2026-12-01T08:00:00.000Z' } },
});

function origin(): Field<string> {
  const described = { description: 'Scheme, host and port.', example: 'https://shop.example' };
  return field({ type: 'string', maxLength: MAX_ORIGIN }, described, (value) => {
    if (typeof value !== 'string') return refusal('wrong-type', 'This must be a string.');
    if (value.length > MAX_ORIGIN) return refusal('too-long', `This must have at most ${MAX_ORIGIN} characters.`);
    const url = URL.canParse(value) ? new URL(value) : undefined;
    // Origins are compared literally. A `*` would look like a wildcard, but match nothing.
    const isOrigin = url !== undefined && /^https?:\/\/[^*]+\/$/.test(url.href) && url.href === `${url.origin}/`;
    return isOrigin ? url.origin : refusal('invalid-format', 'This must be an origin such as https://shop.example.');
  });
}

function reportMisplaced(context: z.RefinementCtx, name: string, message: string): void {
  addFault(context, [name], 'not-applicable', message);
}
