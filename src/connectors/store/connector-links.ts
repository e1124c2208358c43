import type { ConnectorId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { FindLink, JsonObject, Link, LinkKey } from '../domain/connector.ts';

/** Loads the links with the given keys, and returns a function that finds their values. */
export async function loadLinks(
  { connection, organizationId }: Tenant<Connection>,
  connectorId: ConnectorId,
  keys: readonly LinkKey[],
): Promise<FindLink> {
  if (keys.length === 0) return () => undefined;
  const { rows } = await connection.query<Link>({
    name: 'load-connector-links',
    text: `
      select l.kind, l.external_id as "externalId", l.value
      from unnest($3::text[], $4::text[]) as k (kind, external_id)
      cross join lateral (
        select * from connector_links l
        where l.organization_id = $1 and l.connector_id = $2 and l.kind = k.kind and l.external_id = k.external_id
        limit 1
      ) l`,
    values: [organizationId, connectorId, ...columnsOf(keys)],
  });
  const found = new Map<string, JsonObject>(rows.map((row) => [nameOf(row), row.value]));
  return (kind, externalId) => found.get(nameOf({ kind, externalId }));
}

/** Stores links. A link replaces an earlier link with the same key. */
export async function saveLinks(
  { connection, organizationId }: Tenant<Connection>,
  connectorId: ConnectorId,
  links: readonly Link[],
): Promise<void> {
  if (links.length === 0) return;
  const last = [...new Map(links.map((link) => [nameOf(link), link])).values()];
  await connection.query({
    name: 'save-connector-links',
    text: `
      insert into connector_links (organization_id, connector_id, kind, external_id, value)
      select $1, $2, l.kind, l.external_id, l.value from unnest($3::text[], $4::text[], $5::jsonb[])
        as l (kind, external_id, value)
      on conflict (organization_id, connector_id, kind, external_id)
        do update set value = excluded.value, updated_at = now()`,
    values: [organizationId, connectorId, ...columnsOf(last), last.map(({ value }) => JSON.stringify(value))],
  });
}

function columnsOf(keys: readonly LinkKey[]): [kinds: string[], externalIds: string[]] {
  return [keys.map(({ kind }) => kind), keys.map(({ externalId }) => externalId)];
}

function nameOf({ kind, externalId }: LinkKey): string {
  return `${kind}:${externalId}`;
}
