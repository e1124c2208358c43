import type { OpportunityId, OrganizationId, UserId } from '#domain/ids.ts';
import type { Queryable } from '../database.ts';
import type { Relation } from './relation.ts';

/** Ids are the rows'; the door shows their public numbers. */
export type OpportunityResource = {
  readonly id: OpportunityId;
  readonly status: 'active' | 'merged' | 'invalid';
  readonly userId: UserId | null;
  readonly mergedInto: OpportunityId | null;
  readonly createdAt: Date;
  readonly invalidatedAt: Date | null;
};

const QUERY = `
  select organization_id, id,
    case when merged_into is not null then 'merged' when invalidated_at is not null then 'invalid' else 'active' end
      as status,
    user_id as "userId", merged_into as "mergedInto", created_at as "createdAt", invalidated_at as "invalidatedAt"
  from opportunities`;

/** The one that is a user's now, by opportunities_user, and those that were, by opportunities_left_users. */
const OF_USERS = `
  ${QUERY} where user_id is not null and merged_into is null and invalidated_at is null
  union all
  ${QUERY} where user_id is not null and (merged_into is not null or invalidated_at is not null)`;

export const opportunities: Relation<OpportunityResource, OpportunityResource> = {
  query: QUERY,
  // A state is told by columns, and so are the indexes of those few that are not active.
  narrowed: ({ status, userId }) => {
    if (userId !== undefined) return OF_USERS;
    if (status === 'merged') return `${QUERY} where merged_into is not null`;
    return status === 'invalid' ? `${QUERY} where invalidated_at is not null` : undefined;
  },
  key: 'id',
  sorts: { id: 'bigint', createdAt: 'timestamptz' },
  // Below zero is nobody’s: see store/erased-selves.ts.
  read: ({ userId, ...row }) => ({ ...row, userId: userId !== null && userId > 0 ? userId : null }),
};

/** The survivor of an opportunity and all that were merged into it, oldest first (the survivor is the oldest). */
export async function readMembers(
  connection: Queryable,
  organizationId: OrganizationId,
  id: OpportunityId,
): Promise<OpportunityId[]> {
  const { rows } = await connection.query<{ id: OpportunityId }>(
    `with recursive members (id) as (
       select survivor_of($1, $2)
       union all
       select o.id from members m join opportunities o on o.organization_id = $1 and o.merged_into = m.id
     )
     select id from members where id is not null order by id`,
    [organizationId, id],
  );
  return rows.map((row) => row.id);
}
