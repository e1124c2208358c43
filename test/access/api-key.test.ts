import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { faultCodes, problemCode } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';

type Key = {
  id: number;
  kind: string;
  label: string;
  keyPrefix: string;
  scopes: string[];
  origins: string[];
  expiresAt: string | null;
  revokedAt: string | null;
  status: string;
  replacedBy: number | null;
  rawKey: string;
};
const ALL = ['events:write', 'resources:read', 'resources:write', 'keys:write', 'people:write'];

describe('API keys', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const call = (method: string, path: string, body?: unknown, key = service.secretKey) =>
    service.request(method, path, { key, body });
  const create = async (body: object, key?: string): Promise<Key> => {
    const reply = await call('POST', '/v1/api-keys', body, key);
    assert.equal(reply.status, 201, reply.text);
    assert.equal(reply.headers.get('cache-control'), 'no-store');
    return reply.body as Key;
  };

  it('are secret keys with every scope by default and have 256 random bits', async () => {
    const [one, two] = [await create({ label: 'One' }), await create({ label: 'Two' })];
    assert.deepEqual([one.kind, one.scopes, one.origins, one.expiresAt], ['secret', ALL, [], null]);
    assert.match(one.rawKey, /^sk_live_[\w-]{43}$/);
    assert.ok(one.rawKey.startsWith(one.keyPrefix) && one.keyPrefix.length === 12);
    assert.notEqual(one.rawKey, two.rawKey);
    assert.equal((await call('GET', '/v1/organization', undefined, one.rawKey)).status, 200);
  });

  it('are returned as a raw key only by the call that creates them', async () => {
    const { id, rawKey } = await create({ label: 'Once' });
    for (const path of [`/v1/api-keys/${id}`, '/v1/api-keys?label=Once']) {
      const reply = await call('GET', path);
      assert.equal(reply.status, 200);
      assert.ok(!reply.text.includes(rawKey) && !reply.text.includes('rawKey'));
    }
  });

  it('have their own prefix, one scope and normalized origins if they are publishable', async () => {
    const key = await create({
      label: 'Shop',
      kind: 'publishable',
      origins: ['https://Shop.example', 'http://localhost:80'],
    });
    assert.match(key.rawKey, /^pk_live_/);
    assert.deepEqual([key.scopes, key.origins], [['events:write'], ['https://shop.example', 'http://localhost']]);
  });

  it('can have a future expiry, but no past or impossible date as the expiry', async () => {
    const key = await create({ label: 'Later', expiresAt: '2099-12-31T23:59:59+01:00' });
    assert.equal(key.expiresAt, '2099-12-31T22:59:59.000Z');
    const past = await call('POST', '/v1/api-keys', { label: 'Past', expiresAt: '2020-01-01T00:00:00Z' });
    assert.deepEqual([past.status, faultCodes(past)], [422, { '/expiresAt': 'out-of-range' }]);
    for (const expiresAt of [
      '2099-02-30T00:00:00Z',
      '2099-02-29T00:00:00Z',
      '2099-04-31T00:00:00Z',
      '2099-01-01T24:00:00Z',
      '9999-12-31T23:59:59-00:01',
    ]) {
      const impossible = await call('POST', '/v1/api-keys', { label: 'Never', expiresAt });
      assert.deepEqual(
        [impossible.status, faultCodes(impossible)],
        [422, { '/expiresAt': 'invalid-format' }],
        expiresAt,
      );
    }
    assert.equal(
      (await create({ label: 'Leap', expiresAt: '2096-02-29T00:00:00Z' })).expiresAt,
      '2096-02-29T00:00:00.000Z',
    );
  });

  it('can’t create keys with scopes that they lack themselves', async () => {
    const limited = await create({ label: 'Keys', scopes: ['keys:write', 'resources:read'] });
    assert.deepEqual((await create({ label: 'Child' }, limited.rawKey)).scopes, ['resources:read', 'keys:write']);
    for (const body of [
      { label: 'x', scopes: ['events:write'] },
      { label: 'x', kind: 'publishable' },
    ]) {
      const reply = await call('POST', '/v1/api-keys', body, limited.rawKey);
      assert.deepEqual([reply.status, problemCode(reply)], [403, 'scope-required']);
    }
  });

  it('can’t be created with invalid fields, and the response lists every invalid field', async () => {
    const reply = await call('POST', '/v1/api-keys', {
      kind: 'public',
      scopes: ['everything'],
      origins: ['shop.example', 'https://shop.example/path', 'ftp://shop.example', 'https://*.shop.example', 7],
      expiresAt: 'tomorrow',
    });
    assert.deepEqual(
      [reply.status, faultCodes(reply)],
      [
        422,
        {
          '/label': 'required',
          '/kind': 'unknown-value',
          '/scopes': 'unknown-value',
          '/origins/0': 'invalid-format',
          '/origins/1': 'invalid-format',
          '/origins/2': 'invalid-format',
          '/origins/3': 'invalid-format',
          '/origins/4': 'wrong-type',
          '/expiresAt': 'invalid-format',
        },
      ],
    );
    const misplaced = await call('POST', '/v1/api-keys', { label: 'x', kind: 'publishable', scopes: ['events:write'] });
    assert.deepEqual(faultCodes(misplaced), { '/scopes': 'not-applicable' });
    const secret = await call('POST', '/v1/api-keys', { label: 'x', origins: ['https://shop.example'] });
    assert.deepEqual(faultCodes(secret), { '/origins': 'not-applicable' });
    const none = await call('POST', '/v1/api-keys', { label: 'x', scopes: [] });
    assert.deepEqual(faultCodes(none), { '/scopes': 'too-few' });
  });

  it('keep the first revocation time when revoked again', async () => {
    const { id } = await create({ label: 'Gone' });
    const first = await call('DELETE', `/v1/api-keys/${id}`);
    assert.equal(first.status, 200);
    assert.notEqual((first.body as Key).revokedAt, null);
    assert.deepEqual((await call('DELETE', `/v1/api-keys/${id}`)).body, first.body);
  });

  it('have the status active, then expired after their expiry, and revoked after a revocation', async () => {
    const { id, status } = await create({ label: 'Works' });
    assert.equal(status, 'active');
    const statusNow = async () => ((await call('GET', `/v1/api-keys/${id}`)).body as Key).status;
    await service.database.query(`update api_keys set expires_at = now() - interval '1 second' where id = $1`, [id]);
    assert.equal(await statusNow(), 'expired');
    assert.equal(((await call('DELETE', `/v1/api-keys/${id}`)).body as Key).status, 'revoked');
    assert.equal(await statusNow(), 'revoked');
  });

  it('aren’t found (404) if they don’t exist or belong to another organization', async () => {
    const { id } = await create({ label: 'Mine' });
    const other = await service.foundOrganization('Other');
    for (const [method, key, wanted] of [
      ['GET', other, id],
      ['DELETE', other, id],
      ['GET', undefined, 99_999],
      ['DELETE', undefined, 99_999],
    ] as const) {
      assert.equal((await call(method, `/v1/api-keys/${wanted}`, undefined, key)).status, 404);
    }
    assert.equal(((await call('GET', `/v1/api-keys/${id}`)).body as Key).revokedAt, null);
  });
});
