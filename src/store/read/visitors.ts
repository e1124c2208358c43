import type { OpportunityId, OrganizationId, TransactionId, UserId } from '#domain/ids.ts';
import type { LineType } from '#domain/program.ts';
import type { Queryable } from '../database.ts';
import type { OpportunityResource } from './opportunities.ts';

export type BoughtLine = {
  readonly transactionId: TransactionId;
  readonly externalId: string | null;
  readonly name: string;
  readonly type: LineType;
  readonly quantity: number;
  readonly amount: number;
};

/**
 * All opportunities that are a user's or were, with what was merged with them, oldest first; each with the survivor that
 * it leads to. By opportunities_user, opportunities_left_users and opportunities_merged.
 */
export async function readOpportunitiesOfUser(
  connection: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<(OpportunityResource & { readonly root: OpportunityId })[]> {
  const { rows } = await connection.query<OpportunityResource & { readonly root: OpportunityId }>(
    `with recursive ${MEMBERS_OF_USER}
     select m.root, o.id, o.user_id as "userId", o.merged_into as "mergedInto", o.created_at as "createdAt",
       o.invalidated_at as "invalidatedAt",
       case when o.merged_into is not null then 'merged' when o.invalidated_at is not null then 'invalid' else 'active' end
         as status
     from member m
     cross join lateral (select * from opportunities o where o.organization_id = $1 and o.id = m.id offset 0) o
     order by o.id`,
    [organizationId, userId],
  );
  return rows;
}

/**
 * Of user $2: every member (`root`, `id`) of what was merged with an opportunity that is theirs or was; of a recursive
 * `with`. Those that are and those that were are asked for apart, since each has an index of its own.
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

/** The lines of all that was sold to these opportunities. By transactions_opportunity and the key of lines. */
export async function readBoughtLines(
  connection: Queryable,
  organizationId: OrganizationId,
  opportunityIds: readonly OpportunityId[],
): Promise<BoughtLine[]> {
  const { rows } = await connection.query<BoughtLine>(
    `select l.transaction_id as "transactionId", l.external_id as "externalId", l.name, l.type, l.quantity, l.amount::bigint as amount
     from transactions t
     join transaction_lines l on l.organization_id = $1 and l.transaction_id = t.id
     where t.organization_id = $1 and t.opportunity_id = any ($2::bigint[])
     order by l.transaction_id, l.position`,
    [organizationId, opportunityIds],
  );
  return rows;
}
