import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MAX_WEBHOOKS, SUBSCRIBABLE_TYPES } from '#webhooks/domain/webhook.ts';
import { faultCodes, problemCode } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';
import { openShop } from '../support/shop.ts';
import { announceAll } from '../support/webhooks.ts';

type Webhook = {
  id: number;
  url: string;
  targetUrl: string;
  description: string | null;
  events: string[];
  status: string;
  pausedReason: string | null;
  pausedAt: string | null;
  failingSince: string | null;
  previousSecretUntil: string | null;
  updatedAt: string;
  signingSecret: string;
};
type Delivery = {
  id: number;
  webhookId: number;
  type: string;
  resourceId: number;
  sequence: number;
  status: string;
  attempts: number;
  nextAttemptAt: string | null;
  deliveredAt: string | null;
};

const URL = 'https://receiver.example/whence';

describe('webhooks', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(async () => {
    await service.stop();
  });

  const call = (method: string, path: string, body?: unknown, key = service.secretKey) =>
    service.request(method, path, { key, body });
  const must = async <Body>(status: number, reply: Promise<Reply>): Promise<Body> => {
    const answered = await reply;
    assert.equal(answered.status, status, answered.text);
    return answered.body as Body;
  };
  const create = (body: object = {}, key?: string) =>
    must<Webhook>(201, call('POST', '/v1/webhooks', { url: URL, ...body }, key));
  const get = (id: number) => must<Webhook>(200, call('GET', `/v1/webhooks/${id}`));
  const change = (id: number, body: object) => must<Webhook>(200, call('PATCH', `/v1/webhooks/${id}`, body));
  const remove = (id: number) => must<Webhook>(200, call('DELETE', `/v1/webhooks/${id}`));
  /** Creates a paused webhook, whose deliveries are not sent. */
  const paused = async (body: object = {}) => change((await create(body)).id, { status: 'paused' });
  const deliveries = async ({ id }: { id: number }, query = '') => {
    await announceAll(service);
    return must<Delivery[]>(200, call('GET', `/v1/webhooks/${id}/deliveries${query}`));
  };
  const createCollaborator = (name = 'Ada') => must<{ id: number }>(201, call('POST', '/v1/collaborators', { name }));

  it('receive all events unless only specific events are chosen', async () => {
    assert.deepEqual((await create()).events, ['*']);
    assert.deepEqual((await create({ events: null })).events, ['*']);
    assert.deepEqual((await create({ events: ['payout.paid', '*'] })).events, ['*']);
    const chosen = await create({ description: 'Books', events: ['payout.paid', 'conversion.created'] });
    assert.deepEqual(
      [chosen.url, chosen.description, chosen.status, chosen.events],
      [URL, 'Books', 'active', ['conversion.created', 'payout.paid']],
    );
    assert.deepEqual((await create({ events: SUBSCRIBABLE_TYPES })).events, [...SUBSCRIBABLE_TYPES]);
    for (const { id } of await must<Webhook[]>(200, call('GET', '/v1/webhooks'))) await remove(id);
  });

  it('accept targetUrl instead of url, and return both', async () => {
    const made = await must<Webhook>(201, call('POST', '/v1/webhooks', { targetUrl: URL, events: ['sale.created'] }));
    assert.deepEqual([made.url, made.targetUrl, made.events], [URL, URL, ['sale.created']]);
    const changed = await change(made.id, { targetUrl: `${URL}/2` });
    assert.deepEqual([changed.url, changed.targetUrl], [`${URL}/2`, `${URL}/2`]);
    const [listed] = await must<Webhook[]>(200, call('GET', '/v1/webhooks'));
    assert.equal(listed?.targetUrl, `${URL}/2`);
    assert.equal((await create({ targetUrl: URL })).url, URL);
    for (const { id } of await must<Webhook[]>(200, call('GET', '/v1/webhooks'))) await remove(id);
  });

  it('require a url or a targetUrl, and refuse a targetUrl that differs from url or is private', async () => {
    const { id } = await create();
    for (const [method, path, body, faults] of [
      ['POST', '', { url: URL, targetUrl: `${URL}/2` }, { '/targetUrl': 'conflicting' }],
      ['PATCH', `/${id}`, { url: URL, targetUrl: `${URL}/2` }, { '/targetUrl': 'conflicting' }],
      ['POST', '', { targetUrl: null }, { '/url': 'required' }],
      ['POST', '', {}, { '/url': 'required' }],
      ['POST', '', { targetUrl: 'http://127.0.0.1/' }, { '/targetUrl': 'receiver-refused' }],
      ['PATCH', `/${id}`, { targetUrl: 'http://127.0.0.1/' }, { '/targetUrl': 'receiver-refused' }],
    ] as const) {
      const reply = await call(method, `/v1/webhooks${path}`, body);
      assert.deepEqual([reply.status, faultCodes(reply)], [422, faults], JSON.stringify(body));
    }
    await remove(id);
  });

  it('refuse event names of features that don’t exist', async () => {
    for (const name of [
      'distribution.completed',
      'allocation.completed',
      'metrics.updated',
      'credit.x',
      'currency.x',
    ]) {
      const reply = await call('POST', '/v1/webhooks', { url: URL, events: [name] });
      assert.deepEqual([reply.status, faultCodes(reply)], [422, { '/events': 'unknown-value' }], name);
    }
  });

  it('show their secret only in the response to the call that creates the secret', async () => {
    const reply = await call('POST', '/v1/webhooks', { url: URL });
    const { id, signingSecret } = reply.body as Webhook;
    assert.equal(reply.headers.get('cache-control'), 'no-store');
    assert.match(signingSecret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.notEqual((await create()).signingSecret, signingSecret);
    for (const path of [`/v1/webhooks/${id}`, '/v1/webhooks', '/v1/audit-entries?operation=createWebhook']) {
      const shown = await call('GET', path);
      assert.equal(shown.status, 200);
      assert.match(shown.text, /receiver\.example/);
      assert.doesNotMatch(shown.text, /whsec_|[sS]ecret"/);
    }
    const { rows } = await service.database.query<{ secret: Buffer }>('select secret from webhooks where id = $1', [
      id,
    ]);
    assert.ok(
      !rows[0]?.secret.toString('latin1').includes(signingSecret.slice('whsec_'.length)),
      'the secret is encrypted',
    );
  });

  it('can’t be created with invalid fields, and the response lists every invalid field', async () => {
    const reply = await call('POST', '/v1/webhooks', { url: '', description: '', events: ['payout.payed'] });
    assert.deepEqual(
      [reply.status, faultCodes(reply)],
      [422, { '/url': 'too-short', '/description': 'too-short', '/events': 'unknown-value' }],
    );
    assert.deepEqual(faultCodes(await call('POST', '/v1/webhooks', {})), { '/url': 'required' });
    assert.deepEqual(faultCodes(await call('POST', '/v1/webhooks', { url: URL, events: [] })), {
      '/events': 'too-few',
    });
    assert.deepEqual(faultCodes(await call('POST', '/v1/webhooks', { url: URL, events: ['webhook.test'] })), {
      '/events': 'unknown-value',
    });
  });

  it('accept only public https URLs', async () => {
    const { id } = await create();
    for (const url of [
      'receiver.example',
      'http://receiver.example/',
      'ftp://receiver.example/',
      'https://user:pass@receiver.example/',
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://[::1]/',
      'https://10.1.2.3/',
      'https://169.254.169.254/latest/meta-data',
      'https://localhost/',
    ]) {
      for (const reply of [
        await call('POST', '/v1/webhooks', { url }),
        await call('PATCH', `/v1/webhooks/${id}`, { url }),
      ]) {
        assert.deepEqual([reply.status, faultCodes(reply)], [422, { '/url': 'receiver-refused' }], url);
      }
    }
    assert.equal((await get(id)).url, URL);
    await remove(id);
  });

  it('are changed only in the submitted fields', async () => {
    const { id } = await create({ description: 'Books', events: ['payout.paid'] });
    const url = 'https://other.example:8443/x?y=z';
    assert.deepEqual(await change(id, { url }), { ...(await get(id)), url, description: 'Books' });
    assert.deepEqual((await change(id, { events: ['program.created'] })).events, ['program.created']);
    const cleared = await change(id, { description: null, events: null });
    assert.deepEqual([cleared.description, cleared.events, cleared.url], [null, ['*'], url]);
    assert.deepEqual(await change(id, {}), cleared);
  });

  it('are changed by PATCH with If-Match only if they are unchanged since they were read', async () => {
    const { id } = await create();
    const etag = (await call('GET', `/v1/webhooks/${id}`)).headers.get('etag') ?? '';
    const edit = (description: string) =>
      service.request('PATCH', `/v1/webhooks/${id}`, {
        key: service.secretKey,
        body: { description },
        headers: { 'if-match': etag },
      });
    const statuses = (await Promise.all(['a', 'b', 'c'].map(edit))).map(({ status }) => status);
    assert.deepEqual(
      statuses.sort((a, b) => a - b),
      [200, 412, 412],
    );
    await remove(id);
  });

  it('can be paused and resumed, and pending deliveries are then due immediately', async () => {
    const { id } = await paused({ events: ['collaborator.created'] });
    const first = await get(id);
    assert.deepEqual([first.status, first.pausedReason], ['paused', 'by-hand']);
    assert.deepEqual(await change(id, { status: 'paused' }), first);
    await createCollaborator();
    assert.deepEqual(
      (await deliveries({ id })).map(({ status, attempts }) => [status, attempts]),
      [['pending', 0]],
    );
    await service.database.query(
      `update webhook_deliveries set due_at = now() + interval '5 hours' where webhook_id = $1`,
      [id],
    );
    await service.database.query(`update webhooks set failing_since = now() where id = $1`, [id]);
    const again = await change(id, { url: 'https://repaired.example/', status: 'paused' });
    assert.deepEqual([again.pausedReason, again.failingSince], ['by-hand', null]);
    const active = await change(id, { status: 'active' });
    assert.deepEqual([active.status, active.pausedReason, active.pausedAt], ['active', null, null]);
    const { rows } = await service.database.query<{ late: number }>(
      `select count(*) as late from webhook_deliveries where webhook_id = $1 and due_at > now() + interval '4 hours'`,
      [id],
    );
    assert.equal(rows[0]?.late, 0);
    await remove(id);
  });

  it('stay deleted once they are deleted, keep their delivery log and get no further deliveries', async () => {
    const webhook = await paused({ events: ['collaborator.created'] });
    await createCollaborator();
    assert.equal((await deliveries(webhook)).length, 1);
    const gone = await remove(webhook.id);
    assert.equal(gone.status, 'deleted');
    assert.deepEqual(await remove(webhook.id), gone);
    assert.deepEqual(await get(webhook.id), gone);
    await createCollaborator();
    assert.deepEqual(
      (await deliveries(webhook)).map(({ status, nextAttemptAt }) => [status, nextAttemptAt]),
      [['failed', null]],
    );
    for (const [method, path, body] of [
      ['PATCH', '', { description: 'x' }],
      ['POST', '/rotate-secret', {}],
      ['POST', '/test', undefined],
      ['POST', '/redeliver', { deliveryIds: [1] }],
    ] as const) {
      const reply = await call(method, `/v1/webhooks/${webhook.id}${path}`, body);
      assert.deepEqual([reply.status, problemCode(reply)], [409, 'invalid-transition'], path);
    }
    const listed = await must<Webhook[]>(200, call('GET', '/v1/webhooks'));
    assert.ok(listed.every(({ id }) => id !== webhook.id));
    const deleted = await must<Webhook[]>(200, call('GET', '/v1/webhooks?status=deleted&perPage=100'));
    assert.ok(deleted.some(({ id }) => id === webhook.id));
  });

  it('can be filtered by status and URL', async () => {
    const url = 'https://listed.example/';
    const [one, two] = [await paused({ url }), await create({ url })];
    const ids = async (query: string) =>
      (await must<Webhook[]>(200, call('GET', `/v1/webhooks?url=${encodeURIComponent(url)}${query}`))).map(
        ({ id }) => id,
      );
    assert.deepEqual(await ids(''), [two.id, one.id]);
    assert.deepEqual(await ids('&sort=id'), [one.id, two.id]);
    assert.deepEqual(await ids('&status=paused'), [one.id]);
    await remove(one.id);
    await remove(two.id);
  });

  it('can rotate their secret: previousSecretUntil follows overlapSeconds (default: one day), and an invalid overlap returns 422', async () => {
    const { id, signingSecret } = await create();
    const rotate = async (body: object) => {
      const reply = await call('POST', `/v1/webhooks/${id}/rotate-secret`, body);
      assert.deepEqual([reply.status, reply.headers.get('cache-control')], [200, 'no-store'], reply.text);
      return reply.body as Webhook;
    };
    const day = await rotate({});
    assert.match(day.signingSecret, /^whsec_/);
    assert.notEqual(day.signingSecret, signingSecret);
    assert.equal(Date.parse(String(day.previousSecretUntil)) - Date.parse(day.updatedAt), 86_400_000);
    const hour = await rotate({ overlapSeconds: 3600 });
    assert.equal(Date.parse(String(hour.previousSecretUntil)) - Date.parse(hour.updatedAt), 3_600_000);
    assert.equal((await rotate({ overlapSeconds: 0 })).previousSecretUntil, null);
    for (const overlapSeconds of [-1, 2_592_001, 'x']) {
      assert.equal((await call('POST', `/v1/webhooks/${id}/rotate-secret`, { overlapSeconds })).status, 422);
    }
    await remove(id);
  });

  it('can be tested unless they are paused: only the tested webhook gets the test event, regardless of its chosen events', async () => {
    const [mine, other] = [await create({ events: ['payout.paid'] }), await paused()];
    const before = (await deliveries(other)).length;
    const test = await must<Delivery>(201, call('POST', `/v1/webhooks/${mine.id}/test`));
    assert.deepEqual([test.type, test.webhookId, test.resourceId], ['webhook.test', mine.id, mine.id]);
    assert.deepEqual(
      (await deliveries(mine)).map(({ id }) => id),
      [test.id],
    );
    assert.equal((await deliveries(other)).length, before);
    const reply = await call('POST', `/v1/webhooks/${other.id}/test`);
    assert.deepEqual([reply.status, problemCode(reply)], [409, 'invalid-transition']);
    await remove(mine.id);
    await remove(other.id);
  });

  it('list their deliveries, filtered by status and type, and show the payload and attempts of each delivery', async () => {
    const webhook = await paused({ events: ['collaborator.created', 'collaborator.updated'] });
    const { id } = await createCollaborator();
    // Process the outbox between the two events. The service also processes it, so two waiting rows could be swapped.
    await announceAll(service);
    await must(200, call('PATCH', `/v1/collaborators/${id}`, { name: 'Bea' }));
    const [later, earlier] = await deliveries(webhook);
    assert.ok(earlier && later);
    assert.deepEqual(
      [earlier.type, later.type, earlier.resourceId, later.resourceId, earlier.webhookId],
      ['collaborator.created', 'collaborator.updated', id, id, webhook.id],
    );
    assert.ok(earlier.sequence < later.sequence && earlier.id < later.id);
    const ids = async (query: string) => (await deliveries(webhook, query)).map((each) => each.id);
    assert.deepEqual(await ids('?type=collaborator.updated'), [later.id]);
    assert.deepEqual(await ids('?status=pending&sort=createdAt'), [earlier.id, later.id]);
    assert.deepEqual(await ids('?status=failed'), []);

    type Detail = Delivery & { payload: Record<string, unknown>; log: object[] };
    const path = `/v1/webhooks/${webhook.id}/deliveries/${later.id}`;
    const { payload, log, ...rest } = await must<Detail>(200, call('GET', path));
    assert.deepEqual(rest, later);
    assert.deepEqual(Object.keys(payload), ['type', 'timestamp', 'data', 'deliveryId']);
    assert.deepEqual([payload['type'], payload['deliveryId'], log], ['collaborator.updated', String(later.id), []]);
    assert.deepEqual(payload['data'], (await call('GET', `/v1/collaborators/${id}`)).body);

    await service.database.query(
      `insert into webhook_attempts (organization_id, delivery_id, number, started_at, duration_ms, status_code, error, response)
       select organization_id, id, n, now(), 7, case n when 2 then 500 end, 'failed', case n when 2 then 'oops' end
       from webhook_deliveries cross join generate_series(1, 2) n where id = $1`,
      [later.id],
    );
    const [shown] = await deliveries(webhook);
    assert.deepEqual(shown, { ...later, lastStatusCode: 500, lastError: 'failed' });
    const attempts = (await must<Detail>(200, call('GET', path))).log as { number: number; response: string | null }[];
    assert.deepEqual(
      attempts.map(({ number, response }) => [number, response]),
      [
        [1, null],
        [2, 'oops'],
      ],
    );
    const elsewhere = await paused();
    assert.equal((await call('GET', `/v1/webhooks/${elsewhere.id}/deliveries/${later.id}`)).status, 404);
    await remove(webhook.id);
    await remove(elsewhere.id);
  });

  it('redeliver the requested deliveries under the same ids', async () => {
    const webhook = await paused({ events: ['collaborator.created'] });
    const other = await paused({ events: ['collaborator.created'] });
    for (const name of ['a', 'b', 'c']) await createCollaborator(name);
    const [three, two, one] = await deliveries(webhook);
    const [foreign] = await deliveries(other);
    assert.ok(one && two && three && foreign);
    await service.database.query(
      `update webhook_deliveries set status = 'delivered', due_at = null, delivered_at = now() where id = $1`,
      [one.id],
    );
    await service.database.query(`update webhook_deliveries set status = 'failed', due_at = null where id = $1`, [
      two.id,
    ]);
    await service.database.query(
      `update webhook_deliveries set due_at = now() + interval '5 hours' where id = any ($1::bigint[])`,
      [[three.id, foreign.id]],
    );
    const deliveryIds = [three.id, one.id, 8_999_999, two.id, foreign.id, one.id];
    const outcomes = await must(200, call('POST', `/v1/webhooks/${webhook.id}/redeliver`, { deliveryIds }));
    assert.deepEqual(outcomes, [
      { id: three.id, outcome: 'queued' },
      { id: one.id, outcome: 'queued' },
      { id: 8_999_999, outcome: 'not-found' },
      { id: two.id, outcome: 'queued' },
      { id: foreign.id, outcome: 'not-found' },
    ]);
    for (const each of await deliveries(webhook)) {
      assert.deepEqual([each.status, each.deliveredAt], ['pending', null]);
      assert.ok(Date.parse(String(each.nextAttemptAt)) <= Date.now() + 60_000, 'the delivery is due now');
    }
    const [untouched] = await deliveries(other);
    assert.ok(Date.parse(String(untouched?.nextAttemptAt)) > Date.now() + 3_600_000);
    const many = await call('POST', `/v1/webhooks/${webhook.id}/redeliver`, {
      deliveryIds: Array.from({ length: 1001 }, (_, index) => index + 1),
    });
    assert.deepEqual([many.status, faultCodes(many)], [422, { '/deliveryIds': 'too-many' }]);
    await remove(webhook.id);
    await remove(other.id);
  });

  it('return 404 if they are unknown or belong to another organization', async () => {
    const { id } = await create();
    const theirs = await service.foundOrganization('Other');
    for (const [key, wanted] of [
      [theirs, id],
      [service.secretKey, 99_999],
    ] as const) {
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['PATCH', '', { url: URL }],
        ['DELETE', '', undefined],
        ['POST', '/rotate-secret', {}],
        ['POST', '/test', undefined],
        ['GET', '/deliveries', undefined],
        ['GET', '/deliveries/1', undefined],
        ['POST', '/redeliver', { deliveryIds: [1] }],
      ] as const) {
        assert.equal((await call(method, `/v1/webhooks/${wanted}${path}`, body, key)).status, 404, method + path);
      }
    }
    assert.equal((await get(id)).status, 'active');
    await remove(id);
  });

  it('can’t be created with a read-only key', async () => {
    const made = await call('POST', '/v1/api-keys', { label: 'Reader', scopes: ['resources:read'] });
    const { rawKey } = made.body as { rawKey: string };
    assert.equal((await call('GET', '/v1/webhooks', undefined, rawKey)).status, 200);
    const reply = await call('POST', '/v1/webhooks', { url: URL }, rawKey);
    assert.deepEqual([reply.status, problemCode(reply)], [403, 'scope-required']);
  });

  it(`are limited to ${MAX_WEBHOOKS} per organization, even when created concurrently`, async () => {
    const key = await service.foundOrganization('Eager');
    const replies = await Promise.all(
      Array.from({ length: MAX_WEBHOOKS + 5 }, () => call('POST', '/v1/webhooks', { url: URL }, key)),
    );
    const refused = replies.filter(({ status }) => status !== 201);
    assert.equal(refused.length, 5);
    for (const reply of refused) {
      assert.deepEqual([reply.status, problemCode(reply)], [409, 'too-many-webhooks']);
    }
    const [one] = await must<Webhook[]>(200, call('GET', '/v1/webhooks', undefined, key));
    await must(200, call('DELETE', `/v1/webhooks/${one?.id}`, undefined, key));
    await create({}, key);
  });

  it('report an opportunity by its public number', async () => {
    const webhook = await paused({ events: ['opportunity.created'] });
    const shop = openShop(service);
    await shop.program();
    await shop.collaborator('ada');
    const oid = await shop.visit('ada');
    assert.deepEqual(
      (await deliveries(webhook)).map(({ resourceId }) => String(resourceId)),
      [oid],
    );
  });
});
