import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { faultCodes, problemCode } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { connectStripe, eventOf, SECRET, signBody } from '../support/stripe.ts';

const NEW_SECRET = 'whsec_C2FVsBQIhrscChlQIMV4b5sSYspob7oD';

describe('connectors', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ PUBLIC_URL: 'https://whence.example' });
  });
  after(() => service.stop());

  const call = (method: string, path: string, body?: object) =>
    service.request(method, path, { key: service.secretKey, body });

  const send = (id: number, body: string, signature: string) =>
    service.request('POST', `/v1/connectors/${id}/webhook`, { body, headers: { 'stripe-signature': signature } });

  it('are created with a URL for their events, and no response shows their secret', async () => {
    const made = await call('POST', '/v1/connectors', { kind: 'stripe', name: 'Stripe', secret: SECRET });
    assert.equal(made.status, 201);
    const { id, createdAt, updatedAt, eventTypes, ...shown } = made.body as { id: number } & Record<string, unknown>;
    assert.equal(createdAt, updatedAt);
    assert.ok((eventTypes as string[]).includes('invoice.paid'));
    assert.deepEqual(shown, {
      kind: 'stripe',
      name: 'Stripe',
      mode: 'live',
      status: 'active',
      webhookUrl: `https://whence.example/v1/connectors/${id}/webhook`,
      source: 'stripe',
      settings: {},
      hasSecret: true,
      pendingEvents: 0,
      waitingEvents: 0,
      deadLetteredEvents: 0,
      firstEventAt: null,
      lastEventAt: null,
      lastRefusedAt: null,
      firstAttributedOrder: null,
      firstAttributedAt: null,
    });
    const seen = [await call('GET', `/v1/connectors/${id}`), await call('GET', '/v1/connectors?sort=createdAt')];
    assert.ok([made, ...seen].every(({ text }) => !text.includes(SECRET)));
    const audit = await call('GET', '/v1/audit-entries?operation=createConnector');
    assert.equal((audit.body as unknown[]).length, 1);
    assert.ok(!audit.text.includes(SECRET));
    const { rows } = await service.database.query<{ secret: Buffer }>('select secret from connectors');
    assert.ok(rows.every(({ secret }) => !secret.includes(SECRET)));
  });

  it('show when a message with an invalid signature last arrived, and update this time at most once a minute', async () => {
    const { body } = await call('POST', '/v1/connectors', { kind: 'stripe', name: 'Refusing', secret: SECRET });
    const { id } = body as { id: number };
    const refusedAt = async () =>
      ((await call('GET', `/v1/connectors/${id}`)).body as { lastRefusedAt: string | null }).lastRefusedAt;
    const text = JSON.stringify(eventOf('plan.created', { id: 'x' }));
    assert.equal((await send(id, text, signBody(text))).status, 200);
    assert.equal(await refusedAt(), null);
    assert.equal((await send(id, text, signBody(text, NEW_SECRET))).status, 401);
    const first = await refusedAt();
    assert.notEqual(first, null);
    assert.equal((await send(id, text, signBody(text, NEW_SECRET))).status, 401);
    assert.equal(await refusedAt(), first);
  });

  it('can be created before the sender’s secret is known, and refuse all events until it is set', async () => {
    const { body } = await call('POST', '/v1/connectors', { kind: 'stripe', name: 'Later' });
    const { id, hasSecret } = body as { id: number; hasSecret: boolean };
    assert.equal(hasSecret, false);
    const text = JSON.stringify(eventOf('plan.created', { id: 'x' }));
    const statusOf = async (signature: string) => (await send(id, text, signature)).status;
    for (const signature of [signBody(text), '', signBody(text, ' ')]) assert.equal(await statusOf(signature), 401);
    const set = await call('POST', `/v1/connectors/${id}/rotate-secret`, { secret: SECRET });
    assert.equal((set.body as { hasSecret: boolean }).hasSecret, true);
    for (let tries = 0; (await statusOf(signBody(text))) !== 200; tries += 1) assert.ok(tries < 10_000);
  });

  it('have random ids, which don’t reveal the number of connectors', async () => {
    const { id: first } = await connectStripe(service);
    const { id: second } = await connectStripe(service);
    assert.ok(Math.abs(first - second) > 1_000_000);
  });

  it('have the mode of their organization, and a request for the other mode is refused with advice', async () => {
    const testKey = await service.foundOrganization('Try out', 'test');
    const create = (key: string, mode?: string) =>
      service.request('POST', '/v1/connectors', { key, body: { kind: 'stripe', name: 'S', ...(mode && { mode }) } });
    for (const [key, own, other, advice] of [
      [service.secretKey, 'live', 'test', /“whence organization create <name> --test”/],
      [testKey, 'test', 'live', /create the connector in a live organization/],
    ] as const) {
      for (const made of [await create(key), await create(key, own)]) {
        assert.deepEqual([made.status, (made.body as { mode: string }).mode], [201, own]);
      }
      const refused = await create(key, other);
      assert.deepEqual([refused.status, faultCodes(refused)], [422, { '/mode': 'wrong-mode' }]);
      assert.match(refused.text, advice);
      const organization = await service.request('GET', '/v1/organization', { key });
      assert.equal((organization.body as { mode: string }).mode, own);
    }
  });

  it('keep their mode: PATCH /v1/organization ignores `mode`, and the database refuses to change it', async () => {
    const changed = await call('PATCH', '/v1/organization', { mode: 'test', name: 'Mugs' });
    assert.equal((changed.body as { mode: string }).mode, 'live');
    await assert.rejects(service.database.query("update organizations set mode = 'test'"), /can't be changed/);
  });

  it('refuse invalid settings with a pointer to each, and a change replaces all settings', async () => {
    const settings = { carriers: ['nobody'], reverseDisputes: 'never', awaitCheckoutHours: 721 };
    const refused = await call('POST', '/v1/connectors', { kind: 'stripe', name: 'S', secret: SECRET, settings });
    assert.equal(refused.status, 422);
    assert.deepEqual(faultCodes(refused), {
      '/settings/carriers': 'unknown-value',
      '/settings/reverseDisputes': 'unknown-value',
      '/settings/awaitCheckoutHours': 'out-of-range',
    });
    const { id } = await connectStripe(service, { source: 'settings', settings: { reverseDisputes: 'lost' } });
    const changed = await call('PATCH', `/v1/connectors/${id}`, { settings: { reverseDisputes: 'never' } });
    assert.deepEqual(faultCodes(changed), { '/settings/reverseDisputes': 'unknown-value' });
    const replaced = await call('PATCH', `/v1/connectors/${id}`, { name: 'New', source: 'other', settings: {} });
    const { name, source, settings: kept } = replaced.body as Record<string, unknown>;
    assert.deepEqual([name, source, kept], ['New', 'settings', {}]);
  });

  it('accept events signed with the new secret after a rotation, and refuse the old secret', async () => {
    const stripe = await connectStripe(service);
    await stripe.send(eventOf('plan.created', { id: 'x' }));
    const path = `/v1/connectors/${stripe.id}/rotate-secret`;
    assert.equal((await call('POST', path, { secret: NEW_SECRET })).status, 200);
    const text = JSON.stringify(eventOf('plan.updated', { id: 'x' }));
    const statusWith = async (secret: string) =>
      (await stripe.sendRaw(text, { 'stripe-signature': signBody(text, secret) })).status;
    // The service caches a connector and its secret for half a second, so repeat the request until the new secret is
    // accepted.
    for (let tries = 0; (await statusWith(NEW_SECRET)) !== 200; tries += 1) assert.ok(tries < 10_000);
    assert.equal(await statusWith(SECRET), 401);
  });

  it('can be deleted, which dismisses their waiting events', async () => {
    const stripe = await connectStripe(service);
    await stripe.send(
      eventOf('refund.created', {
        id: 're_1',
        object: 'refund',
        payment_intent: 'pi_none',
        amount: 1,
        currency: 'usd',
      }),
    );
    await service.settled();
    assert.equal((await stripe.get()).waitingEvents, 1);
    for (let times = 0; times < 2; times += 1) {
      const { status, body } = await call('DELETE', `/v1/connectors/${stripe.id}`);
      assert.deepEqual([status, (body as { status: string }).status], [200, 'deleted']);
    }
    const [event] = await stripe.events();
    assert.deepEqual([event?.state, event?.reason], ['dismissed', 'The connector was deleted.']);
    for (const [method, rest, body] of [
      ['PATCH', '', { name: 'Back' }],
      ['POST', '/rotate-secret', { secret: NEW_SECRET }],
      ['POST', `/events/${event?.id}/retry`, undefined],
    ] as const) {
      assert.equal(problemCode(await call(method, `/v1/connectors/${stripe.id}${rest}`, body)), 'invalid-transition');
    }
  });

  it('have different sources, because two shops can have orders with the same number', async () => {
    const key = await service.foundOrganization('Two shops');
    const create = (body: object = {}) =>
      service.request('POST', '/v1/connectors', { key, body: { kind: 'woocommerce', name: 'W', ...body } });
    const replies = await Promise.all([create(), create(), create()]);
    const made = replies.map(({ body }) => body as { id: number; source: string });
    assert.deepEqual(made.map(({ source }) => source).toSorted(), ['woocommerce', 'woocommerce-2', 'woocommerce-3']);
    assert.deepEqual(faultCodes(await create({ source: 'woocommerce-2' })), { '/source': 'duplicate' });
    const id = made.find(({ source }) => source === 'woocommerce-2')?.id;
    await service.request('DELETE', `/v1/connectors/${id}`, { key });
    assert.equal((await create({ source: 'woocommerce-2' })).status, 201, 'a deleted connector frees its source');
  });

  it('are limited to 50 per organization', async () => {
    const key = await service.foundOrganization('Many');
    const body = { kind: 'stripe', name: 'S', secret: SECRET };
    const replies = await Promise.all(
      Array.from({ length: 52 }, () => service.request('POST', '/v1/connectors', { key, body })),
    );
    assert.equal(replies.filter(({ status }) => status === 201).length, 50);
    assert.ok(
      replies.filter(({ status }) => status !== 201).every((each) => problemCode(each) === 'too-many-connectors'),
    );
  });

  it('have events that can be dismissed with a note, and retried later', async () => {
    const stripe = await connectStripe(service);
    await stripe.send(
      eventOf('refund.created', { id: 're_2', object: 'refund', payment_intent: 'pi_old', amount: 1, currency: 'usd' }),
      eventOf('plan.created', { id: 'x' }),
    );
    await service.settled();
    const [refund, plan] = await stripe.events();
    const path = (event: { id: number } | undefined) => `/v1/connectors/${stripe.id}/events/${event?.id}`;
    const dismissed = await call('POST', `${path(refund)}/dismiss`, { note: 'A payment from before.' });
    assert.equal(dismissed.status, 200);
    assert.deepEqual(
      [(dismissed.body as { state: string }).state, (dismissed.body as { reason: string }).reason],
      ['dismissed', 'A payment from before.'],
    );
    assert.equal(problemCode(await call('POST', `${path(plan)}/dismiss`, { note: 'No.' })), 'invalid-transition');
    assert.equal((await call('POST', `${path(refund)}/retry`)).status, 200);
    await service.settled();
    assert.equal((await stripe.events())[0]?.state, 'waiting');
    await service.database.query('update connector_events set payload = null where external_id = $1', [
      plan?.externalId,
    ]);
    assert.equal(problemCode(await call('POST', `${path(plan)}/retry`)), 'invalid-transition');
  });
});
