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
  moment,
  object,
  optional,
  optionalList,
  refusal,
  text,
} from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operation } from '#core/contract/operation.ts';
import { overlapSeconds } from '#core/contract/overlap.ts';
import { shownChoice, shownId, shownText, shownTime } from '#core/contract/response-fields.ts';
import { MAX_ORIGIN } from '#core/contract/web-address.ts';
import { KEY_KINDS, SCOPES } from '#core/caller.ts';

const tag = 'API keys';
const MAX_ORIGINS = 100;
const ORIGINS = 'The pages that may use a publishable key; without any all may.';

const shape = {
  id: shownId({ description: 'The key’s id.', example: 3 }),
  kind: shownChoice(KEY_KINDS, {
    description: 'Secret keys are for servers; publishable ones may only report visits.',
  }),
  status: shownChoice(KEY_STATUSES, {
    description: 'Whether it works: `active`, `revoked`, or `expired` once `expiresAt` has passed.',
  }),
  label: shownText({ description: 'What it is for.', example: 'Checkout' }),
  keyPrefix: shownText({ description: 'How the key begins, to tell it from others.', example: 'sk_live_a1B2' }),
  scopes: z.array(z.enum(SCOPES)).meta({ description: 'What it may do.' }),
  origins: z.array(z.string()).meta({ description: 'Where browsers may use it; empty: anywhere.', examples: [[]] }),
  createdAt: shownTime({ description: 'When it was made.' }),
  expiresAt: shownTime({ description: 'When it ends by itself.' }).nullable(),
  revokedAt: shownTime({ description: 'When it was revoked.' }).nullable(),
  replacedBy: shownId({ description: 'The key that took over, when it was rotated.', example: 4 }).nullable(),
  lastUsedAt: shownTime({ description: 'When it was last used, to the minute.' }).nullable(),
};

export const apiKey = z.strictObject(shape).meta({ id: 'ApiKey', description: 'A key, without its secret part.' });

const newApiKey = z
  .strictObject({
    ...shape,
    rawKey: shownText({
      description: 'The key itself. It is shown this once, and stored nowhere.',
      example: 'sk_live_…',
    }),
  })
  .meta({ id: 'NewApiKey', description: 'A key that was just made, with its secret part.' });

const label = text(1, 255, { description: 'What it is for.', example: 'Checkout' });
const scopes = choices(SCOPES, { description: 'What a secret key may do.', example: ['events:write'] }, { min: 1 });
const expiresAt = moment({ description: 'When it ends by itself; not in the past.' });

const keyId = z.object({ id: id<ApiKeyId>({ description: 'The key’s id.', example: 3 }) });

export const listApiKeys = operation({
  method: 'GET',
  path: '/v1/api-keys',
  tag,
  summary: 'List API keys',
  description: 'The organization’s keys, also the revoked and the expired.',
  scope: 'resources:read',
  keys: ['secret'],
  query: listQuery(['id', 'label', 'createdAt'], {
    kind: choice(KEY_KINDS, { description: 'Keys of this kind.' }),
    label: text(1, 255, { description: 'Keys with this label.' }),
  }),
  success: listSuccess(apiKey, 'Keys.'),
  problems: ['invalid-request'],
});

export const createApiKey = operation({
  method: 'POST',
  path: '/v1/api-keys',
  tag,
  summary: 'Make an API key',
  description:
    'Makes a key and shows it this once. A key can’t give scopes that it lacks itself; without `scopes` the new one gets ' +
    'those of the key that makes it. A publishable key always has `events:write` alone, and may report visits only.',
  scope: 'keys:write',
  keys: ['secret'],
  fresh: true,
  example: { label: 'Checkout', scopes: ['events:write'] },
  body: object({
    label,
    kind: optional(
      choice(KEY_KINDS, { description: 'Secret keys are for servers, publishable ones for browsers.' }),
      'secret',
    ),
    scopes: optional(scopes),
    origins: optionalList(origin(), { max: MAX_ORIGINS, description: ORIGINS }),
    expiresAt: optional(expiresAt),
  }).superRefine(({ kind, scopes, origins }, context) => {
    if (kind === 'publishable' && scopes !== undefined)
      misplaced(context, 'scopes', 'A publishable key has no choice of scopes.');
    if (kind === 'secret' && origins !== undefined && origins.length > 0) {
      misplaced(context, 'origins', 'A secret key must not be used in browsers.');
    }
  }),
  showsSecret: 'rawKey',
  success: { status: 201, description: 'The new key.', body: newApiKey },
  problems: [],
});

