import type { OpportunityId, UserId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { MAX_ENGAGEMENTS, type Placement, type Presented } from '../domain/visit.ts';

/**
 * Locks the presented opportunities and the active opportunities of `users`, in the order of their ids. A merged
 * opportunity is replaced by its survivor. Returns the active opportunities, by presented id and by user.
 */
export async function lockOpportunities(
  { connection, organizationId }: Tenant<Connection>,
  presented: readonly OpportunityId[],
  users: readonly UserId[],
): Promise<{ byPresented: Map<OpportunityId, Presented>; byUser: Map<UserId, Presented> }> {
  for (;;) {
    const wanted = await connection.query<{ presented: OpportunityId | null; id: OpportunityId }>(
      `select o.id as presented, case when o.merged_into is null then o.id else survivor_of($1, o.id) end as id
       from opportunities o where o.organization_id = $1 and o.id = any ($2::bigint[])
       union all
       select null, o.id from opportunities o
       where o.organization_id = $1 and o.user_id = any ($3::bigint[])
         and o.merged_into is null and o.invalidated_at is null`,
      [organizationId, presented, users],
    );
    const locked = await connection.query<{
      id: OpportunityId;
      user_id: UserId | null;
      merged: boolean;
      invalid: boolean;
    }>(
      `select id, user_id, merged_into is not null as merged, invalidated_at is not null as invalid
       from opportunities where organization_id = $1 and id = any ($2::bigint[]) order by id for no key update`,
      [organizationId, wanted.rows.map((row) => row.id)],
    );
    // An opportunity was merged while this transaction waited for its lock, so look up its survivor. The transaction
    // keeps its other locks.
    if (locked.rows.some((row) => row.merged)) continue;
    const active = new Map(
      locked.rows.filter((row) => !row.invalid).map((row) => [row.id, { id: row.id, userId: row.user_id }]),
    );
    const byPresented = new Map<OpportunityId, Presented>();
    for (const row of wanted.rows) {
      const held = active.get(row.id);
      if (row.presented !== null && held !== undefined) byPresented.set(row.presented, held);
    }
    const byUser = new Map<UserId, Presented>();
    for (const held of active.values()) if (held.userId !== null) byUser.set(held.userId, held);
    return { byPresented, byUser };
  }
}

/**
 * Returns whether two locked opportunities, with all opportunities merged into them, can be merged. They can't if they
 * would have more than MAX_ENGAGEMENTS opportunities and engagements together.
 */
export async function canMerge(
  { connection, organizationId }: Tenant<Connection>,
  { survivor, merged }: Extract<Placement, { readonly kind: 'merge' }>,
): Promise<boolean> {
  const { rows } = await connection.query<{ size: number }>(
    `with recursive member (id) as (
       select unnest($2::bigint[])
       union all
       select o.id from member m join opportunities o on o.organization_id = $1 and o.merged_into = m.id
     )
     select (count(*) + sum((
       select count(*) from engagements g where g.organization_id = $1 and g.opportunity_id = m.id
     )))::int as size
     from member m`,
    [organizationId, [survivor, merged]],
  );
  return (rows[0]?.size ?? 0) <= MAX_ENGAGEMENTS;
}

/** Creates an active opportunity without a visit, for the buyer of an order without a referral, and returns its id. */
export async function createOpportunity(
  { connection, organizationId }: Tenant<Connection>,
  userId: UserId | null,
): Promise<OpportunityId> {
  const { rows } = await connection.query<{ id: OpportunityId }>(
    `insert into opportunities (organization_id, id, user_id, user_since, created_at)
     select $1, nextval('opportunity_ids'), u.id, case when u.id is not null then nextval('event_ids') end, now()
     from (select $2::bigint as id) u
     returning id`,
    [organizationId, userId],
  );
  return (rows[0] as { id: OpportunityId }).id;
}

/**
 * Applies the placement of a visit to its opportunities, which must be locked. Returns the opportunity of the visit, or
 * null if the statement that writes the visit creates it. A merge moves no engagements, because readers of engagements
 * include all merged opportunities. Claims and merges draw a number from the decision sequence, so that their position
 * among the events is known.
 */
export async function placeOpportunity(
  { connection, organizationId }: Tenant<Connection>,
  placement: Placement,
): Promise<OpportunityId | null> {
  switch (placement.kind) {
    case 'use':
      return placement.id;
    case 'create':
      return null;
    case 'claim':
      await connection.query(
        `update opportunities set user_id = $3, user_since = nextval('event_ids') where organization_id = $1 and id = $2`,
        [organizationId, placement.id, placement.userId],
      );
      return placement.id;
    case 'merge':
      await connection.query(
        `update opportunities set merged_into = $3, merged_by = nextval('event_ids')
         where organization_id = $1 and id = $2`,
        [organizationId, placement.merged, placement.survivor],
      );
      await connection.query(
        `update opportunities set user_id = $3, user_since = nextval('event_ids')
         where organization_id = $1 and id = $2 and user_id is null`,
        [organizationId, placement.survivor, placement.userId],
      );
      return placement.survivor;
    default:
      return placement satisfies never;
  }
}
