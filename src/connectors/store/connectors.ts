import type { ConnectorId, OrganizationId } from '#core/ids.ts';
import type { Mode } from '#core/mode.ts';
import type { Connection, Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { ConnectorKind, JsonObject } from '../domain/connector.ts';

/** The connector data that the inbox needs. */
export type Inbox = {
  readonly organizationId: OrganizationId;
  readonly id: ConnectorId;
  readonly kind: ConnectorKind;
  /** The mode of the organization. */
  readonly mode: Mode;
  /** The encrypted secret of the sender. Null until it is set. */
  readonly secret: Buffer | null;
};

/**
 * Returns the connectors with the given ids in any organization, except deleted connectors. Uses the index
 * `connectors_id`.
 */
export async function findInboxes(connection: Queryable, ids: readonly ConnectorId[]): Promise<Inbox[]> {
  const { rows } = await connection.query<Inbox>({
    name: 'find-inboxes',
    text: `select c.organization_id as "organizationId", c.id, c.kind, o.mode, c.secret
      from connectors c join organizations o on o.id = c.organization_id
      where c.id = any ($1::bigint[]) and c.deleted_at is null`,
    values: [ids],
  });
  return rows;
}

export type ConnectorFields = { readonly name: string; readonly settings: JsonObject };

/** Inserts a connector. `secret` must be encrypted, or null if it is not known yet. */
export async function insertConnector(
  { connection, organizationId }: Tenant<Connection>,
  id: ConnectorId,
  { kind, source, name, settings }: ConnectorFields & Pick<Inbox, 'kind'> & { readonly source: string },
  secret: Uint8Array | null,
): Promise<void> {
  await connection.query(
    `insert into connectors (organization_id, id, kind, source, name, settings, secret)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [organizationId, id, kind, source, name, JSON.stringify(settings), secret],
  );
}

/** Returns the sources of all connectors that are not deleted. */
export async function findSources({ connection, organizationId }: Tenant<Connection>): Promise<string[]> {
  const { rows } = await connection.query<{ source: string }>(
    `select source from connectors where organization_id = $1 and deleted_at is null`,
    [organizationId],
  );
  return rows.map(({ source }) => source);
}

export type LockedConnector = ConnectorFields & {
  readonly kind: ConnectorKind;
  readonly source: string;
  readonly isDeleted: boolean;
  /** The key that decodes public opportunity numbers of the organization. */
  readonly opportunityKey: Buffer;
};

/** Locks a connector and returns its fields, or undefined if the organization has no such connector. */
export async function lockConnector(
  { connection, organizationId }: Tenant<Connection>,
  id: ConnectorId,
): Promise<LockedConnector | undefined> {
  const { rows } = await connection.query<LockedConnector>(
    `select c.kind, c.name, c.source, c.settings, c.deleted_at is not null as "isDeleted",
       g.opportunity_key as "opportunityKey"
     from connectors c join organizations g on g.id = c.organization_id
     where c.organization_id = $1 and c.id = $2 for no key update of c`,
    [organizationId, id],
  );
  return rows[0];
}

export async function updateConnector(
  { connection, organizationId }: Tenant<Connection>,
  id: ConnectorId,
  { name, settings }: ConnectorFields,
): Promise<void> {
  await connection.query(
    `update connectors set name = $3, settings = $4, updated_at = now() where organization_id = $1 and id = $2`,
    [organizationId, id, name, JSON.stringify(settings)],
  );
}

export async function replaceConnectorSecret(
  { connection, organizationId }: Tenant<Connection>,
  id: ConnectorId,
  secret: Uint8Array,
): Promise<void> {
  await connection.query(
    `update connectors set secret = $3, updated_at = now() where organization_id = $1 and id = $2`,
    [organizationId, id, secret],
  );
}

/**
 * Records that a message with an invalid signature arrived. Writes at most once a minute for each connector, even
 * during a flood of messages.
 */
export async function noteRefusal({ connection, organizationId }: Tenant<Queryable>, id: ConnectorId): Promise<void> {
  await connection.query(
    `update connectors set refused_at = now()
     where organization_id = $1 and id = $2 and (refused_at is null or refused_at < now() - interval '1 minute')`,
    [organizationId, id],
  );
}

/** Marks a locked connector as deleted, and dismisses its pending and waiting events. */
export async function deleteConnector(
  { connection, organizationId }: Tenant<Connection>,
  id: ConnectorId,
): Promise<void> {
  await connection.query(
    `update connectors set deleted_at = now(), updated_at = now() where organization_id = $1 and id = $2`,
    [organizationId, id],
  );
  await connection.query(
    `update connector_events set state = 'dismissed', reason = 'The connector was deleted.', due_at = null,
       waiting_since = null, settled_at = now(), payload = case when is_erased then null else payload end
     where organization_id = $1 and connector_id = $2 and state in ('pending', 'waiting')`,
    [organizationId, id],
  );
}

/** Records the `externalId` of a connector's first sale with a referral. Later calls change nothing. */
export async function noteAttributedOrder(
  { connection, organizationId }: Tenant<Connection>,
  id: ConnectorId,
  externalId: string,
): Promise<void> {
  await connection.query({
    name: 'note-attributed-order',
    text: `update connectors set first_attributed_order = $3, first_attributed_at = now()
      where organization_id = $1 and id = $2 and first_attributed_at is null`,
    values: [organizationId, id, externalId],
  });
}
