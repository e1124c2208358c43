import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { faultCodes, problemCode } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';

type Key = {
  id: number;
  kind: string;
  label: string;
  scopes: string[];
  origins: string[];
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  replacedBy: number | null;
  rawKey: string;
};
const DAY_MS = 86_400_000;

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const call = (method: string, path: string, body?: unknown, key = service.secretKey) =>
  service.request(method, path, { key, body });
const create = async (body: object): Promise<Key> => (await call('POST', '/v1/api-keys', body)).body as Key;
const get = async (id: number): Promise<Key> => (await call('GET', `/v1/api-keys/${id}`)).body as Key;
const change = (id: number, body: object, key?: string) => call('PATCH', `/v1/api-keys/${id}`, body, key);
const rotate = (id: number, body: object = {}, key?: string) => call('POST', `/v1/api-keys/${id}/rotate`, body, key);
const works = async (key: string) => (await call('GET', '/v1/organization', undefined, key)).status === 200;
const coded = (reply: Reply) => [reply.status, problemCode(reply)];
const distance = (from: string | null, to: string | null) =>
  new Date(to as string).getTime() - new Date(from as string).getTime();

describe('POST /v1/api-keys/{id}/rotate', () => {
  it('returns a new key with the old key’s label, kind, scopes and origins, and shows the raw key only once', async () => {
    const wanted = { label: 'Shop', kind: 'publishable', origins: ['https://shop.example'] };
    const old = await create(wanted);
    const reply = await rotate(old.id);
    assert.equal(reply.status, 201, reply.text);
    assert.equal(reply.headers.get('cache-control'), 'no-store');
    const made = reply.body as Key;
    assert.match(made.rawKey, /^pk_live_[\w-]{43}$/);
    assert.deepEqual(
      [made.label, made.kind, made.scopes, made.origins, made.expiresAt, made.replacedBy],
      ['Shop', 'publishable', ['events:write'], wanted.origins, null, null],
    );
    assert.notEqual(made.rawKey, old.rawKey);
    assert.ok(!(await call('GET', '/v1/api-keys')).text.includes(made.rawKey));
  });

  it('keeps the old key valid for one more day by default, and stores the id of its replacement', async () => {
    const old = await create({ label: 'A day' });
    const made = (await rotate(old.id)).body as Key;
    assert.ok((await works(old.rawKey)) && (await works(made.rawKey)));
    const seen = await get(old.id);
    assert.equal(seen.replacedBy, made.id);
    assert.ok(Math.abs(distance(made.createdAt, seen.expiresAt) - DAY_MS) < 60_000, String(seen.expiresAt));
  });

  it('limits overlapSeconds to thirty days and never extends the old key’s expiry', async () => {
    const tomorrow = new Date(Date.now() + DAY_MS).toISOString();
    const short = await create({ label: 'Ends tomorrow', expiresAt: tomorrow });
    assert.equal((await rotate(short.id, { overlapSeconds: 2_592_000 })).status, 201);
    assert.equal((await get(short.id)).expiresAt, tomorrow);
    const { id } = await create({ label: 'Bounds' });
    for (const [overlapSeconds, code] of [
      [-1, 'out-of-range'],
      [2_592_001, 'out-of-range'],
      [1.5, 'wrong-type'],
      ['soon', 'invalid-format'],
    ] as const) {
      assert.deepEqual(faultCodes(await rotate(id, { overlapSeconds })), { '/overlapSeconds': code });
    }
    assert.equal((await get(id)).replacedBy, null);
  });

  it('makes the old key expire within a second when overlapSeconds is 0', async () => {
    const old = await create({ label: 'Lost' });
    assert.ok(await works(old.rawKey));
    const made = (await rotate(old.id, { overlapSeconds: 0 })).body as Key;
    const deadline = performance.now() + 1_000;
    while (await works(old.rawKey)) assert.ok(performance.now() < deadline, 'within a second');
    assert.ok(await works(made.rawKey));
  });

  it('gives the replacement of a one-week key a lifetime of one week', async () => {
    const old = await create({ label: 'A week', expiresAt: new Date(Date.now() + 7 * DAY_MS).toISOString() });
    const made = (await rotate(old.id)).body as Key;
    const difference = distance(made.createdAt, made.expiresAt) - distance(old.createdAt, old.expiresAt);
    assert.ok(Math.abs(difference) < 60_000, String(difference));
  });

  it('lets a key rotate itself', async () => {
    const old = await create({ label: 'Myself' });
    const made = (await rotate(old.id, {}, old.rawKey)).body as Key;
    assert.ok(await works(made.rawKey));
  });

  it('returns 409 for a key that is already replaced, expired or revoked', async () => {
    const { id } = await create({ label: 'Once' });
    assert.equal((await rotate(id)).status, 201);
    assert.deepEqual(coded(await rotate(id)), [409, 'invalid-transition']);
    await service.database.query(`update api_keys set expires_at = now() where id = $1`, [id]);
    assert.deepEqual(coded(await rotate(id)), [409, 'invalid-transition']);
    const revoked = await create({ label: 'Gone' });
    await call('DELETE', `/v1/api-keys/${revoked.id}`);
    assert.deepEqual(coded(await rotate(revoked.id)), [409, 'invalid-transition']);
  });

  it('doesn’t let an expiring key obtain a key that expires later, except by rotating itself', async () => {
    const endless = await create({ label: 'Endless' });
    const short = await create({ label: 'A day', expiresAt: new Date(Date.now() + DAY_MS).toISOString() });
    assert.deepEqual(coded(await rotate(endless.id, {}, short.rawKey)), [409, 'invalid-transition']);
    assert.ok(await works(endless.rawKey), 'nothing was rotated');
    const itself = await rotate(short.id, {}, short.rawKey);
    assert.equal(itself.status, 201, itself.text);
    const replaced = await create({ label: 'Leaked' });
    const successor = (await rotate(replaced.id, { overlapSeconds: 3_600 })).body as Key;
    const stolen = await rotate(successor.id, { overlapSeconds: 0 }, replaced.rawKey);
    assert.deepEqual(coded(stolen), [409, 'invalid-transition'], 'a replaced key ends with its overlap');
    assert.ok(await works(successor.rawKey));
  });

  it('returns the same new key for a repeated Idempotency-Key, and stores no key in plain text', async () => {
    const { id } = await create({ label: 'Again' });
    const again = () =>
      service.request('POST', `/v1/api-keys/${id}/rotate`, {
        key: service.secretKey,
        body: {},
        headers: { 'idempotency-key': `rotate-${id}` },
      });
    const [first, second] = [await again(), await again()];
    assert.deepEqual([first.status, second.status, second.text], [201, 201, first.text]);
    const { rawKey } = first.body as Key;
    const audited = await call('GET', '/v1/audit-entries?operation=rotateApiKey');
    assert.ok(audited.text.includes(`/v1/api-keys/${id}/rotate`) && !audited.text.includes(rawKey));
    const { rows: tables } = await service.database.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public'`,
    );
    for (const { name } of tables) {
      const { rows } = await service.database.query(`select from ${name} t where strpos(t::text, $1) > 0`, [rawKey]);
      assert.equal(rows.length, 0, name);
    }
  });

  it('refuses a calling key that lacks a scope of the key to rotate', async () => {
    const full = await create({ label: 'Full' });
    const limited = await create({ label: 'Keys alone', scopes: ['keys:write'] });
    assert.deepEqual(coded(await rotate(full.id, {}, limited.rawKey)), [403, 'scope-required']);
    assert.equal((await get(full.id)).replacedBy, null);
    assert.equal((await rotate(limited.id, {}, limited.rawKey)).status, 201);
  });
});

