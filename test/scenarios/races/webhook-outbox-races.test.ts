import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inTransaction } from '#platform/postgres/database.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop } from '#test/support/shop.ts';
import { announceAll, openWebhookReader } from '#test/support/webhooks.ts';
import { announceOutbox } from '#webhooks/reactions/announce.ts';

describe('webhook messages and the outbox', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(async () => {
    await service.stop();
  });

  const create = async (name: string, key = service.secretKey): Promise<number> => {
    const reply = await service.request('POST', '/v1/collaborators', { key, body: { name } });
    assert.equal(reply.status, 201, reply.text);
    return (reply.body as { id: number }).id;
  };
  const noted = async (): Promise<number> => {
    const { rows } = await service.database.query<{ last: number }>(
      'select last_value as last from webhook_outbox_ids',
    );
    return rows[0]?.last ?? 0;
  };

  it('changes without a subscribed webhook write nothing to the outbox', async () => {
    const before = await noted();
    await create('Nobody listens');
    const { webhookId } = await openWebhookReader(service, { events: ['payout.paid'] });
    await create('Nobody listens to this');
    await service.request('DELETE', `/v1/webhooks/${webhookId}`, { key: service.secretKey });
    const all = await openWebhookReader(service);
    await service.request('DELETE', `/v1/webhooks/${all.webhookId}`, { key: service.secretKey });
    await create('After the last webhook');
    assert.equal(await noted(), before);
  });

  it('messages are sent to subscribed webhooks only, and to no other organization', async () => {
    const theirKey = await service.foundOrganization('Other');
    const mine = await openWebhookReader(service, { events: ['collaborator.created'] });
    const all = await openWebhookReader(service);
    const theirs = await openWebhookReader({ ...service, secretKey: theirKey });
    const [id, theirId] = [await create('Mine'), await create('Theirs', theirKey)];
    await service.request('PATCH', `/v1/collaborators/${id}`, { key: service.secretKey, body: { nickname: 'M' } });
    const sent = (messages: readonly { type: string; resourceId: number }[]) =>
      messages.map(({ type, resourceId }) => `${type} ${resourceId}`);
    assert.deepEqual(sent(await mine.fresh()), [`collaborator.created ${id}`]);
    assert.deepEqual(sent(await all.fresh()), [`collaborator.created ${id}`, `collaborator.updated ${id}`]);
    assert.deepEqual(sent(await theirs.fresh()), [`collaborator.created ${theirId}`]);
  });

  it('messages of several organizations are created together, each with its organization’s public numbers', async () => {
    const other = { ...service, secretKey: await service.foundOrganization('Numbers') };
    const stands = [service, other].map(async (each) => {
      const stand = await openWebhookReader(each, { events: ['opportunity.created'] });
      const shop = openShop(each);
      await shop.program();
      await shop.collaborator('numbers');
      const oid = await shop.visit('numbers');
      return { stand, oid };
    });
    for (const { stand, oid } of await Promise.all(stands)) {
      const [message] = await stand.fresh();
      assert.ok(message);
      assert.equal(String(message.resourceId), oid);
      assert.deepEqual(JSON.parse(message.data), await stand.shown(message));
    }
  });

  it('messages are neither lost nor duplicated if some of the concurrent outbox transactions fail', async () => {
    const stand = await openWebhookReader(service, { events: ['collaborator.created'] });
    await service.database.query(
      `insert into collaborators (organization_id, name, status)
       select (select organization_id from webhooks where id = $1), 'c' || n, 'active' from generate_series(1, 500) n`,
      [stand.webhookId],
    );
    const announce = (fails: boolean) =>
      inTransaction(service.database, async (connection) => {
        await announceOutbox(connection, 25);
        if (fails) throw new Error('the process died');
      }).catch((error: Error) => assert.equal(error.message, 'the process died'));
    await Promise.all(Array.from({ length: 30 }, (_, index) => announce(index % 3 === 0)));
    const sent = await stand.fresh();
    assert.equal(sent.length, 500);
    assert.equal(new Set(sent.map(({ resourceId }) => resourceId)).size, 500);
  });

  it('messages about one resource follow the order of its changes', async () => {
    const stand = await openWebhookReader(service, { events: ['collaborator.updated'] });
    const id = await create('Restless');
    const changes = Array.from({ length: 40 }, async (_, index) => {
      const body = { nickname: `n${index}` };
      const reply = await service.request('PATCH', `/v1/collaborators/${id}`, { key: service.secretKey, body });
      assert.equal(reply.status, 200, reply.text);
    });
    const announcing = Array.from({ length: 20 }, () => announceAll(service));
    await Promise.all([...changes, ...announcing]);
    const sent = (await stand.fresh()).filter(({ resourceId }) => resourceId === id);
    assert.equal(sent.length, 40);
    const last = sent.at(-1);
    assert.ok(last);
    assert.deepEqual(JSON.parse(last.data), await stand.shown(last));
  });

  it('an outbox row of a deleted resource does not block other messages', async () => {
    const stand = await openWebhookReader(service, { events: ['collaborator.created'] });
    await service.database.query(
      `insert into webhook_outbox (organization_id, type, resource_id)
       select organization_id, 'collaborator.created', 8999999 from webhooks where id = $1`,
      [stand.webhookId],
    );
    const id = await create('Later');
    assert.deepEqual(
      (await stand.fresh()).map(({ resourceId }) => resourceId),
      [id],
    );
  });

  it('rejected changes send no messages', async () => {
    const stand = await openWebhookReader(service);
    const id = await create('Ann');
    await stand.fresh();
    for (const body of [{ status: 'rejected' }, { email: 'no address' }]) {
      const reply = await service.request('PATCH', `/v1/collaborators/${id}`, { key: service.secretKey, body });
      assert.ok(reply.status >= 400);
    }
    assert.deepEqual(await stand.fresh(), []);
  });
});
