import type { OpportunityId, UserId } from '#core/ids.ts';
import { type PlatformUserId, shownUser } from '#core/user.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';
import { userText } from '#collaborators/store/read/users.ts';

/** An opportunity in the API. The HTTP layer replaces its internal opportunity ids with public numbers. */
export type OpportunityResource = {
  readonly id: OpportunityId;
  readonly status: 'active' | 'merged' | 'invalid';
  readonly userId: PlatformUserId | null;
  readonly mergedInto: OpportunityId | null;
  readonly createdAt: Date;
  readonly invalidatedAt: Date | null;
};

/** An opportunity as queries return it, with the stored user number. `userText` is set for a user with a text id. */
export type OpportunityRow = Omit<OpportunityResource, 'userId'> & {
  readonly userId: UserId | null;
  readonly userText: string | null;
};

export function readOpportunity<Row extends OpportunityRow>({ userId, userText, ...row }: Row) {
  return { ...row, userId: shownUser(userId, userText) };
}

const QUERY = `
  select organization_id, id,
    case when merged_into is not null then 'merged' when invalidated_at is not null then 'invalid' else 'active' end
      as status,
    user_id as "userId", ${userText('o')} as "userText", merged_into as "mergedInto", created_at as "createdAt", invalidated_at as "invalidatedAt"
  from opportunities o`;

/**
 * SQL for the opportunities that have a user. The index `opportunities_user` finds active opportunities, and the index
 * `opportunities_left_users` finds merged and invalid opportunities.
 */
const OF_USERS = `
  ${QUERY} where user_id is not null and merged_into is null and invalidated_at is null
  union all
  ${QUERY} where user_id is not null and (merged_into is not null or invalidated_at is not null)`;

/** SQL for the transactions whose external id contains the search text. */
const FOUND_ORDERS = `
  select t.opportunity_id from transactions t
  where t.organization_id = :organization and position(:text in lower(t.external_id)) > 0`;

export const opportunities: Relation<OpportunityRow, OpportunityResource> = {
  query: QUERY,
  // Filters by the columns that determine a status, so that the indexes of the few inactive opportunities apply.
  narrowed: ({ status, userId }) => {
    if (userId !== undefined) return OF_USERS;
    if (status === 'merged') return `${QUERY} where merged_into is not null`;
    return status === 'invalid' ? `${QUERY} where invalidated_at is not null` : undefined;
  },
  searched: `exists (${FOUND_ORDERS} and t.opportunity_id = r.id)`,
  // Read the transactions once, instead of once for each opportunity.
  sought: FOUND_ORDERS,
  key: 'id',
  sorts: { id: 'bigint', createdAt: 'timestamptz' },
  read: readOpportunity,
};

/**
 * Returns the survivor of an opportunity and all opportunities merged into it, oldest first. The survivor is the
 * oldest. Returns an empty list if the opportunity doesn't exist.
 */
export async function readMembers({ connection, organizationId }: Tenant, id: OpportunityId): Promise<OpportunityId[]> {
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