describe('an API key that expires', () => {
  const soon = () => new Date(Date.now() + 60_000).toISOString();

  it('can’t create or extend a key beyond its own expiry, and can’t extend its own expiry', async () => {
    const expiring = await create({ label: 'Expiring', expiresAt: soon() });
    const other = await create({ label: 'Other', expiresAt: soon() });
    const { expiresAt, rawKey } = expiring;
    const refusals = [
      await change(expiring.id, { expiresAt: null }, rawKey),
      await change(expiring.id, { expiresAt: '2099-01-01T00:00:00Z' }, rawKey),
      await change(other.id, { expiresAt: null }, rawKey),
      await call('POST', '/v1/api-keys', { label: 'New' }, rawKey),
    ];
    for (const reply of refusals) assert.deepEqual(faultCodes(reply), { '/expiresAt': 'out-of-range' });
    assert.equal((await call('POST', '/v1/api-keys', { label: 'New', expiresAt }, rawKey)).status, 201);
    assert.equal((await change(other.id, { label: 'Renamed', expiresAt }, rawKey)).status, 200);
    assert.equal((await change(expiring.id, { expiresAt: null })).status, 200, 'another key can extend it');
  });

  it('can’t extend an expiry that its own rotation set', async () => {
    const old = await create({ label: 'Old' });
    await rotate(old.id, { overlapSeconds: 60 }, old.rawKey);
    const refused = await change(old.id, { expiresAt: null }, old.rawKey);
    assert.deepEqual(faultCodes(refused), { '/expiresAt': 'out-of-range' });
    assert.equal((await call('POST', '/v1/api-keys', { label: 'New' }, old.rawKey)).status, 422);
  });
});

