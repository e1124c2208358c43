import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { authentication } from '#access/commands/authentication.ts';
import type { FoundKey } from '#access/store/api-keys.ts';
import { keyHash, rawKeyOf } from '#access/domain/api-key.ts';
import type { ApiKeyId, OrganizationId } from '#core/ids.ts';
import { exchange, rawRequest } from '../support/raw-http.ts';
import { problemCode } from '../support/replies.ts';
import { openShop } from '../support/shop.ts';
import { startService, type TestService } from '../support/service.ts';
import type { Auth } from '#core/auth.ts';

const stored = (rawKey: string): FoundKey => ({
  hash: keyHash(rawKey),
  organizationId: 1 as OrganizationId,
  keyId: 1 as ApiKeyId,
  kind: 'secret',
  scopes: ['events:write'],
  tier: 'essentials',
  origins: [],
  opportunityKey: Buffer.alloc(16, 1),
});

/**
 * Returns a store of API keys that records how many hashes each query contains. `hold()` blocks the next queries, and
 * returns a function that unblocks them.
 */
function countingStore(...known: readonly string[]) {
  const queries: number[] = [];
  let gate: Promise<void> = Promise.resolve();
  return {
    queries,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    load: async (hashes: readonly Buffer[]) => {
      queries.push(hashes.length);
      await gate;
      return known.map(stored).filter(({ hash }) => hashes.some((each) => each.equals(hash)));
    },
  };
}

describe('authentication(): recognizing API keys', () => {
  const key = rawKeyOf('secret', Buffer.alloc(32, 1));

  it('queries the store once for a repeated key, and again after half a second', async () => {
    let now = 0;
    const store = countingStore(key);
    const { recognize } = authentication(store.load, () => now);
    const auth = await recognize(key);
    assert.equal(auth?.organizationId, 1);
    for (now of [1, 100, 499]) assert.equal(recognize(key), auth, 'a cached key is recognized synchronously');
    assert.deepEqual(store.queries, [1]);
    now = 500;
    assert.equal((await recognize(key))?.caller, '1');
    assert.deepEqual(store.queries, [1, 1]);
  });

  it('remembers an unknown key for half a second', async () => {
    let now = 0;
    const store = countingStore();
    const { recognize } = authentication(store.load, () => now);
    assert.equal(await recognize(key), undefined);
    assert.equal(recognize(key), undefined);
    now = 500;
    await recognize(key);
    assert.deepEqual(store.queries, [1, 1]);
  });

  it('looks up keys in one query if they arrive while another query is running', async () => {
    const others = Array.from({ length: 50 }, () => rawKeyOf('secret', randomBytes(32)));
    const store = countingStore(key, ...others);
    const open = store.hold();
    const { recognize } = authentication(store.load);
    const looking = [recognize(key), ...others.map(recognize), ...others.map(recognize), recognize(key)];
    open();
    const found = await Promise.all(looking.map(async (each) => each));
    assert.ok(found.every((auth: Auth | undefined) => auth !== undefined));
    assert.deepEqual(store.queries, [1, 50]);
  });

  it('queries the store for a key again after forget(), even if an older query is in progress', async () => {
    const store = countingStore(key);
    const { recognize, forget } = authentication(store.load, () => 0);
    await recognize(key);
    forget();
    const open = store.hold();
    const looking = recognize(key);
    assert.ok(looking instanceof Promise, 'nothing is cached');
    while (store.queries.length < 2) await Promise.resolve();
    forget();
    const lookingAgain = recognize(key);
    open();
    assert.notEqual(await looking, undefined);
    assert.notEqual(await lookingAgain, undefined);
    assert.deepEqual(store.queries, [1, 1, 1]);
    await recognize(key);
    assert.deepEqual(store.queries, [1, 1, 1], 'the result of the last query is cached');
  });

  it('a lookup ends after one query, even if forget() is called during each query', async () => {
    const store = countingStore(key);
    const { recognize, forget } = authentication(
      async (hashes) => {
        const found = await store.load(hashes);
        forget();
        return found;
      },
      () => 0,
    );
    assert.notEqual(await recognize(key), undefined);
    assert.deepEqual(store.queries, [1]);
  });

  it('doesn’t query the store for text that can’t be a key', () => {
    const store = countingStore();
    const { recognize } = authentication(store.load);
    for (const text of [
      '',
      'sk_live_short',
      key.slice(0, -20),
      `xx${key}`,
      key.toUpperCase(),
      `sk_live_${'a'.repeat(300)}`,
    ]) {
      assert.equal(recognize(text), undefined);
    }
    assert.deepEqual(store.queries, []);
  });

  it('rejects with the store’s error if a query fails, and queries again on the next call', async () => {
    const failing = new Error('down');
    let isDown = true;
    const { recognize } = authentication(async () => {
      if (isDown) throw failing;
      return [stored(key)];
    });
    await assert.rejects(async () => recognize(key), failing);
    isDown = false;
    assert.equal((await recognize(key))?.caller, '1');
  });

  it('caches a bounded number of known and unknown keys', async () => {
    const store = countingStore(key);
    const { recognize } = authentication(store.load, () => 0);
    await recognize(key);
    await Promise.all(Array.from({ length: 10_001 }, async () => recognize(rawKeyOf('secret', randomBytes(32)))));
    assert.ok(recognize(key) instanceof Promise, 'the oldest key is no longer cached');
  });
});

