import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { verify } from '#store/verify.ts';
import { openReceiver, type Receiver } from '#test/support/receiver.ts';
import { problemCode } from '#test/support/replies.ts';
import { type Reply, startService, type TestService } from '#test/support/service.ts';
import { liteKey, openShop } from '#test/support/shop.ts';

// A client that was written for a service with headers of another name: with HEADER_PREFIX it goes on as it is.
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

  it('reports a visit, goes on with it, sells and refunds', async () => {
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

  it('may forward the header’s text as it has it, send more than is known, and name things by number', async () => {
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

  it('is told what it asked for when there is no such sale', async () => {
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

  it('reads bare arrays by page and perPage, with their count in a header', async () => {
    for (const name of ['Bea', 'Cem', 'Dot']) await post('/v1/collaborators', { name });
    const { body, headers } = await get('/v1/collaborators?page=2&perPage=3&sort=id');
    assert.deepEqual(
      (body as { name: string }[]).map(({ name }) => name),
      ['Dot'],
    );
    assert.equal(headers.get('x-acme-estimated-count'), '4');
  });

  it('makes, lists and deletes webhooks, and is told with signatures of its own prefix', async () => {
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
    assert.equal(told.headers['x-acme-delivery'], String(deliveryId));
    const expected = createHmac('sha256', signingSecret).update(told.body).digest('hex');
    assert.equal(told.headers['x-acme-signature'], `sha256=${expected}`);

    assert.equal((await service.request('DELETE', `/v1/webhooks/${id}`, { key })).status, 200);
    assert.deepEqual((await get('/v1/webhooks')).body, []);
  });

  it('makes, lists and revokes API keys', async () => {
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

  it('is refused by the statuses that it knows', async () => {
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
      [await post('/v1/event/newsletter-signup', {}), 404, 'not-found'],
    ];
    assert.deepEqual(
      refusals.map(([reply]) => [reply.status, problemCode(reply)]),
      refusals.map(([, status, code]) => [status, code]),
    );
    const unknown = await post('/v1/event/custom', { event: 'newsletter-signup', trackingId });
    assert.equal(unknown.status, 404);
  });

  it('is slowed down by 429 with Retry-After', async () => {
    const flooded = await startService({ HEADER_PREFIX: 'X-Acme', RATE_LIMIT_PUBLISHABLE: '1' });
    const call = () =>
      flooded.request('POST', '/v1/event/site-visited', {
        key: flooded.publishableKey,
        body: { collaboratorId: 'tracking:nobody' },
      });
    const replies = await Promise.all(Array.from({ length: 20 }, call));
    const refused = replies.filter(({ status }) => status === 429);
    assert.ok(refused.length > 0, 'twenty at once are more than one a second');
    for (const reply of refused) {
      assert.equal(problemCode(reply), 'rate-limited');
      assert.match(String(reply.headers.get('retry-after')), /^[1-9]\d*$/);
    }
    await flooded.stop();
  });
});
