import type { OrganizationId } from '#core/ids.ts';
import type { Queryable } from '../database.ts';
import type { Relation } from './relation.ts';

export type RowKey = { readonly organizationId: OrganizationId; readonly id: number };
export type Found<Resource> = RowKey & { readonly resource: Resource };

/**
 * Returns the resources of the rows with the given keys, in one query for many organizations. Omits keys without a row.
 */
export async function readByKeys<Row extends object, Resource>(
  connection: Queryable,
  relation: Relation<Row, Resource>,
  keys: readonly RowKey[],
): Promise<Found<Resource>[]> {
  const { rows } = await connection.query<Row & { readonly organization_id: OrganizationId; readonly id: number }>(
    `select r.* from unnest($1::bigint[], $2::bigint[]) as k (organization_id, id)
     join (${relation.query}) r on r.organization_id = k.organization_id and r.id = k.id`,
    [keys.map(({ organizationId }) => organizationId), keys.map(({ id }) => id)],
  );
  return rows.map(({ organization_id: organizationId, ...row }) => ({
    organizationId,
    id: row.id,
    resource: relation.read(row as unknown as Row),
  }));
}