export const getApiKey = operation({
  method: 'GET',
  path: '/v1/api-keys/{id}',
  tag,
  summary: 'Get an API key',
  description: 'A key, without its secret part.',
  scope: 'resources:read',
  keys: ['secret'],
  params: keyId,
  success: { status: 200, description: 'The key.', body: apiKey },
  problems: ['not-found'],
});

export const changeApiKey = operation({
  method: 'PATCH',
  path: '/v1/api-keys/{id}',
  reader: getApiKey,
  tag,
  summary: 'Change an API key',
  description:
    'Changes the fields that are given, everywhere within a second; `expiresAt: null` takes the end away, `origins: []` ' +
    'allows any. A key can’t give scopes that it lacks itself, nor change one that may do more. One that is revoked or ' +
    'expired stays as it is.',
  scope: 'keys:write',
  keys: ['secret'],
  fresh: true,
  params: keyId,
  example: { label: 'Checkout of the new shop' },
  body: object({
    label: optional(label),
    scopes: optional(scopes),
    origins: optionalList(origin(), { max: MAX_ORIGINS, description: ORIGINS }),
    expiresAt: clearable(expiresAt),
  }),
  success: { status: 200, description: 'The key as it is now.', body: apiKey },
  problems: ['not-found', 'invalid-transition'],
});

export const rotateApiKey = operation({
  method: 'POST',
  path: '/v1/api-keys/{id}/rotate',
  tag,
  summary: 'Rotate an API key',
  description:
    'Makes a key with the same label, kind, scopes and origins and shows it this once; the old one holds for the overlap ' +
    'and no longer than it had. The new one has no end, or one as far away as the old one’s was when that was made. A key ' +
    'can’t rotate one that may do more than itself. One that was rotated, is expired or revoked can’t be rotated.',
  scope: 'keys:write',
  keys: ['secret'],
  fresh: true,
  params: keyId,
  example: { overlapSeconds: 3_600 },
  body: object({
    overlapSeconds: overlapSeconds({ description: 'How long the old key holds.', example: 3_600 }),
  }),
  showsSecret: 'rawKey',
  success: { status: 201, description: 'The key that takes over.', body: newApiKey },
  problems: ['not-found', 'invalid-transition'],
});

export const revokeApiKey = operation({
  method: 'DELETE',
  path: '/v1/api-keys/{id}',
  reader: getApiKey,
  revokes: true,
  tag,
  summary: 'Revoke an API key',
  description: 'Ends a key, everywhere within a second. The same call again changes nothing.',
  scope: 'keys:write',
  keys: ['secret'],
  params: keyId,
  success: {
    status: 200,
    description: 'The key as it is now.',
    body: apiKey,
    example: { revokedAt: '2026-12-01T08:00:00.000Z' },
  },
  problems: ['not-found'],
});

/** Returns the field for an origin such as `https://shop.example`, in the form in which browsers send it. */
function origin(): Field<string> {
  const described = { description: 'Scheme, host and port.', example: 'https://shop.example' };
  return field({ type: 'string', maxLength: MAX_ORIGIN }, described, (value) => {
    if (typeof value !== 'string') return refusal('wrong-type', 'This must be a string.');
    if (value.length > MAX_ORIGIN) return refusal('too-long', `This must have at most ${MAX_ORIGIN} characters.`);
    const url = URL.canParse(value) ? new URL(value) : undefined;
    // Origins are compared literally: a `*` would look like a wildcard, but match nothing.
    const isOrigin = url !== undefined && /^https?:\/\/[^*]+\/$/.test(url.href) && url.href === `${url.origin}/`;
    return isOrigin ? url.origin : refusal('invalid-format', 'This must be an origin such as https://shop.example.');
  });
}

function misplaced(context: z.RefinementCtx, name: string, message: string): void {
  context.addIssue({ code: 'custom', path: [name], message, params: { code: 'not-applicable' } });
}
