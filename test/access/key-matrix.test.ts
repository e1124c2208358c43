import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { servedDocument } from '../support/documented-answers.ts';
import { problemCode } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';
import { type Credential, isEntitled } from '../../tools/fuzz/credential.ts';
import { type Call, interfaceOf } from '../../tools/fuzz/interface.ts';
import { SCOPES } from '#core/caller.ts';

/**
 * Sends every call of the OpenAPI document that isn't public, once without a key and once with each kind of key. The
 * kinds are secret keys with one scope each, a publishable key, and keys that are unknown, revoked or expired. New
 * calls are included automatically. People and collaborators are tested in roles.test.ts. Other organizations are
 * tested in tenants.test.ts. A call with a permitted key can still fail, because its body is not valid JSON and its ids
 * are unknown.
 */

const CALLS = interfaceOf(servedDocument('X-Service')).calls.filter(({ security }) => security.length > 0);
const UNKNOWN = '8999999';

type Holder = Pick<Credential, 'scheme' | 'scopes' | 'hasEssentials'> & { readonly name: string; readonly key: string };

describe('permissions of API keys for every call', () => {
  let service: TestService;
  let holders: readonly Holder[];
  let strangers: Readonly<Record<string, string>>;
  before(async () => {
    service = await startService({ WHENCE_ROLE: 'api', RATE_LIMIT_PUBLISHABLE: '0' });
    const make = async (body: object) => {
      const { status, body: made } = await service.request('POST', '/v1/api-keys', { key: service.secretKey, body });
      assert.equal(status, 201);
      return made as { id: number; rawKey: string };
    };
    const tier = (await service.request('GET', '/v1/organization', { key: service.secretKey })).body as {
      tier: string;
    };
    const common = { hasEssentials: tier.tier === 'essentials' };
    const secret = await Promise.all(
      SCOPES.map(async (scope) => {
        const { rawKey: key } = await make({ label: scope, scopes: [scope] });
        return { ...common, name: scope, scheme: 'secretKey' as const, scopes: [scope], key };
      }),
    );
    const publishable = { name: 'publishable', scheme: 'publishableKey' as const, scopes: [] };
    holders = [...secret, { ...common, ...publishable, key: service.publishableKey }];
    const [revoked, expired] = await Promise.all([make({ label: 'Revoked' }), make({ label: 'Expired' })]);
    await service.request('DELETE', `/v1/api-keys/${revoked.id}`, { key: service.secretKey });
    await service.database.query(`update api_keys set expires_at = now() - interval '1 s' where id = $1`, [expired.id]);
    strangers = {
      unknown: `${service.secretKey.slice(0, -4)}AAAA`,
      'in another case': service.secretKey.replace('sk_live_', 'SK_LIVE_'),
      revoked: revoked.rawKey,
      expired: expired.rawKey,
    };
  });
  after(() => service.stop());

  const send = ({ method, path, body }: Call, key?: string): Promise<Reply> =>
    service.request(method, path.replaceAll(/\{\w+\}/g, UNKNOWN), {
      key,
      ...(body !== undefined && { body: '{', headers: { 'content-type': 'application/json' } }),
    });

  it('every existing scope is required by at least one call', () => {
    const asked = CALLS.flatMap(({ security }) => security.flatMap(({ secretKey = [] }) => secretKey));
    assert.deepEqual(new Set(asked), new Set(SCOPES));
  });

  for (const call of CALLS)
    it(`${call.id}: accepts only the keys that the OpenAPI document permits`, async () => {
      const refused = await Promise.all([undefined, ...Object.values(strangers)].map((key) => send(call, key)));
      for (const reply of refused) {
        assert.deepEqual([reply.status, problemCode(reply)], [401, 'unauthenticated']);
        assert.equal(reply.text, refused[0]?.text, 'every unknown key gets the same response');
      }
      const answered = await Promise.all(
        holders.map(async (holder) => [holder, await send(call, holder.key)] as const),
      );
      for (const [holder, reply] of answered)
        if (isEntitled(call, { ...holder, headers: {} })) {
          assert.ok(![401, 403].includes(reply.status), `${holder.name}: ${reply.text}`);
          assert.ok(reply.status < 500, reply.text);
        } else assert.deepEqual([reply.status, problemCode(reply)], [403, 'scope-required'], holder.name);
    });
});
