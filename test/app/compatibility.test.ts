import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { verify } from '#verify/verify.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { problemCode } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';
import { liteKey, openShop } from '../support/shop.ts';

// A client that was written for another service works unchanged if HEADER_PREFIX is the prefix of its header names.
describe('an existing client, with HEADER_PREFIX=X-Acme', () => {
  let service: TestService;
  let receiver: Receiver;
  let key: string;
  let ada: number;

  before(async () => {
    service = await startService({ HEADER_PREFIX: 'X-Acme', WEBHOOKS_PRIVATE_ADDRESSES: 'true' });
    receiver = await openReceiver();
    key = service.secretKey;
    const { program, collaborator } = openShop(service);
    await program({ autoApprove: true });
    ada = await collaborator('ada');
  });

  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
    await receiver.close();
  });

  const get = (path: string) => service.request('GET', path, { key });
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    service.request('POST', path, { key, body, headers });
  const visit = (oid?: string) =>
    post('/v1/event/site-visited', { collaboratorId: 'tracking:ada' }, oid === undefined ? {} : { 'X-Acme-OID': oid });
  const oidOf = ({ headers }: Reply) => headers.get('x-acme-oid') as string;

  it('reports a visit, another visit of the same visitor, a sale and a refund', async () => {
    const first = await visit();
    assert.equal(first.status, 200);
    assert.equal(first.text, '');
    assert.match(oidOf(first), /^[1-9]\d*$/);
    assert.equal(first.headers.get('access-control-expose-headers'), 'X-Acme-OID');
    assert.equal(first.headers.has('x-service-oid'), false);
    assert.equal(oidOf(await visit(oidOf(first))), oidOf(first));

    const sale = { source: 'acme', externalId: 'A-1', total: 49.9, trackingId: Number(oidOf(first)) };
    const sold = await post('/v1/event/sale', sale);
    assert.deepEqual([sold.status, sold.text, oidOf(sold)], [200, '', oidOf(first)]);
    const refunded = await post('/v1/event/refund', { source: 'acme', externalId: 'A-1' });
    assert.deepEqual([refunded.status, refunded.text], [200, '']);
    await service.settled();
    const [conversion] = (await get('/v1/conversions')).body as { status: string }[];
    assert.equal(conversion?.status, 'rejected');
  });

  it('can send an invalid opportunity header, unknown fields, and numeric ids', async () => {
    const oid = oidOf(await visit('undefined'));
    const again = { collaboratorId: String(ada), userId: 0, landingPage: '/mugs' };
    const known = await post('/v1/event/site-visited', again, { 'X-Acme-OID': oid });
    assert.deepEqual([known.status, oidOf(known)], [200, oid]);
    assert.notEqual(oidOf(await post('/v1/event/site-visited', again, { 'X-Service-OID': oid })), oid);

    const items = [{ externalId: 7, name: 'Mug', quantity: '2', amount: '24.95', sku: 'M-7' }];
    const sale = { source: 'acme', externalId: 1007, total: '49.90', trackingId: oid, currency: 'eur', items };
    for (const sent of [sale, { ...sale, externalId: '1007', total: 49.9, trackingId: Number(oid) }]) {
      const sold = await post('/v1/event/sale', sent);
      assert.deepEqual([sold.status, oidOf(sold)], [200, oid]);
    }
    const [found] = (await get('/v1/transactions?externalId=1007')).body as { total: number; currency: string }[];
    assert.deepEqual([found?.total, found?.currency], [4990, 'EUR']);
    assert.equal((await post('/v1/event/refund', { source: 'acme', externalId: 1007 })).status, 200);
  });

  it('gets the submitted fields back when refunding an unknown sale', async () => {
    for (const asked of [
      { source: 'acme', externalId: 4_040 },
      { source: 'acme', externalId: 'never sold' },
      { source: 'ACME', externalId: '1007' },
    ]) {
      const { status, body } = await post('/v1/event/refund', asked);
      const { source, externalId } = body as Record<string, unknown>;
      assert.deepEqual([status, { source, externalId }], [404, asked]);
    }
  });

  it('reports visits from a page of another origin', async () => {
    const path = '/v1/event/site-visited';
    const Origin = 'https://shop.example';
    const asks = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'x-acme-oid' };
    const preflight = await service.request('OPTIONS', path, { headers: { Origin, ...asks } });
    assert.equal(preflight.status, 204);
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /\bX-Acme-OID\b/);
    const visited = await service.request('POST', path, {
      key: service.publishableKey,
      body: { collaboratorId: 'tracking:ada' },
      headers: { Origin },
    });
    assert.deepEqual([visited.status, visited.headers.get('access-control-allow-origin')], [200, Origin]);
    assert.equal(visited.headers.get('access-control-expose-headers'), 'X-Acme-OID');
  });

  it('reads lists as bare arrays with page and perPage, and the count from a header', async () => {
    for (const name of ['Bea', 'Cem', 'Dot']) await post('/v1/collaborators', { name });
    const { body, headers } = await get('/v1/collaborators?page=2&perPage=3&sort=id');
    assert.deepEqual(
      (body as { name: string }[]).map(({ name }) => name),
      ['Dot'],
    );
    assert.equal(headers.get('x-acme-estimated-count'), '4');
  });

  it('creates, lists and deletes webhooks, and receives signatures with its own prefix', async () => {
    const made = await post('/v1/webhooks', { url: receiver.url, events: ['transaction.created'] });
    assert.equal(made.status, 201);
    const { id, signingSecret } = made.body as { id: number; signingSecret: string };
    assert.match(signingSecret, /^whsec_/);
    const listed = (await get('/v1/webhooks')).body as { id: number; signingSecret?: string }[];
    assert.deepEqual(
      listed.map((each) => [each.id, each.signingSecret]),
      [[id, undefined]],
    );

    const sold = { source: 'acme', externalId: 'A-2', total: 10, trackingId: Number(oidOf(await visit())) };
    assert.equal((await post('/v1/event/sale', sold)).status, 200);
    await receiver.got(1);
    const [told] = receiver.received;
    assert.ok(told);
    const { type, timestamp, data, deliveryId } = JSON.parse(told.body) as Record<string, unknown>;
    assert.deepEqual([type, (data as { externalId: string }).externalId], ['transaction.created', 'A-2']);
    assert.ok(!Number.isNaN(Date.parse(String(timestamp))));
    assert.equal(told.headers['x-acme-event'], 'transaction.created');
    assert.equal(told.headers['x-acme-delivery'], deliveryId);
    const expected = createHmac('sha256', signingSecret).update(told.body).digest('hex');
    assert.equal(told.headers['x-acme-signature'], `sha256=${expected}`);

    assert.equal((await service.request('DELETE', `/v1/webhooks/${id}`, { key })).status, 200);
    assert.deepEqual((await get('/v1/webhooks')).body, []);
  });

  it('creates, lists and revokes API keys', async () => {
    const made = await post('/v1/api-keys', { label: 'Checkout', scopes: ['events:write'] });
    const { id, rawKey, keyPrefix, label, scopes } = made.body as Record<string, unknown>;
    assert.deepEqual([made.status, label, scopes], [201, 'Checkout', ['events:write']]);
    assert.ok(String(rawKey).startsWith(String(keyPrefix)));
    const found = ((await get('/v1/api-keys')).body as Record<string, unknown>[]).find((each) => each['id'] === id);
    assert.equal(found?.['keyPrefix'], keyPrefix);
    assert.equal(found?.['rawKey'], undefined);
    assert.equal((await service.request('DELETE', `/v1/api-keys/${String(id)}`, { key })).status, 200);
    assert.equal((await service.request('GET', '/v1/api-keys', { key: String(rawKey) })).status, 401);
  });

  it('gets the documented statuses and codes for refused requests', async () => {
    const trackingId = Number(oidOf(await visit()));
    const sale = { source: 'acme', externalId: 'A-3', total: 10, trackingId };
    await post('/v1/event/sale', sale);
    const refusals: [Reply, number, string][] = [
      [await service.request('POST', '/v1/event/sale', { body: sale }), 401, 'unauthenticated'],
      [await service.request('GET', '/v1/programs', { key: service.publishableKey }), 403, 'scope-required'],
      [
        await service.request('POST', '/v1/event/sale', { key: await liteKey(service), body: sale }),
        403,
        'tier-required',
      ],
      [await post('/v1/event/refund', { source: 'acme', externalId: 'A-0' }), 404, 'sale-not-found'],
      [await post('/v1/event/sale', { ...sale, total: 11 }), 409, 'sale-conflict'],
      [await post('/v1/event/sale', { ...sale, externalId: 'A-4', total: 'ten' }), 422, 'invalid-request'],
      [await post('/v1/event/newsletter-signup', { trackingId }), 404, 'event-not-found'],
    ];
    assert.deepEqual(
      refusals.map(([reply]) => [reply.status, problemCode(reply)]),
      refusals.map(([, status, code]) => [status, code]),
    );
    const unknown = await post('/v1/event/custom', { event: 'newsletter-signup', trackingId });
    assert.equal(unknown.status, 404);
  });

  it('shares a service with clients that use other prefixes if HEADER_PREFIX lists all prefixes', async (test) => {
    const shared = await startService({
      HEADER_PREFIX: 'X-Service, X-Acme,Acme-2',
      WEBHOOKS_PRIVATE_ADDRESSES: 'true',
    });
    const told = await openReceiver();
    test.after(async () => {
      await shared.stop();
      await told.close();
    });
    const { program, collaborator } = openShop(shared);
    await program();
    await collaborator('ada');
    const prefixes = ['X-Service', 'X-Acme', 'Acme-2'];
    const webhook = { url: told.url, events: ['transaction.created'] };
    assert.equal((await shared.request('POST', '/v1/webhooks', { key: shared.secretKey, body: webhook })).status, 201);
    const Origin = 'https://shop.example';
    const report = (path: string, body: unknown, headers: Record<string, string> = {}) =>
      shared.request('POST', `/v1/event/${path}`, { key: shared.secretKey, body, headers: { Origin, ...headers } });
    const numbersIn = ({ headers }: Reply) => prefixes.map((prefix) => headers.get(`${prefix}-OID`));
    const landing = { collaboratorId: 'tracking:ada' };

    const first = await report('site-visited', landing);
    const [number = ''] = numbersIn(first);
    assert.match(String(number), /^[1-9]\d*$/);
    assert.deepEqual(numbersIn(first), [number, number, number]);
    const exposed = first.headers.get('access-control-expose-headers');
    assert.equal(exposed, 'X-Service-OID, X-Acme-OID, Acme-2-OID');
    for (const prefix of prefixes) {
      const again = await report('site-visited', landing, { [`${prefix}-OID`]: String(number) });
      assert.deepEqual(numbersIn(again), [number, number, number], prefix);
    }

    const preflight = await shared.request('OPTIONS', '/v1/event/site-visited', {
      headers: { Origin, 'Access-Control-Request-Method': 'POST' },
    });
    assert.equal(
      preflight.headers.get('access-control-allow-headers'),
      'Authorization, Content-Type, X-Service-OID, X-Acme-OID, Acme-2-OID, Idempotency-Key',
    );

    const sold = await report('sale', { source: 'acme', externalId: 'A-1', total: 10, trackingId: number });
    assert.deepEqual(numbersIn(sold), [number, number, number]);
    const listed = await shared.request('GET', '/v1/collaborators', { key: shared.secretKey });
    const counts = prefixes.map((prefix) => listed.headers.get(`${prefix}-Estimated-Count`));
    assert.deepEqual(counts, ['1', '1', '1']);

    await told.got(1);
    const delivered = told.received[0]?.headers ?? {};
    for (const name of ['event', 'delivery', 'sequence', 'signature']) {
      const values = new Set(prefixes.map((prefix) => delivered[`${prefix.toLowerCase()}-${name}`]));
      assert.ok(values.size === 1 && !values.has(undefined), name);
    }

    const document = await (await fetch(`${shared.url}/openapi.json`)).text();
    assert.ok(document.includes('X-Service-OID') && !document.includes('X-Acme'), 'the first prefix is documented');
  });

  it('gets 429 and Retry-After if it exceeds the rate limit', async () => {
    const flooded = await startService({ HEADER_PREFIX: 'X-Acme', RATE_LIMIT_PUBLISHABLE: '1' });
    const call = () =>
      flooded.request('POST', '/v1/event/site-visited', {
        key: flooded.publishableKey,
        body: { collaboratorId: 'tracking:nobody' },
      });
    const replies = await Promise.all(Array.from({ length: 20 }, call));
    const refused = replies.filter(({ status }) => status === 429);
    assert.ok(refused.length > 0, 'twenty concurrent calls exceed one per second');
    for (const reply of refused) {
      assert.equal(problemCode(reply), 'rate-limited');
      assert.match(String(reply.headers.get('retry-after')), /^[1-9]\d*$/);
    }
    await flooded.stop();
  });
});