describe('API authentication', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const asked = async (authorization: readonly string[], path = '/v1/organization') => {
    const headers = ['Host: localhost', ...authorization.map((value) => `Authorization: ${value}`)];
    return exchange(service.url, rawRequest(`GET ${path}`, headers));
  };
  const withoutDate = (text: string) => text.replace(/\r\nDate: .+\r\n/, '\r\n');

  it('returns the same 401 response for a missing, malformed, unknown, revoked or expired key', async () => {
    const key = service.secretKey;
    const revoked = await service.request('POST', '/v1/api-keys', { key, body: { label: 'Revoked' } });
    const { id, rawKey } = revoked.body as { id: number; rawKey: string };
    await service.request('DELETE', `/v1/api-keys/${id}`, { key });
    const made = await service.request('POST', '/v1/api-keys', {
      key,
      body: { label: 'Expired', expiresAt: '2100-01-01T00:00:00Z' },
    });
    const expired = made.body as { id: number; rawKey: string };
    await service.database.query(`update api_keys set expires_at = now() - interval '1 second' where id = $1`, [
      expired.id,
    ]);
    const wrong = [
      [],
      ['Bearer'],
      ['Bearer '],
      [key],
      [`Basic ${key}`],
      [`Bearer ${key.slice(0, -1)}`],
      [`Bearer ${key}x`],
      [`Bearer ${key} x`],
      [`Bearer ${key.toUpperCase()}`],
      [`Bearer sk_live_${'A'.repeat(43)}`],
      [`Bearer ${rawKey}`],
      [`Bearer ${expired.rawKey}`],
      [`Bearer ${key}`, `Bearer ${key}`],
      [`Bearer ${key}`, 'Bearer x'],
      [`Bearer ${'a'.repeat(10_000)}`],
      [`Bearer ${key}\u00ff`],
    ];
    const first = withoutDate((await asked([])).text);
    assert.match(first, /^HTTP\/1\.1 401 [\s\S]*\r\nwww-authenticate: Bearer\r\n/i);
    for (const authorization of wrong)
      assert.equal(withoutDate((await asked(authorization)).text), first, authorization.join());
    assert.equal(withoutDate((await asked([], `/v1/organization?key=${key}&access_token=${key}`)).text), first);
  });

  it('returns 400 for an Authorization header with control characters', async () => {
    assert.equal((await asked([`Bearer ${service.secretKey}\u0000`])).status, 400);
  });

  it('accepts the scheme Bearer in lowercase', async () => {
    assert.equal((await asked([`bearer ${service.secretKey}`])).status, 200);
  });

  it('needs no key for health checks, metrics and the OpenAPI document', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json']) {
      assert.equal((await service.request('GET', path)).status, 200, path);
      assert.equal((await service.request('HEAD', path)).status, 200, path);
    }
  });

  it('checks the key and its scope before the content type, JSON and fields', async () => {
    const reply = await service.request('POST', '/v1/event/sale', {
      body: '{',
      headers: { 'content-type': 'text/plain' },
    });
    assert.equal(reply.status, 401);
    const limited = await service.request('POST', '/v1/event/sale', {
      key: service.publishableKey,
      body: '{',
      headers: { 'content-type': 'text/plain' },
    });
    assert.deepEqual([limited.status, problemCode(limited)], [403, 'scope-required']);
  });

  it('refuses a publishable key on calls other than visit reports', async () => {
    for (const [method, path] of [
      ['POST', '/v1/event/sale'],
      ['POST', '/v1/event/refund'],
      ['GET', '/v1/collaborators'],
      ['POST', '/v1/programs'],
      ['GET', '/v1/organization'],
    ] as const) {
      const body = method === 'POST' ? {} : undefined;
      const reply = await service.request(method, path, { key: service.publishableKey, body });
      assert.deepEqual([reply.status, problemCode(reply)], [403, 'scope-required'], path);
    }
  });

  it('lets a secret key make only the calls that its scopes allow', async () => {
    const calls = [
      ['events:write', 'POST', '/v1/event/refund'],
      ['resources:read', 'GET', '/v1/programs'],
      ['resources:write', 'POST', '/v1/programs'],
      ['keys:write', 'POST', '/v1/api-keys'],
    ] as const;
    for (const [scope] of calls) {
      const body = { label: scope, scopes: [scope] };
      const made = await service.request('POST', '/v1/api-keys', { key: service.secretKey, body });
      const { rawKey } = made.body as { rawKey: string };
      for (const [needed, method, path] of calls) {
        const reply = await service.request(method, path, { key: rawKey, body: method === 'POST' ? {} : undefined });
        assert.equal(reply.status === 403, needed !== scope, `${scope} on ${path}: ${reply.status}`);
      }
    }
  });

  it('refuses reports within a second after an organization loses the Essentials tier', async () => {
    const { secretKey: key } = service;
    const report = () => service.request('POST', '/v1/event/refund', { key, body: { source: 's', externalId: '1' } });
    assert.equal((await report()).status, 404);
    await service.request('PATCH', '/v1/organization', { key, body: { tier: 'lite' } });
    await within(1_000, async () => (await report()).status === 403);
    assert.equal(problemCode(await report()), 'tier-required');
    assert.equal((await service.request('GET', '/v1/programs', { key })).status, 200);
    await service.request('PATCH', '/v1/organization', { key, body: { tier: 'essentials' } });
    await within(1_000, async () => (await report()).status === 404);
  });

  it('refuses a revoked key within a second, also under concurrent requests', async () => {
    const { secretKey: key } = service;
    const made = await service.request('POST', '/v1/api-keys', { key, body: { label: 'Short-lived' } });
    const { id, rawKey } = made.body as { id: number; rawKey: string };
    const call = async () => (await service.request('GET', '/v1/organization', { key: rawKey })).status;
    assert.equal(await call(), 200);
    await service.request('DELETE', `/v1/api-keys/${id}`, { key });
    await within(1_000, async () => (await call()) === 401);
    const later = await Promise.all(Array.from({ length: 20 }, call));
    assert.deepEqual(new Set(later), new Set([401]));
  });

  it('refuses a request if its key is revoked before its body has arrived', async () => {
    const shop = openShop(service);
    await shop.program({ autoApprove: true });
    await shop.collaborator('slow');
    const trackingId = Number(await shop.visit('slow'));
    const made = await service.request('POST', '/v1/api-keys', { key: service.secretKey, body: { label: 'Slow' } });
    const { id, rawKey } = made.body as { id: number; rawKey: string };
    const body = JSON.stringify({ source: 'slow', externalId: '1', total: 10, trackingId });
    const slow = (path: string) => {
      const head = [`POST ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${rawKey}`, 'Connection: close'];
      const lines = [...head, 'Content-Type: application/json', `Content-Length: ${body.length}`, '', body.slice(0, 5)];
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      socket.write(lines.join('\r\n'));
      return async () => {
        socket.write(body.slice(5));
        let text = '';
        for await (const chunk of socket) text += String(chunk);
        return text.split('\r\n', 1)[0];
      };
    };
    const begun = performance.now();
    const finish = ['/v1/event/sale', '/v1/visitors/export'].map(slow);
    const status = async () => (await service.request('GET', '/v1/organization', { key: rawKey })).status;
    assert.equal(await status(), 200);
    await service.request('DELETE', `/v1/api-keys/${id}`, { key: service.secretKey });
    while (performance.now() - begun < 200) assert.equal(await status(), 401);
    for (const each of finish) assert.equal(await each(), 'HTTP/1.1 401 Unauthorized');
    assert.deepEqual(await shop.get('/v1/transactions?source=slow'), []);
  });

  it('refuses an export if its key is revoked while the export waits for another export', async () => {
    const made = await service.request('POST', '/v1/api-keys', { key: service.secretKey, body: { label: 'Export' } });
    const { id, rawKey: key } = made.body as { id: number; rawKey: string };
    const lock = await service.database.connect();
    await lock.query('begin; lock table collaborators');
    const begun = performance.now();
    const headers = { accept: 'text/csv' };
    const exports = [1, 2].map(() => service.request('GET', '/v1/collaborators', { key, headers }));
    const status = async () => (await service.request('GET', '/v1/organization', { key })).status;
    while (performance.now() - begun < 150) assert.equal(await status(), 200);
    await service.request('DELETE', `/v1/api-keys/${id}`, { key: service.secretKey });
    assert.equal(await status(), 401);
    await lock.query('commit');
    lock.release();
    const statuses = (await Promise.all(exports)).map((reply) => reply.status);
    assert.deepEqual(new Set(statuses), new Set([200, 401]));
  });

  it('stops accepting a revoked key or a removed scope as soon as the call that changes the key returns', async () => {
    const admin = service.secretKey;
    for (let n = 0; n < 20; n += 1) {
      const body = { label: `short-lived ${n}`, scopes: ['resources:read', 'resources:write'] };
      const made = await service.request('POST', '/v1/api-keys', { key: admin, body });
      const { id, rawKey: key } = made.body as { id: number; rawKey: string };
      const list = () => service.request('GET', '/v1/programs', { key });
      const create = () => service.request('POST', '/v1/collaborators', { key, body: { name: 'Ada' } });
      assert.deepEqual([(await list()).status, (await create()).status], [200, 201]);
      const fewer = { key: admin, body: { scopes: ['resources:read'] } };
      assert.equal((await service.request('PATCH', `/v1/api-keys/${id}`, fewer)).status, 200);
      assert.equal((await create()).status, 403);
      assert.equal((await service.request('DELETE', `/v1/api-keys/${id}`, { key: admin })).status, 200);
      assert.equal((await list()).status, 401);
    }
  });

  it('records when a key was last used, to the minute', async () => {
    const reply = await service.request('GET', '/v1/api-keys', { key: service.secretKey });
    const used = (reply.body as { lastUsedAt: string | null }[])
      .map(({ lastUsedAt }) => lastUsedAt)
      .filter((at) => at !== null);
    assert.ok(used.length > 0);
    assert.ok(
      used.every((at) => at.endsWith(':00.000Z')),
      used.join(),
    );
  });

  it('stores no raw API key in the table api_keys', async () => {
    const { rows } = await service.database.query<{ row: string }>('select k::text as row from api_keys k');
    assert.ok(rows.length > 0);
    assert.ok(rows.every(({ row }) => !row.includes(service.secretKey)));
  });
});

async function within(ms: number, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await holds())) assert.ok(performance.now() < deadline, `within ${ms} ms`);
}
