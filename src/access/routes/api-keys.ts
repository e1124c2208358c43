import type * as contract from '../contract/api-key.ts';
import { faultAt, type Problem, problem } from '#core/contract/problem.ts';
import { changeApiKey } from '../commands/change-api-key.ts';
import { createApiKey, type MadeKey } from '../commands/create-api-key.ts';
import { revokeApiKey } from '../commands/revoke-api-key.ts';
import { rotateApiKey } from '../commands/rotate-api-key.ts';
import { apiKeys } from '../store/read/api-keys.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { type Answer, answer, answerFound, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';
import type { Scope } from '#core/caller.ts';

export const apiKeyHandlers: HandlersFor<typeof contract> = {
  listApiKeys: (request) => answerPage(request, apiKeys),

  createApiKey: async ({ auth, tenant, body }) => {
    const created = await createApiKey(tenant, auth, {
      kind: body.kind,
      label: body.label,
      scopes: body.kind === 'publishable' ? PUBLISHABLE_SCOPES : (body.scopes ?? auth.scopes),
      origins: body.origins ?? [],
      expiresAt: body.expiresAt ?? null,
    });
    return answerOutcome(created, {
      created: answerMade,
      'expired-already': EXPIRED_ALREADY,
      outlives: OUTLIVES,
      exceeds: ({ scopes }) => exceededScopesProblem(scopes),
    });
  },

  getApiKey: async ({ tenant, params: { id } }) => answerFound(await readOne(tenant, apiKeys, { id })),

  changeApiKey: async ({ auth, tenant, params: { id }, body }) =>
    answerOutcome(await changeApiKey(tenant, auth, id, body), {
      changed: ({ key }) => answer(200, key),
      unknown: problem('not-found'),
      over: ({ state }) => problem('invalid-transition', `A key that is ${state} can’t be changed. Create a new key.`),
      exceeds: ({ scopes }) => exceededScopesProblem(scopes),
      outlives: OUTLIVES,
      'not-applicable': ({ of }) => (of === 'secret' ? NO_ORIGINS : NO_SCOPES),
      'expired-already': EXPIRED_ALREADY,
    }),

  rotateApiKey: async ({ auth, tenant, params: { id }, body: { overlapSeconds } }) =>
    answerOutcome(await rotateApiKey(tenant, auth, id, overlapSeconds), {
      rotated: answerMade,
      unknown: problem('not-found'),
      over: ({ state }) => problem('invalid-transition', `A key that is ${state} can’t be rotated. Create a new key.`),
      exceeds: ({ scopes }) => exceededScopesProblem(scopes),
      outlives: OUTLIVED,
    }),

  revokeApiKey: async ({ tenant, params: { id } }) => answerFound(await revokeApiKey(tenant, id)),
};

const PUBLISHABLE_SCOPES: readonly Scope[] = ['events:write'];

/** Returns the response to a creation or rotation, with the raw API key. Caches must not store it. */
function answerMade({ key, rawKey }: MadeKey): Answer {
  return answer(201, { ...key, rawKey }, { headers: { 'cache-control': 'no-store' } });
}

function exceededScopesProblem(scopes: readonly Scope[]): Problem {
  return problem(
    'scope-required',
    `A key can only grant its own scopes. The calling key lacks ${scopes.join(', ')}. Omit these scopes, or call with a key that has them.`,
  );
}

const EXPIRED_ALREADY = faultAt('/expiresAt', 'out-of-range', 'This time is in the past. Send a time in the future.');
const OUTLIVED = problem(
  'invalid-transition',
  'The new key would expire later than the calling key. Rotate this key with a key that expires later, or in the console.',
);
const OUTLIVES = faultAt(
  '/expiresAt',
  'out-of-range',
  'The key would expire later than the calling key. Send an earlier time.',
);
const NO_SCOPES = faultAt(
  '/scopes',
  'not-applicable',
  'The scopes of a publishable key can’t be changed. Omit the field.',
);
const NO_ORIGINS = faultAt(
  '/origins',
  'not-applicable',
  'Only publishable keys have origins. Never use a secret key in a browser.',
);
