import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Operation } from '#core/contract/operation.ts';
import { operations } from '#app/operations.ts';
import { purgeIdempotency } from '#access/store/idempotency.ts';
import { lockWaits } from '../support/paused.ts';
import { faultCodes, problemCode } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';
import { openShop } from '../support/shop.ts';

const COLLABORATORS = '/v1/collaborators';

describe('Idempotency-Key', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const post = (idempotencyKey: string, path: string, body?: unknown, key = service.secretKey): Promise<Reply> =>
    service.request('POST', path, { key, body, headers: { 'idempotency-key': idempotencyKey } });
  const create = (idempotencyKey: string, name: string, key?: string) =>
    post(idempotencyKey, COLLABORATORS, { name }, key);
  const count = async (from: string): Promise<number> =>
    (await service.database.query<{ n: number }>(`select count(*) as n from ${from}`)).rows[0]?.n ?? NaN;
  const howMany = (name: string) => count(`collaborators where name = '${name}'`);

  it('makes a repeated POST return the first response byte for byte and change nothing', async () => {
    const first = await create('same', 'Ada');
    const again = await create('same', 'Ada');
    assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text]);
    assert.deepEqual(
      [first, again].map(({ headers }) => headers.get('idempotent-replayed')),
      [null, 'true'],
    );
    assert.deepEqual(
      [first, again].map(({ headers }) => headers.get('content-type')),
      Array(2).fill('application/json'),
    );
    assert.equal(again.headers.get('etag'), first.headers.get('etag'));
    assert.equal(await howMany('Ada'), 1);
  });

  it('makes a repeated POST return the original response even if the resource has changed since', async () => {
    const { body } = await create('then', 'Before');
    const { id } = body as { id: number };
    await service.request('PATCH', `${COLLABORATORS}/${id}`, { key: service.secretKey, body: { name: 'After' } });
    assert.equal(((await create('then', 'Before')).body as { name: string }).name, 'Before');
  });

  it('is refused with 422 if it is reused with another body, path, query or API key', async () => {
    await create('one', 'Bea');
    const { rawKey } = (await service.request('POST', '/v1/api-keys', { key: service.secretKey, body: { label: 'x' } }))
      .body as { rawKey: string };
    for (const other of [
      () => create('one', 'Bob'),
      () => post('one', COLLABORATORS, '{ "name": "Bea" }'),
      () => post('one', '/v1/custom-events', { name: 'Bea', slug: 'bea' }),
      () => post('one', `${COLLABORATORS}?x=1`, { name: 'Bea' }),
      () => create('one', 'Bea', rawKey),
    ]) {
      const reply = await other();
      assert.deepEqual([reply.status, problemCode(reply)], [422, 'idempotency-mismatch']);
    }
    assert.equal(await count(`collaborators where name in ('Bea', 'Bob')`), 1);
    assert.equal(await count(`custom_events where slug = 'bea'`), 0);
  });

  it('is scoped to the organization', async () => {
    const key = await service.foundOrganization('Other');
    const [mine, theirs] = [await create('shared', 'Cleo'), await create('shared', 'Cleo', key)];
    assert.deepEqual([mine.status, theirs.status, theirs.headers.get('idempotent-replayed')], [201, 201, null]);
    assert.equal(await howMany('Cleo'), 2);
    assert.equal((await create('shared', 'Cleo', key)).text, theirs.text);
  });

  it('must have 1 to 255 visible ASCII characters', async () => {
    for (const bad of ['', ' ', 'a b', 'é', 'x'.repeat(256), 'tab\there']) {
      const reply = await create(bad, 'Nobody');
      assert.deepEqual([reply.status, faultCodes(reply)], [422, { '/Idempotency-Key': 'invalid-format' }], bad);
    }
    assert.equal(await howMany('Nobody'), 0);
    for (const good of ['x'.repeat(255), '"6f1d2c1e-0d0c"', '!~'])
      assert.equal((await create(good, 'Good')).status, 201);
  });

  it('is ignored by reports of sales, leads, renewals and refunds', async () => {
    const shop = openShop(service);
    await shop.program();
    await shop.collaborator('keyed');
    const trackingId = await shop.visit('keyed');
    const names = { source: 'shop', externalId: 'keyed' };
    await create('reused', 'Una');
    for (const [path, body] of [
      ['sale', { ...names, total: 10, trackingId }],
      ['lead', { trackingId }],
      ['renewal', { source: 'shop', externalId: 'keyed-2', saleExternalId: 'keyed', total: 10 }],
      ['refund', { ...names, refundId: 'r', amount: 1 }],
      ['refund', names],
    ] as const) {
      for (const key of ['reused', 'not a key']) {
        const reply = await post(key, `/v1/event/${path}`, body);
        assert.deepEqual([reply.status, reply.text], [200, ''], path);
      }
    }
    await service.settled();
  });

  it('is not used up by a refused request, which can be corrected or retried', async () => {
    const mended = await post('mend', '/v1/custom-events', { slug: 'NOT A SLUG', name: 'Quiz' });
    assert.equal(mended.status, 422);
    assert.equal((await post('mend', '/v1/custom-events', { slug: 'mended', name: 'Quiz' })).status, 201);

    const taken = await post('taken', '/v1/custom-events', { slug: 'mended', name: 'Again' });
    assert.deepEqual([taken.status, problemCode(taken)], [409, 'slug-taken']);
    const [event] = (await service.request('GET', '/v1/custom-events?slug=mended', { key: service.secretKey }))
      .body as { id: number }[];
    await service.request('DELETE', `/v1/custom-events/${event?.id}`, { key: service.secretKey });
    const free = await post('taken', '/v1/custom-events', { slug: 'mended', name: 'Again' });
    assert.deepEqual([free.status, free.headers.get('idempotent-replayed')], [201, null]);
  });

  it('is not used up by an internal error, so a retry performs the request once', async () => {
    await service.database.query(`
      create function fail() returns trigger language plpgsql as $$ begin raise exception 'injected'; end $$;
      create trigger fail before insert on audit_entries for each statement execute function fail();`);
    const failed = await create('failed', 'Dora');
    await service.database.query('drop trigger fail on audit_entries');
    assert.deepEqual([failed.status, await howMany('Dora')], [500, 0]);
    assert.deepEqual([(await create('failed', 'Dora')).status, await howMany('Dora')], [201, 1]);
    assert.equal((await create('failed', 'Dora')).headers.get('idempotent-replayed'), 'true');
  });

  it('results in one audit record even if deadlocks cause retries', async () => {
    // The trigger counts attempts in a sequence, because a rollback doesn't reset a sequence. The first two attempts
    // fail, and the third succeeds.
    await service.database.query(`
      create sequence tries;
      create function trip() returns trigger language plpgsql as $$
      begin
        if nextval('tries') < 3 then raise exception 'tripped' using errcode = 'deadlock_detected'; end if;
        return new;
      end $$;
      create trigger trip before insert on idempotency_answers for each row execute function trip();`);
    const reply = await create('tripped', 'Emma');
    await service.database.query('drop trigger trip on idempotency_answers');
    assert.deepEqual([reply.status, await howMany('Emma')], [201, 1]);
    assert.equal(await count(`audit_entries where request->>'name' = 'Emma'`), 1);
    assert.equal(await count('tries where last_value = 3'), 1);
  });

  it('is refused with 409 while the first request is still in progress', async () => {
    const blocker = await service.database.connect();
    await blocker.query('begin');
    await blocker.query('lock table collaborators in exclusive mode');
    const first = create('slow', 'Finn');
    await lockWaits(service.database);
    const second = await create('slow', 'Finn');
    await blocker.query('rollback');
    blocker.release();
    assert.deepEqual(
      [second.status, problemCode(second), second.headers.get('retry-after')],
      [409, 'idempotency-in-flight', '1'],
    );
    assert.equal((await first).status, 201);
    assert.equal((await create('slow', 'Finn')).text, (await first).text);
    assert.equal(await howMany('Finn'), 1);
  });

  it('makes a repeated POST /v1/api-keys return the same key, which is stored only in encrypted form', async () => {
    const make = () => post('secret', '/v1/api-keys', { label: 'Kept' });
    const [first, again] = [await make(), await make()];
    const { rawKey } = first.body as { rawKey: string };
    assert.match(rawKey, /^sk_live_/);
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get('cache-control'), 'no-store');
    const { rows } = await service.database.query<{ answer: Buffer; sealed: boolean }>(
      'select answer, sealed from idempotency_answers where sealed',
    );
    assert.deepEqual(
      rows.map(({ answer }) => answer.includes(rawKey)),
      [false],
    );
    assert.equal(await count(`api_keys where label = 'Kept'`), 1);
  });

  it('is ignored on PATCH, DELETE and read-only POST calls', async () => {
    const id = ((await create('plain', 'Gina')).body as { id: number }).id;
    const headers = { 'idempotency-key': 'plain' };
    const options = { key: service.secretKey, headers };
    const patched = await service.request('PATCH', `${COLLABORATORS}/${id}`, { ...options, body: { name: 'Gia' } });
    assert.deepEqual([patched.status, (patched.body as { name: string }).name], [200, 'Gia']);
    assert.equal((await post('plain', '/v1/fulfillments/preview', {})).status, 200);
    assert.equal((await service.request('DELETE', `${COLLABORATORS}/${id}`, options)).status, 200);
  });

  it('is kept for at least a day, then deleted in batches', async () => {
    for (const name of ['old-1', 'old-2', 'old-3', 'young']) await create(name, name);
    await service.database.query(
      `update idempotency_answers set created_at = now() - interval '24 hours 1 second'
       where position('old-'::bytea in answer) > 0`,
    );
    assert.equal(await purgeIdempotency(service.database, 2), 2);
    assert.equal(await purgeIdempotency(service.database, 2), 1);
    assert.equal(await purgeIdempotency(service.database, 2), 0);
    assert.equal((await create('young', 'young')).headers.get('idempotent-replayed'), 'true');
    assert.equal((await create('old-1', 'new-1')).status, 201);
  });
});

