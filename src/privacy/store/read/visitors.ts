import type { OpportunityId, TransactionId, UserId } from '#core/ids.ts';
import type { LineType } from '#programs/domain/line.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { type OpportunityResource, type OpportunityRow, readOpportunity } from '#tracking/store/read/opportunities.ts';
import { readSlices } from '#platform/postgres/lists/slices.ts';
import { userText } from '#collaborators/store/read/users.ts';

export type BoughtLine = {
  readonly transactionId: TransactionId;
  readonly externalId: string | null;
  readonly name: string;
  readonly type: LineType;
  readonly quantity: number;
  readonly amount: number;
  readonly total: number;
};

/**
 * Returns all opportunities that a user has or had, and all opportunities merged with them, oldest first. `root` is the
 * surviving opportunity. Uses the indexes opportunities_user, opportunities_left_users and opportunities_merged.
 */
export async function readOpportunitiesOfUser(
  { connection, organizationId }: Tenant,
  userId: UserId,
): Promise<(OpportunityResource & { readonly root: OpportunityId })[]> {
  const { rows } = await connection.query<OpportunityRow & { readonly root: OpportunityId }>(
    `with recursive ${MEMBERS_OF_USER}
     select m.root, o.id, o.user_id as "userId", ${userText('o')} as "userText", o.merged_into as "mergedInto", o.created_at as "createdAt",
       o.invalidated_at as "invalidatedAt",
       case when o.merged_into is not null then 'merged' when o.invalidated_at is not null then 'invalid' else 'active' end
         as status
     from member m
     cross join lateral (select * from opportunities o where o.organization_id = $1 and o.id = m.id offset 0) o
     order by o.id`,
    [organizationId, userId],
  );
  return rows.map(readOpportunity);
}

/**
 * The subqueries of a recursive `with` that find the opportunities of user $2 and all opportunities merged with them.
 * Each row of `member` has the `id` of an opportunity, and in `root` the id of the surviving opportunity. Current and
 * former opportunities are selected separately, because they have separate indexes.
 */
export const MEMBERS_OF_USER = `
  own as materialized (
    select id from opportunities
    where organization_id = $1 and user_id = $2 and user_id is not null and merged_into is null and invalidated_at is null
    union all
    select id from opportunities
    where organization_id = $1 and user_id = $2 and user_id is not null and (merged_into is not null or invalidated_at is not null)
  ), member (root, id) as (
    select root, root from (select distinct survivor_of($1, id) as root from own) roots where root is not null
    union all
    select m.root, o.id from member m
    cross join lateral (
      select o.id from opportunities o where o.organization_id = $1 and o.merged_into = m.id offset 0
    ) o
  )`;

/**
 * Returns all lines of the transactions of the given opportunities, in slices. Uses the index transactions_opportunity
 * and the primary key of transaction_lines.
 */
export function readBoughtLines(
  { connection, organizationId }: Tenant<Connection>,
  opportunityIds: readonly OpportunityId[],
): AsyncGenerator<readonly BoughtLine[]> {
  return readSlices<BoughtLine>(
    connection,
    `select l.transaction_id as "transactionId", l.external_id as "externalId", l.name, l.type, l.quantity, l.amount::bigint as amount,
       coalesce(l.total, l.amount * l.quantity)::bigint as total
     from transactions t
     join transaction_lines l on l.organization_id = $1 and l.transaction_id = t.id
     where t.organization_id = $1 and t.opportunity_id = any ($2::bigint[])
     order by l.transaction_id, l.position`,
    [organizationId, opportunityIds],
  );
}
