import { type FraudSignals, MAX_DENY_LIST_ENTRIES, MAX_REFERRERS } from '#programs/domain/hold.ts';
import type { CollaboratorId, TransactionId, UserId } from '#core/ids.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { MEMBERS } from '#tracking/store/touch.ts';

/** A collaborator who may earn from a transaction, and is checked for fraud signals. */
export type Suspect = { readonly transactionId: TransactionId; readonly collaboratorId: CollaboratorId };

/** A suspect with the patterns of the hosts that the program treats as advertising. */
export type Advertiser = Suspect & { readonly patterns: readonly string[] };

type Touched = Pick<FraudSignals, 'nthFromAddress' | 'nthOfCollaborator' | 'hasVisit' | 'hasCoupon' | 'deniedBy'>;

/** SQL for the `DenyListEntry` of the fraud list entry `e`. */
const ENTRY = `jsonb_build_object('kind', e.kind, 'value', e.value)`;

/**
 * Loads the fraud signals that touches caused, for sales and leads, in the order of the suspects, except the hosts that
 * `loadAdReferrers` returns. Considers the collaborator's touches up to the event, on the opportunity and on all
 * opportunities merged into it. The result is undefined for a suspect without such touches, for example if retention
 * has deleted them.
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
        coalesce((
          select jsonb_agg(${ENTRY} order by e.kind, e.value)
          from (
            select e.kind, e.value from fraud_list_entries e
            where e.organization_id = $1
              and e.id = any (array_agg(distinct v.denied_by) filter (where v.denied_by is not null))
            order by e.kind, e.value limit ${MAX_DENY_LIST_ENTRIES}
          ) e
        ), '[]') as "deniedBy"
      from unnest($3::bigint[], $4::bigint[]) with ordinality as s (transaction_id, collaborator_id, n)
      join member m on m.transaction_id = s.transaction_id
      cross join lateral (
        select v.trigger, v.nth_from_address, v.nth_of_collaborator, v.denied_by from visits v
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
 * SQL for the patterns that include the host `h.host`. Repeats `patternsOf` (programs/domain/fraud-list.ts), so that
 * the database can choose the matching hosts before it limits their number.
 */
export const PATTERNS_OF_HOST = `(
  with bare as (
    select bare, string_to_array(bare, '.') as labels
    from (select case when h.host like 'www.%.%' then substr(h.host, 5) else h.host end as bare) b
  )
  select b.bare as pattern from bare b
  union all
  select '*.' || substr(b.bare, (sum(length(l.label) + 1) over (order by l.n) - length(l.label))::int)
  from bare b, unnest(b.labels) with ordinality l (label, n)
  union all
  select array_to_string(b.labels[:cardinality(b.labels) - k], '.') || '.*'
  from bare b, generate_series(1, least(2, cardinality(b.labels) - 1)) k
)`;

/**
 * Loads the first `MAX_REFERRERS` hosts, sorted, of the visits that each suspect's program treats as advertising, in
 * the order of the suspects. Considers the same touches as `loadTouchSignals`.
 *
 * A visitor can have thousands of hosts, and an organization thousands of patterns. So the patterns of each host are
 * looked up as keys of one JSON object, which takes no join that the planner could misjudge. Each pattern keeps only its
 * first hosts, because the first hosts of a list are among them.
 */
export async function loadAdReferrers(
  { connection, organizationId }: Tenant,
  suspects: readonly Advertiser[],
): Promise<string[][]> {
  if (suspects.length === 0) return [];
  // Many programs have the same patterns, so hosts are matched once for each distinct list. Suspects of one program
  // version share the list itself.
  const distinct = new Map<string, number>();
  const lists = new Map(
    [...new Set(suspects.map(({ patterns }) => patterns))].map((patterns) => {
      const text = patterns.join(' ');
      const list = distinct.get(text) ?? distinct.size;
      distinct.set(text, list);
      return [patterns, list];
    }),
  );
  const listsOf = Map.groupBy(
    [...distinct].flatMap(([text, list]) => text.split(' ').map((pattern) => ({ pattern, list }))),
    ({ pattern }) => pattern,
  );
  const { rows } = await connection.query<Suspect & { readonly list: number; readonly referrers: string[] }>({
    name: 'load-ad-referrers',
    text: `
      with recursive ${MEMBERS}, visited as materialized (
        select distinct s.transaction_id, s.collaborator_id, v.referrer as host
        from (
          select distinct transaction_id, collaborator_id
          from unnest($3::bigint[], $4::bigint[]) as s (transaction_id, collaborator_id)
        ) s
        join member m on m.transaction_id = s.transaction_id
        cross join lateral (
          select v.referrer from visits v
          where v.organization_id = $1 and v.opportunity_id = m.id and v.collaborator_id = s.collaborator_id
            and v.id < m.event_id and v.occurred_at <= m.counts_until and v.reason is null and v.referrer is not null
          offset 0
        ) v
      ), ranked as (
        select h.transaction_id, h.collaborator_id, p.pattern, h.host,
          row_number() over (partition by h.transaction_id, h.collaborator_id, p.pattern order by h.host) as nth
        from visited h cross join lateral ${PATTERNS_OF_HOST} p
        where $5::jsonb ? p.pattern
      )
      select transaction_id as "transactionId", collaborator_id as "collaboratorId", l.list::int as list,
        (array_agg(distinct host))[:${MAX_REFERRERS}] as referrers
      from ranked cross join lateral jsonb_array_elements_text($5::jsonb -> pattern) as l (list)
      where nth <= ${MAX_REFERRERS}
      group by transaction_id, collaborator_id, l.list`,
    values: [
      organizationId,
      [...new Set(suspects.map(({ transactionId }) => transactionId))],
      suspects.map(({ transactionId }) => transactionId),
      suspects.map(({ collaboratorId }) => collaboratorId),
      JSON.stringify(Object.fromEntries([...listsOf].map(([pattern, of]) => [pattern, of.map(({ list }) => list)]))),
    ],
  });
  const key = ({ transactionId, collaboratorId }: Suspect, list: number | undefined) =>
    `${transactionId} ${collaboratorId} ${list}`;
  const found = new Map(rows.map((row) => [key(row, row.list), row.referrers]));
  return suspects.map((suspect) => found.get(key(suspect, lists.get(suspect.patterns))) ?? []);
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
