import type { FraudSignals } from '#programs/domain/hold.ts';
import type { CollaboratorId, TransactionId, UserId } from '#core/ids.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { MEMBERS } from '#tracking/store/touch.ts';

/** A collaborator who may earn from a transaction, and is checked for fraud signals. */
export type Suspect = { readonly transactionId: TransactionId; readonly collaboratorId: CollaboratorId };

type Touched = Pick<
  FraudSignals,
  'nthFromAddress' | 'nthOfCollaborator' | 'hasVisit' | 'hasCoupon' | 'referrers' | 'deniedBy'
>;

/** SQL for the `DenyListEntry` of the fraud list entry `e`. */
const ENTRY = `jsonb_build_object('kind', e.kind, 'value', e.value)`;

/**
 * Loads the fraud signals that touches caused, for sales and leads, in the order of the suspects. Considers the
 * collaborator's touches up to the event, on the opportunity and on all opportunities merged into it. The result is
 * undefined for a suspect without such touches, for example if retention has deleted them.
 */
export async function loadTouchSignals(
  { connection, organizationId }: Tenant,
  suspects: readonly Suspect[],
): Promise<(Touched | undefined)[]> {
  if (suspects.length === 0) return [];
  const { rows } = await connection.query<Touched & { readonly n: number }>({
    name: 'load-touch-signals',
    text: `
      with recursive ${MEMBERS}
      select s.n, coalesce(max(v.nth_from_address), 0) as "nthFromAddress",
        coalesce(max(v.nth_of_collaborator), 0) as "nthOfCollaborator",
        bool_or(v.trigger is null) as "hasVisit", coalesce(bool_or(v.trigger = 'coupon-applied'), false) as "hasCoupon",
        coalesce(array_agg(distinct v.referrer) filter (where v.referrer is not null), '{}') as referrers,
        coalesce((
          select jsonb_agg(${ENTRY} order by e.kind, e.value) from fraud_list_entries e
          where e.organization_id = $1 and e.id = any (array_agg(v.denied_by) filter (where v.denied_by is not null))
        ), '[]') as "deniedBy"
      from unnest($3::bigint[], $4::bigint[]) with ordinality as s (transaction_id, collaborator_id, n)
      join member m on m.transaction_id = s.transaction_id
      cross join lateral (
        select v.trigger, v.nth_from_address, v.nth_of_collaborator, v.referrer, v.denied_by from visits v
        where v.organization_id = $1 and v.opportunity_id = m.id and v.collaborator_id = s.collaborator_id
          and v.id < m.event_id and v.occurred_at <= m.counts_until and v.reason is null
        offset 0
      ) v
      group by s.n`,
    values: [
      organizationId,
      [...new Set(suspects.map(({ transactionId }) => transactionId))],
      suspects.map(({ transactionId }) => transactionId),
      suspects.map(({ collaboratorId }) => collaboratorId),
    ],
  });
  const found = new Map(rows.map(({ n, ...touched }) => [n, touched]));
  return suspects.map((_, n) => found.get(n + 1));
}

/**
 * Returns all user ids that each suspected collaborator had up to the transaction's event, in the order of the
 * suspects.
 */
export async function loadUserIds(
  { connection, organizationId }: Tenant,
  suspects: readonly Suspect[],
): Promise<UserId[][]> {
  if (suspects.length === 0) return [];
  const { rows } = await connection.query<{ readonly n: number; readonly userIds: UserId[] }>({
    name: 'load-user-ids',
    text: `
      select s.n, array_agg(distinct c.user_id) as "userIds"
      from unnest($2::bigint[], $3::bigint[]) with ordinality as s (transaction_id, collaborator_id, n)
      cross join lateral (
        select event_id from transactions t where t.organization_id = $1 and t.id = s.transaction_id offset 0
      ) t
      cross join lateral (
        select config_version from events e where e.organization_id = $1 and e.id = t.event_id offset 0
      ) e
      cross join lateral (
        select user_id from collaborator_versions c
        where c.organization_id = $1 and c.collaborator_id = s.collaborator_id and c.user_id is not null
          and c.config_version <= e.config_version
        offset 0
      ) c
      group by s.n`,
    values: [
      organizationId,
      suspects.map(({ transactionId }) => transactionId),
      suspects.map(({ collaboratorId }) => collaboratorId),
    ],
  });
  const found = new Map(rows.map(({ n, userIds }) => [n, userIds]));
  return suspects.map((_, n) => found.get(n + 1) ?? []);
}

/** The recorded comparison of a sale's buyer with a collaborator and the deny list. */
type Compared = Pick<FraudSignals, 'buyerDetails' | 'deniedBy'>;

/** Returns the recorded comparisons of the buyer with each collaborator, in the order of the suspects. */
export async function loadBuyerSignals(
  { connection, organizationId }: Tenant,
  suspects: readonly Suspect[],
): Promise<(Compared | undefined)[]> {
  if (suspects.length === 0) return [];
  const { rows } = await connection.query<Compared & { readonly n: number }>({
    name: 'load-buyer-signals',
    text: `
      select s.n, b."buyerDetails", b."deniedBy"
      from unnest($2::bigint[], $3::bigint[]) with ordinality as s (transaction_id, collaborator_id, n)
      cross join lateral (
        select coalesce(min(b.details) filter (where b.collaborator_id > 0), '{}') as "buyerDetails",
          coalesce((
            select jsonb_agg(${ENTRY}) from fraud_list_entries e
            where e.organization_id = $1 and e.id = min(b.denied_by)
          ), '[]') as "deniedBy"
        from buyer_signals b
        where b.organization_id = $1 and b.transaction_id = s.transaction_id
          and b.collaborator_id = any (array[0, s.collaborator_id])
        having count(*) > 0
      ) b`,
    values: [
      organizationId,
      suspects.map(({ transactionId }) => transactionId),
      suspects.map(({ collaboratorId }) => collaboratorId),
    ],
  });
  const found = new Map(rows.map(({ n, ...compared }) => [n, compared]));
  return suspects.map((_, n) => found.get(n + 1));
}