describe('PATCH /v1/api-keys/{id}', () => {
  it('changes the submitted fields of a key and keeps the others', async () => {
    const { id } = await create({ label: 'Before', scopes: ['events:write', 'resources:read'] });
    const renamed = (await change(id, { label: 'After' })).body as Key;
    assert.deepEqual(
      [renamed.label, renamed.scopes, renamed.expiresAt],
      ['After', ['events:write', 'resources:read'], null],
    );
    const narrowed = (await change(id, { scopes: ['resources:read'], expiresAt: '2099-01-01T00:00:00Z' })).body as Key;
    assert.deepEqual(
      [narrowed.label, narrowed.scopes, narrowed.expiresAt],
      ['After', ['resources:read'], '2099-01-01T00:00:00.000Z'],
    );
    const later = (await change(id, { expiresAt: '2099-01-02T00:00:00Z' })).body as Key;
    assert.equal(later.expiresAt, '2099-01-02T00:00:00.000Z');
    assert.equal(((await change(id, { expiresAt: null })).body as Key).expiresAt, null);
    assert.deepEqual((await change(id, {})).body, await get(id));
  });

  it('applies changed scopes within a second', async () => {
    const { id, rawKey } = await create({ label: 'Reader', scopes: ['resources:read'] });
    assert.ok(await works(rawKey));
    await change(id, { scopes: ['events:write'] });
    const deadline = performance.now() + 1_000;
    while (await works(rawKey)) assert.ok(performance.now() < deadline, 'within a second');
  });

  it('replaces the whole list of origins, and accepts an empty list', async () => {
    const { id } = await create({ label: 'Shop', kind: 'publishable', origins: ['https://shop.example'] });
    const changed = (await change(id, { origins: ['https://new.example'] })).body as Key;
    assert.deepEqual(changed.origins, ['https://new.example']);
    assert.deepEqual(((await change(id, { origins: [] })).body as Key).origins, []);
  });

  it('refuses fields that don’t apply to the key’s kind, an empty list of scopes, and an expiry in the past', async () => {
    const secret = await create({ label: 'Secret' });
    const publishable = await create({ label: 'Publishable', kind: 'publishable' });
    for (const [id, body, faults] of [
      [publishable.id, { scopes: ['resources:read'] }, { '/scopes': 'not-applicable' }],
      [publishable.id, { scopes: [...publishable.scopes, 'resources:read'] }, { '/scopes': 'not-applicable' }],
      [secret.id, { origins: ['https://shop.example'] }, { '/origins': 'not-applicable' }],
      [secret.id, { scopes: [] }, { '/scopes': 'too-few' }],
      [secret.id, { expiresAt: '2020-01-01T00:00:00Z' }, { '/expiresAt': 'out-of-range' }],
    ] as const) {
      const reply = await change(id, body);
      assert.deepEqual([reply.status, faultCodes(reply)], [422, faults]);
    }
  });

  it('refuses scopes that the calling key lacks, and a calling key that lacks a scope of the key to change', async () => {
    const limited = await create({ label: 'Limited', scopes: ['keys:write', 'resources:read'] });
    const reader = await create({ label: 'Reader', scopes: ['resources:read'] });
    const more = await change(reader.id, { scopes: ['resources:write'] }, limited.rawKey);
    assert.deepEqual(coded(more), [403, 'scope-required']);
    const full = await create({ label: 'Full' });
    assert.deepEqual(coded(await change(full.id, { expiresAt: null }, limited.rawKey)), [403, 'scope-required']);
    assert.equal((await change(reader.id, { label: 'Read' }, limited.rawKey)).status, 200);
  });

  it('returns 409 for a revoked or expired key, but can extend the expiry of a replaced key', async () => {
    const revoked = await create({ label: 'Revoked' });
    await call('DELETE', `/v1/api-keys/${revoked.id}`);
    const expired = await create({ label: 'Expired' });
    await service.database.query(`update api_keys set expires_at = now() where id = $1`, [expired.id]);
    for (const { id } of [revoked, expired]) {
      assert.deepEqual(coded(await change(id, { expiresAt: null })), [409, 'invalid-transition']);
    }
    const replaced = await create({ label: 'Replaced' });
    await rotate(replaced.id);
    const given = (await change(replaced.id, { expiresAt: '2099-01-01T00:00:00Z' })).body as Key;
    assert.equal(given.expiresAt, '2099-01-01T00:00:00.000Z');
  });
});
