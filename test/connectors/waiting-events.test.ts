import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ensureFirstOrganization } from '#access/commands/found-organization.ts';
import { createConnector } from '#connectors/commands/change-connector.ts';
import { wakeEvents } from '#connectors/store/connector-events.ts';
import type { ConnectorId, OrganizationId } from '#core/ids.ts';
import { type Database, inTransaction, openDatabase } from '#platform/postgres/database.ts';
import { followGrowth } from '#platform/postgres/statistics.ts';
import { createDatabase, rowsReadBy } from '../support/database.ts';

describe('waiting events of a connector', () => {
  let database: Database;
  let drop: () => Promise<void>;
  let organizationId: OrganizationId;
  let connectorId: ConnectorId;
  let otherConnectorId: ConnectorId;
  before(async () => {
    const created = await createDatabase();
    drop = created.drop;
    database = openDatabase(created.url, { steadyPlans: true });
    ({ organizationId } = await ensureFirstOrganization(database, {}));
    const fields = { kind: 'stripe', source: 'stripe', name: 'Stripe', settings: {} } as const;
    const connector = await createConnector({ connection: database, organizationId }, fields, null);
    assert.ok(connector.kind === 'created');
    connectorId = connector.id;
    // Half of the events wait for the same refund.
    await database.query(
      `insert into connector_events
         (organization_id, connector_id, external_id, type, payload, occurred_at, state, waits_for, waiting_since, due_at)
       select $1, $2, n, 'refund', '{}', now(), 'waiting',
         array[$2::bigint || '/refund:' || case n % 2 when 0 then 'shared' else n::text end], now(), now() + interval '1 hour'
       from generate_series(1, 3000) n`,
      [organizationId, connectorId],
    );
    const other = await createConnector(
      { connection: database, organizationId },
      { ...fields, source: 'other', name: 'Other' },
      null,
    );
    assert.ok(other.kind === 'created');
    otherConnectorId = other.id;
    await followGrowth(database);
  });
  after(async () => {
    await database.end();
    await drop();
  });

  const dueEvents = async (): Promise<number> =>
    (await database.query<{ due: number }>('select count(*)::int as due from connector_events where due_at <= now()'))
      .rows[0]?.due ?? 0;

  it('are found through the link that they wait for, without reading other events', async () => {
    const read = await rowsReadBy(database, ['connector_events'], (connection) =>
      wakeEvents({ connection, organizationId }, connectorId, [{ kind: 'refund', externalId: '7' }]),
    );
    assert.equal(await dueEvents(), 1);
    assert.ok(read < 20, `${read} rows are read`);
  });

  it('are not read for another connector, even if it has a link with the same name', async () => {
    const read = await rowsReadBy(database, ['connector_events'], (connection) =>
      wakeEvents({ connection, organizationId }, otherConnectorId, [{ kind: 'refund', externalId: 'shared' }]),
    );
    assert.ok(read < 20, `${read} rows are read`);
  });

  it('become due for one link, up to 1,000 at once', async () => {
    await inTransaction(database, async (connection) => {
      await wakeEvents({ connection, organizationId }, connectorId, [{ kind: 'refund', externalId: 'shared' }]);
      const { rows } = await connection.query<{ setting: string }>('show enable_bitmapscan');
      assert.deepEqual(rows, [{ enable_bitmapscan: 'off' }], 'the plans of further statements stay steady');
    });
    assert.equal(await dueEvents(), 1_001);
  });
});
