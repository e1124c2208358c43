import type { CollaboratorId, ErasureId, OpportunityId, UserId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { takeFromSums } from '#reporting/store/figure-sums.ts';
import { MEMBERS_OF_USER } from './read/visitors.ts';

/** Records an erasure with its author, in the caller's transaction, and returns its id. Never records the visitor. */
export async function insertErasure(
  { connection, organizationId }: Tenant<Connection>,
  { author, collaboratorId }: { readonly author: string; readonly collaboratorId: CollaboratorId | null },
): Promise<ErasureId> {
  const { rows } = await connection.query<{ id: ErasureId }>(
    'insert into erasures (organization_id, collaborator_id, author) values ($1, $2, $3) returning id',
    [organizationId, collaboratorId, author],
  );
  return (rows[0] as { id: ErasureId }).id;
}

/**
 * All opportunities of a user, including merged opportunities. `sold` contains the opportunities that have a
 * transaction, or were merged with an opportunity that has a transaction. `bare` contains all other opportunities.
 */
export type Traces = { readonly sold: readonly OpportunityId[]; readonly bare: readonly OpportunityId[] };

/**
 * Locks every opportunity of the user and all opportunities merged with it, in the order of their ids, and returns
 * them. Waits for concurrent visits, claims, merges and sales. Repeats the search until the locks cover all found
 * opportunities. Later reports wait for the locks, and then no longer find the user.
 */
export async function lockTraces(tenant: Tenant<Connection>, userId: UserId): Promise<Traces> {
  for (let held = new Set<OpportunityId>(); ;) {
    const found = await findTraces(tenant, userId);
    if (found.every(({ id }) => held.has(id))) {
      const of = (sold: boolean) => found.filter((each) => each.sold === sold).map(({ id }) => id);
      return { sold: of(true), bare: of(false) };
    }
    const { rows } = await tenant.connection.query<{ id: OpportunityId }>(
      'select id from opportunities where organization_id = $1 and id = any ($2::bigint[]) order by id for update',
      [tenant.organizationId, found.map(({ id }) => id)],
    );
    // An opportunity that retention has removed in the meantime is missing from `rows`. The next search won't find such
    // an opportunity.
    held = new Set(rows.map(({ id }) => id));
  }
}

/**
 * Finds the opportunities of a user. Uses the indexes opportunities_user, opportunities_left_users,
 * opportunities_merged and transactions_opportunity.
 */
async function findTraces(
  { connection, organizationId }: Tenant<Connection>,
  userId: UserId,
): Promise<{ readonly id: OpportunityId; readonly sold: boolean }[]> {
  const { rows } = await connection.query<{ id: OpportunityId; sold: boolean }>(
    `with recursive ${MEMBERS_OF_USER}, traded as materialized (
       select distinct m.root from member m
       where exists (select from transactions t where t.organization_id = $1 and t.opportunity_id = m.id)
     )
     select m.id, m.root in (select root from traded) as sold from member m order by m.id`,
    [organizationId, userId],
  );
  return rows;
}

/** Removes locked opportunities without a sale, with all their data. Returns the number of removed visits. */
export async function removeTraces(
  tenant: Tenant<Connection>,
  opportunityIds: readonly OpportunityId[],
): Promise<number> {
  const { connection, organizationId } = tenant;
  if (opportunityIds.length === 0) return 0;
  await takeFromSums(tenant, opportunityIds);
  const values = [organizationId, opportunityIds];
  const { rowCount } = await connection.query(
    'delete from visits where organization_id = $1 and opportunity_id = any ($2::bigint[])',
    values,
  );
  await connection.query(
    'delete from engagements where organization_id = $1 and opportunity_id = any ($2::bigint[])',
    values,
  );
  await connection.query('delete from opportunities where organization_id = $1 and id = any ($2::bigint[])', values);
  return rowCount ?? 0;
}

/**
 * Removes the user from locked opportunities with a sale, and closes the opportunities, so that later visits and sales
 * no longer use them. Keeps the data on which the decisions about their sales depend: the visits and, if the user was a
 * collaborator, a self-referral tombstone.
 */
export async function closeTraces(
  { connection, organizationId }: Tenant<Connection>,
  erasureId: ErasureId,
  userId: UserId,
  opportunityIds: readonly OpportunityId[],
): Promise<void> {
  if (opportunityIds.length === 0) return;
  const { rowCount: selves } = await connection.query(
    `insert into self_referral_tombstones (organization_id, erasure_id, collaborator_id, config_version)
     select organization_id, $2, collaborator_id, config_version from collaborator_versions
     where organization_id = $1 and user_id = $3`,
    [organizationId, erasureId, userId],
  );
  await connection.query(
    `update opportunities
     set user_id = case when user_id is not null then $3::bigint end,
       user_since = case when $3::bigint is not null then user_since end,
       invalidated_at = case when merged_into is null then coalesce(invalidated_at, now()) else invalidated_at end
     where organization_id = $1 and id = any ($2::bigint[])`,
    [organizationId, opportunityIds, selves === 0 ? null : -erasureId],
  );
  await connection.query(
    `update visits set user_id = null
     where organization_id = $1 and opportunity_id = any ($2::bigint[]) and user_id is not null`,
    [organizationId, opportunityIds],
  );
}

/**
 * Removes the webhook messages about the given resources, whether they were sent or not. `resourceIds` contains the ids
 * that the API shows.
 */
export async function removeMessages(
  { connection, organizationId }: Tenant<Connection>,
  noun: 'opportunity' | 'collaborator',
  resourceIds: readonly number[],
): Promise<void> {
  await connection.query(
    `delete from webhook_messages
     where organization_id = $1 and starts_with(type, $2 || '.') and resource_id = any ($3::bigint[])`,
    [organizationId, noun, resourceIds],
  );
}

/**
 * Removes the payloads of connectors' events about the orders of the given opportunities, and about the same customers
 * in the senders' systems. A waiting event may be a refund, so its payload is removed only after the event is settled.
 * Uses the indexes transactions_opportunity, connector_events_order and connector_events_subject.
 */
export async function removePayloads(
  { connection, organizationId }: Tenant<Connection>,
  opportunityIds: readonly OpportunityId[],
): Promise<void> {
  if (opportunityIds.length === 0) return;
  await connection.query(
    `with orders as materialized (
       select t.external_id from transactions t where t.organization_id = $1 and t.opportunity_id = any ($2::bigint[])
     ), about as materialized (
       select e.id, e.subject from connector_events e
       where e.organization_id = $1 and e.order_key = any (array(select external_id from orders))
     )
     update connector_events set is_erased = true, payload = case when due_at is null then null else payload end
     where organization_id = $1 and payload is not null
       and (id = any (array(select id from about)) or subject = any (array(select subject from about)))`,
    [organizationId, opportunityIds],
  );
}

/** Returns whether the collaborator was already erased. Uses the index erasures_collaborator. */
export async function wasErased(
  { connection, organizationId }: Tenant<Connection>,
  collaboratorId: CollaboratorId,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    'select from erasures where organization_id = $1 and collaborator_id = $2 limit 1',
    [organizationId, collaboratorId],
  );
  return rowCount === 1;
}

/**
 * Removes a collaborator's portal data, the notes about them, and the hashes of their cards and addresses as buyers.
 * Portal data are payout and tax details, payout requests, sign-ups, accepted agreements, sessions, passkeys, login
 * links, and the notices and settings of notification emails.
 */
export async function removePortalTraces(
  { connection, organizationId }: Tenant<Connection>,
  collaboratorId: CollaboratorId,
): Promise<void> {
  const values = [organizationId, collaboratorId];
  await connection.query(
    `delete from entry_links where organization_id = $1 and (collaborator_id = $2 or address in (
       select lower(email) from collaborators where organization_id = $1 and id = $2))`,
    values,
  );
  for (const table of [
    'payout_details',
    'tax_details',
    'payout_requests',
    'sign_ups',
    'agreement_acceptances',
    'collaborator_notes',
    'sessions',
    'passkeys',
    'partner_email_mutes',
    'partner_notices',
    'buyer_marks',
  ]) {
    await connection.query(`delete from ${table} where organization_id = $1 and collaborator_id = $2`, values);
  }
}