it('Idempotency-Key: every POST stores its response, except for the listed operations', () => {
  const exceptions = Object.entries<Operation>(operations).filter(([, { repeats }]) => repeats !== undefined);
  const ids = Map.groupBy(exceptions, ([, { repeats }]) => repeats);
  assert.deepEqual(Object.fromEntries([...ids].map(([repeats, all]) => [repeats, all.map(([id]) => id).toSorted()])), {
    binding: [
      'reportLead',
      'reportRefund',
      'reportRefundReversal',
      'reportRenewal',
      'reportSale',
      'reportSaleCorrection',
    ],
    'event-row': ['reportCouponApplied', 'reportCustomEvent', 'reportEvent', 'reportVisit'],
    // Operations that only read, and operations that are safe to repeat. A repeat starts another session,
    // challenge or setup, sends another email, writes another audit record, or logs out again.
    none: [
      'challengePasskey',
      'challengePortalPasskey',
      'challengePortalSession',
      'challengeSession',
      'closePortalSession',
      'downloadPaymentFile',
      'exampleProgram',
      'exportPaidYear',
      'exportPayouts',
      'exportVisitor',
      'openSession',
      'previewFulfillments',
      'previewInvitation',
      'previewInvitationLink',
      'previewPayoutResults',
      'previewPortal',
      'reconcileConnector',
      'requestPasswordReset',
      'requestPortalLink',
      'signUp',
      'startTotp',
      'testTransaction',
    ],
    // Operations that use up a single-use token.
    token: [
      'acceptInvitation',
      'openPortalSession',
      'openPortalSessionByPasskey',
      'openSessionByPasskey',
      'resetPassword',
    ],
  });
});
