import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ensureFirstOrganization } from '#access/commands/found-organization.ts';
import { inTransaction, openDatabase } from '#platform/postgres/database.ts';
import { forgetSome } from '#privacy/reactions/forget.ts';
import { createDatabase } from '../support/database.ts';

it('forgetSome: a statement that takes too long doesn’t prevent the deletion of other expired data', async () => {
  const created = await createDatabase();
  const database = openDatabase(created.url, { steadyPlans: true });
  const hurried = openDatabase(created.url, { queryTimeoutMs: 500 });
  const { organizationId } = await ensureFirstOrganization(database, {});
  await database.query(
    `with webhook as (
       insert into webhooks (organization_id, url, secret) values ($1, 'https://mugs.example', '') returning id
     ), message as (
       insert into webhook_messages (organization_id, id, type, resource_id, occurred_at, data, created_at)
       values ($1, 1, 'webhook.test', 1, now(), '{}', now() - interval '31 days') returning id
     )
     insert into webhook_deliveries (organization_id, webhook_id, message_id) select $1, w.id, m.id from webhook w, message m`,
    [organizationId],
  );
  await database.query(
    `with connector as (
       insert into connectors (organization_id, id, kind, source, name) values ($1, 7, 'stripe', 'stripe', 'Stripe')
       returning id
     )
     insert into connector_events
       (organization_id, connector_id, external_id, type, payload, occurred_at, received_at, state, due_at, settled_at)
     select $1, id, 'evt_1', 'refund', '{}', now(), now() - interval '91 days', 'processed', null, now() from connector`,
    [organizationId],
  );
  // The message can't be deleted while its delivery is locked.
  await inTransaction(database, async (connection) => {
    await connection.query('select from webhook_deliveries for update');
    await assert.rejects(forgetSome(hurried, { connectorPayloadDays: 90 }), /could not be deleted in time/);
  });
  const { rows } = await database.query(
    'select payload, (select count(*)::int from webhook_messages) as messages from connector_events',
  );
  assert.deepEqual(rows, [{ payload: null, messages: 1 }]);
  await forgetSome(hurried, { connectorPayloadDays: 90 });
  assert.deepEqual((await database.query('select from webhook_messages')).rows, []);
  await Promise.all([database.end(), hurried.end()]);
  await created.drop();
});
