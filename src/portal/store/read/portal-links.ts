import type { AliasId, CollaboratorId } from '#core/ids.ts';
import { SUB_ID_SEPARATOR } from '../../domain/portal-link.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export type PortalCode = {
  readonly id: AliasId;
  readonly type: 'tracking' | 'coupon';
  readonly code: string;
  /**
   * The main code of a link with a sub-id. It belongs or belonged to the same collaborator. Null for any other code.
   */
  readonly mainCode: string | null;
  /** The page that a link opens. Null for the landing page. */
  readonly pageUrl: string | null;
  readonly createdAt: Date;
};

/**
 * Returns a collaborator's current links and coupons, oldest first, at most `limit`. Uses the indexes
 * `aliases_collaborator` and `aliases_codes`.
 */
export async function readPortalCodes(
  { connection, organizationId }: Tenant,
  collaboratorId: CollaboratorId,
  limit: number,
): Promise<PortalCode[]> {
  const { rows } = await connection.query<PortalCode>(
    `select a.id, a.type, a.code, a.page_url as "pageUrl", a.created_at as "createdAt", m.code as "mainCode"
     from aliases a
     left join lateral (
       select m.code from generate_series(1, length(a.code_key)) as dot
       join aliases m on m.organization_id = $1 and m.code_key = left(a.code_key, dot - 1) and m.id > 0
         and m.type = 'tracking' and m.collaborator_id = $2
       where a.type = 'tracking' and substr(a.code_key, dot, 1) = $4
       order by dot, m.id limit 1
     ) m on true
     where a.organization_id = $1 and a.collaborator_id = $2 and a.until_version is null
       and a.type in ('tracking', 'coupon')
     order by a.id limit $3`,
    [organizationId, collaboratorId, limit, SUB_ID_SEPARATOR],
  );
  return rows;
}
