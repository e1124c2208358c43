import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { problemCode } from '../../support/replies.ts';
import { type Reply, startService, type TestService } from '../../support/service.ts';

const PATH = '/v1/event/site-visited';
const SHOP = 'https://shop.example';

describe('a visit from a browser on another origin', () => {
  let service: TestService;
  let collaboratorId: number;
  let listedKey: string;
  before(async () => {
    service = await startService();
    const key = service.secretKey;
    const made = await service.request('POST', '/v1/collaborators', { key, body: { name: 'Ada' } });
    collaboratorId = (made.body as { id: number }).id;
    const body = { kind: 'publishable', label: 'Shop', origins: [`${SHOP}/`, 'http://localhost:3000'] };
    const listed = await service.request('POST', '/v1/api-keys', { key, body });
    listedKey = (listed.body as { rawKey: string }).rawKey;
  });
  after(() => service.stop());

  const visit = (key: string | undefined, origin: string | undefined, body: unknown = { collaboratorId }) =>
    service.request('POST', PATH, { key, body, ...(origin === undefined ? {} : { headers: { origin } }) });
  const allowed = ({ headers }: Reply) => [headers.get('access-control-allow-origin'), headers.get('vary')];

  it('a preflight is accepted for every origin, without a key', async () => {
    for (const origin of [SHOP, 'https://other.example', 'null']) {
      const reply = await service.request('OPTIONS', PATH, {
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
      });
      assert.equal(reply.status, 204);
      assert.deepEqual(allowed(reply), [origin, 'Origin']);
      assert.equal(reply.headers.get('access-control-allow-methods'), 'POST');
      assert.equal(
        reply.headers.get('access-control-allow-headers'),
        'Authorization, Content-Type, X-Service-OID, Idempotency-Key',
      );
    }
  });

  it('a preflight with a body is refused, because browsers send none and nothing reads it', async () => {
    const reply = await service.request('OPTIONS', PATH, { body: [], headers: { origin: SHOP } });
    assert.equal(reply.status, 400, reply.text);
  });

  it('a visit is accepted with any Origin header or none if the key lists no origins', async () => {
    const reply = await visit(service.publishableKey, 'https://anywhere.example');
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual(allowed(reply), ['https://anywhere.example', 'Origin']);
    assert.equal(reply.headers.get('access-control-expose-headers'), 'X-Service-OID');
    const without = await visit(service.publishableKey, undefined);
    assert.equal(without.status, 200);
    assert.deepEqual(allowed(without), [null, null]);
    assert.equal(without.headers.get('access-control-expose-headers'), 'X-Service-OID');
  });

  it('a visit is accepted only from the key’s listed origins, and refused without an Origin header', async () => {
    for (const origin of [SHOP, 'http://localhost:3000']) assert.equal((await visit(listedKey, origin)).status, 200);
    for (const origin of [
      'https://other.example',
      'http://shop.example',
      'https://shop.example:8443',
      'null',
      undefined,
    ]) {
      const reply = await visit(listedKey, origin);
      assert.deepEqual([reply.status, problemCode(reply)], [403, 'origin-not-allowed'], origin);
      assert.equal(reply.headers.get('access-control-allow-origin'), null);
    }
  });

  it('error responses to a visit from a listed origin can be read across origins', async () => {
    const faulty = await visit(listedKey, SHOP, {});
    assert.deepEqual([faulty.status, ...allowed(faulty)], [422, SHOP, 'Origin']);
    const malformed = await visit(listedKey, SHOP, '{');
    assert.deepEqual([malformed.status, ...allowed(malformed)], [400, SHOP, 'Origin']);
    const keyless = await visit(undefined, SHOP);
    assert.deepEqual([keyless.status, ...allowed(keyless)], [401, SHOP, 'Origin']);
    const method = await service.request('PUT', PATH, { headers: { origin: SHOP } });
    assert.deepEqual([method.status, ...allowed(method)], [405, SHOP, 'Origin']);
  });

  it('calls other than visits, such as sales and lists, do not allow other origins', async () => {
    const preflight = await service.request('OPTIONS', '/v1/event/sale', { headers: { origin: SHOP } });
    assert.equal(preflight.status, 405);
    assert.equal(preflight.headers.get('access-control-allow-origin'), null);
    const reply = await service.request('GET', '/v1/programs', { key: service.secretKey, headers: { origin: SHOP } });
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.get('access-control-allow-origin'), null);
  });
});
