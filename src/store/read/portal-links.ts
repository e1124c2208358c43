import type { AliasId, CollaboratorId, OrganizationId } from '#domain/ids.ts';
import type { Queryable } from '../database.ts';

/** A code by which a collaborator refers. */
export type PortalCode = {
  readonly id: AliasId;
  readonly type: 'tracking' | 'coupon';
  readonly code: string;
  readonly createdAt: Date;
};

/** The links and coupons that lead to a collaborator now, the oldest first; at most `limit`. By aliases_collaborator. */
export async function readPortalCodes(
  connection: Queryable,
  organizationId: OrganizationId,
  collaboratorId: CollaboratorId,
  limit: number,
): Promise<PortalCode[]> {
  const { rows } = await connection.query<PortalCode>(
    `select id, type, code, created_at as "createdAt" from aliases
     where organization_id = $1 and collaborator_id = $2 and until_version is null and type in ('tracking', 'coupon')
     order by id limit $3`,
    [organizationId, collaboratorId, limit],
  );
  return rows;
}
