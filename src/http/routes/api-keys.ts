import { invalidRequest, problem } from '#contract/problem.ts';
import type { Scope } from '#domain/api-key.ts';
import { createApiKey } from '#operations/create-api-key.ts';
import { revokeApiKey } from '#operations/revoke-api-key.ts';
import type { Database } from '#store/database.ts';
import { apiKeys } from '#store/read/api-keys.ts';
import { readOne } from '#store/read/page.ts';
import { answer, answerFound, type HandlersFor } from '../handler.ts';
import { answerPage } from '../pages.ts';

export function apiKeyHandlers(
  database: Database,
): HandlersFor<'listApiKeys' | 'createApiKey' | 'getApiKey' | 'revokeApiKey'> {
  return {
    listApiKeys: (request) => answerPage(database, request, apiKeys),

    createApiKey: async ({ auth, body }) => {
      const scopes = body.kind === 'publishable' ? PUBLISHABLE_SCOPES : (body.scopes ?? auth.scopes);
      const lacking = scopes.filter((scope) => !auth.scopes.includes(scope));
      if (lacking.length > 0)
        return problem('scope-required', `This key can't give ${lacking.join(', ')}: it lacks that.`);
      const created = await createApiKey(database, auth.organizationId, {
        kind: body.kind,
        label: body.label,
        scopes,
        origins: body.origins ?? [],
        expiresAt: body.expiresAt ?? null,
      });
      switch (created.kind) {
        case 'created':
          return answer(201, { ...created.key, rawKey: created.rawKey }, { headers: { 'cache-control': 'no-store' } });
        case 'expired-already':
          return invalidRequest([{ pointer: '/expiresAt', code: 'out-of-range', detail: 'This time is in the past.' }]);
        default:
          return created satisfies never;
      }
    },

    getApiKey: async ({ auth, params: { id } }) =>
      answerFound(await readOne(database, auth.organizationId, apiKeys, { id })),

    revokeApiKey: async ({ auth, params: { id } }) =>
      answerFound(await revokeApiKey(database, auth.organizationId, id)),
  };
}

const PUBLISHABLE_SCOPES: readonly Scope[] = ['events:write'];
