import type { AliasId, CollaboratorId, ConfigVersion, FraudListEntryId, OpportunityId, UserId } from '#core/ids.ts';
import type { Trigger } from '#programs/domain/program.ts';
import type { KeptReport, ReportKey } from '#core/report-key.ts';
import { MAX_ENGAGEMENTS, MAX_TOUCHES, type Touch, type UnengagedReason } from '../domain/visit.ts';
import { isUniqueViolation } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { keptByKey, keptReports, keyBytes } from './visit-keys.ts';

/** A visit or signal whose collaborator is known and can earn. */
export type VisitRow = {
  /**
   * The trigger of a signal, or null for a site visit. If `presented` is not an active opportunity, only a site visit
   * creates an opportunity.
   */
  readonly trigger: Trigger | null;
  readonly presented: OpportunityId | null;
  readonly collaboratorId: CollaboratorId;
  readonly collaboratorUserId: UserId | null;
  readonly aliasId: AliasId | null;
  /** The user id of the visitor, for a new opportunity. */
  readonly userId: UserId | null;
  readonly reason: UnengagedReason | null;
  /** The touched programs with their points, under the configuration version of the batch. */
  readonly touches: readonly Touch[];
  /** The `occurredAt` of the report. Null means the time of the report. */
  readonly occurredAt: Date | null;
  /** The Idempotency-Key of the report, which must be unique within a batch. */
  readonly key: ReportKey | null;
  /**
   * The data to record for fraud signals. Absent if visits are not checked. `address` is the hash of the visitor's
   * address, or null if the visit is not counted by address. `inAll` is true if all visits of the collaborator are
   * counted together. `referrer` is the host of the page with the link, if a program checks it. `deniedBy` is the entry
   * of the deny list that includes the visit.
   */
  readonly checked?: {
    readonly address: Uint8Array | null;
    readonly inAll: boolean;
    readonly referrer: string | null;
    readonly deniedBy: FraudListEntryId | null;
  };
};

export type WrittenVisits = {
  /** The opportunity of each written row, by the row's index. */
  readonly placed: ReadonlyMap<number, OpportunityId>;
  /** The reports that were already recorded under keys of the rows, by key. */
  readonly kept: ReadonlyMap<string, KeptReport>;
};

/**
 * Writes visits, coupons and custom events with their opportunities and engagements in one statement. Writes nothing if
 * `configVersion` is outdated or a key was already used. A row that is missing from the result was not written and
 * should be retried, for one of these reasons:
 *
 * - A key of the batch was used.
 * - The configuration has changed.
 * - The opportunity of the row was merged, invalidated or removed in the meantime.
 * - The row is a signal, and its opportunity is not active.
 *
 * Event ids are drawn after the opportunity is locked, so the events of an opportunity have the order of the commits.
 * Within the statement, they have the order of the rows. If a visit has no time of its own, the current time is read at
 * the same point, so that times have the same order. If the start time of the transaction were used, a sale that waited
 * for the lock would be older than the visit before it.
 *
 * Opportunities are selected by primary key with arrays (`= any`), so that the plan doesn't depend on statistics.
 */
export async function writeVisits(
  { connection, organizationId }: Tenant,
  configVersion: ConfigVersion,
  visits: readonly VisitRow[],
): Promise<WrittenVisits> {
  // Visits of a collaborator share their list of touches, so each list is sent once, with a number.
  const lists = new Map<readonly Touch[], number>();
  for (const { touches } of visits) if (!lists.has(touches)) lists.set(touches, lists.size);
  const flat = [...lists].flatMap(([touches, list]) => touches.map((touch) => ({ list, ...touch })));
  const presented = visits.map((visit) => visit.presented);
  // If no row has a value, the list is sent empty, because `unnest` pads shorter arrays with nulls.
  const keys = visits.some((visit) => visit.key !== null) ? visits.map((visit) => visit.key) : [];
  const named = visits.some((visit) => visit.occurredAt !== null) ? visits.map((visit) => visit.occurredAt) : [];
  const isChecked = visits.some((visit) => visit.checked !== undefined);
  const write = connection.query<WrittenRow | UsedRow>({
    ...(isChecked ? WRITE_CHECKED_VISITS : WRITE_VISITS),
    values: [
      organizationId,
      configVersion,
      visits.map((_, n) => n),
      presented,
      visits.map((visit) => visit.collaboratorId),
      visits.map((visit) => visit.collaboratorUserId),
      visits.map((visit) => visit.aliasId),
      visits.map((visit) => visit.userId),
      visits.map((visit) => visit.reason),
      [...new Set(presented)].filter((id) => id !== null),
      visits.map((visit) => visit.trigger),
      visits.map((visit) => lists.get(visit.touches)),
      flat.map((touch) => touch.list),
      flat.map((touch) => touch.programId),
      flat.map((touch) => touch.points),
      keys.map((key) => (key === null ? null : keyBytes(key.key))),
      keys.map((key) => (key === null ? null : keyBytes(key.request))),
      named.map((moment) => moment?.toISOString() ?? null),
      ...(isChecked ? checksOf(visits) : []),
    ],
  });
  try {
    const { rows } = await write;
    return {
      placed: new Map(rows.flatMap((row) => (row.n === null ? [] : [[row.n, row.opportunityId]]))),
      kept: keptByKey(rows.filter((row) => row.n === null)),
    };
  } catch (error) {
    // Another batch has used a key of this batch in the meantime. The next attempt finds the key.
    if (isUniqueViolation(error, 'visit_keys_pkey')) return { placed: new Map(), kept: new Map() };
    throw error;
  }
}

type WrittenRow = { readonly n: number; readonly opportunityId: OpportunityId };
type UsedRow = KeptReport & { readonly n: null; readonly key: string };

/**
 * Returns the parameters that only the statement for checked visits has. If no visit has a referrer, the list of
 * referrers is sent empty. If no visit matches the deny list, the list of matching entries is sent empty.
 */
function checksOf(visits: readonly VisitRow[]): unknown[] {
  const checks = visits.map(({ checked }) => checked);
  return [
    checks.map((each) => (each?.address == null ? null : Buffer.from(each.address))),
    checks.map((each) => each?.inAll ?? false),
    checks.some((each) => each?.referrer != null) ? checks.map((each) => each?.referrer ?? null) : [],
    checks.some((each) => each?.deniedBy != null) ? checks.map((each) => each?.deniedBy ?? null) : [],
  ];
}

/** The parts of the SQL that differ between the statements for checked and unchecked visits. */
type Parts = {
  readonly columns: string;
  readonly values: string;
  readonly counting: string;
  readonly positions: string;
};

const writing = ({ columns, values, counting, positions }: Parts): string => `
with used as materialized (
  select k.* from ${keptReports('$16')}
), gate as materialized (
  select from organizations where id = $1 and config_version = $2 and not exists (select from used)
), presented as materialized (
  select p.id as presented, s.id, s.invalidated_at is null as active
  from (
    select o.id, case when o.merged_into is null then o.id else survivor_of($1, o.id) end as survivor
    from opportunities o where o.organization_id = $1 and o.id = any ($10::bigint[])
  ) p
  join opportunities s on s.organization_id = $1 and s.id = p.survivor
), locked as materialized (
  select o.id, o.user_id
  from opportunities o
  where o.organization_id = $1 and o.id = any (array(select id from presented)) and exists (select from gate)
    and o.merged_into is null and o.invalidated_at is null
  order by o.id
  for no key update of o
), placed as materialized (
  select r.*,
    locked.id is null as fresh,
    coalesce(locked.id, nextval('opportunity_ids')) as opportunity_id,
    nextval('event_ids') as event_id,
    coalesce(locked.user_id, r.user_id) as visitor_id,
    coalesce(locked.user_id, r.user_id) = r.collaborator_user_id as self_referral,
    coalesce(r.named_at, clock_timestamp()) as occurred_at
  from unnest($3::int[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::text[], $11::text[],
      $12::int[], $16::bytea[], $17::bytea[], $18::timestamptz[]${values})
    as r (n, presented, collaborator_id, collaborator_user_id, alias_id, user_id, reason, trigger, touches,
      key, request_hash, named_at${columns})
  join gate on true
  left join presented p on p.presented = r.presented
  left join locked on locked.id = p.id
  where locked.id is not null or (p.active is not true and r.trigger is null)
  order by r.n -- The ids are drawn in this order.
), created as (
  insert into opportunities (organization_id, id, user_id, user_since, created_at)
  select $1, opportunity_id, user_id, case when user_id is not null then event_id end, now() from placed where fresh
), listed as (
  select * from unnest($13::int[], $14::bigint[], $15::bigint[]) as t (list, program_id, points)
), known as materialized (
  select p.opportunity_id, p.added, e.existing, e.points
  from (
    select opportunity_id, sum(l.size) as added
    from placed join (select list, count(*) as size from listed group by list) l on l.list = touches
    where not fresh
    group by opportunity_id
  ) p
  cross join lateral (
    select count(*) as existing, sum(score) as points from (
      select score from engagements e
      where e.organization_id = $1 and e.opportunity_id = p.opportunity_id and e.closed_by is null
      order by e.program_id -- the order of engagements_triple, so that no other index is as cheap
      limit ${MAX_ENGAGEMENTS}
    ) e
  ) e
), worn_out as materialized (
  -- The opportunities with too many touches. Each touch adds at least one point, so an opportunity with few points
  -- needs no exact count.
  select k.opportunity_id
  from known k
  where k.points >= ${MAX_TOUCHES} and ${MAX_TOUCHES} <= (
    select count(*) from (
      select from visits v where v.organization_id = $1 and v.opportunity_id = k.opportunity_id limit ${MAX_TOUCHES}
    ) v
  )
), crowded as materialized (
  -- The opportunities that could exceed the limit. All others need no exact count.
  select opportunity_id, existing from known where existing + added > ${MAX_ENGAGEMENTS}
), refused as materialized (
  -- The rows that would create engagements above the limit.
  select distinct n from (
    select n, existing + dense_rank() over (partition by opportunity_id order by first_n, program_id) as nth
    from (
      select p.n, p.opportunity_id, c.existing, t.program_id,
        min(p.n) over (partition by p.opportunity_id, t.program_id, p.collaborator_id) as first_n
      from crowded c
      join placed p on p.opportunity_id = c.opportunity_id and p.self_referral is not true
      join listed t on t.list = p.touches
      where not exists (
        select from engagements e
        where e.organization_id = $1 and e.opportunity_id = p.opportunity_id and e.program_id = t.program_id
          and e.collaborator_id = p.collaborator_id and e.closed_by is null
      )
    ) new_engagement
  ) numbered
  where nth > ${MAX_ENGAGEMENTS}
), ${counting} logged as (
  insert into visits
    (organization_id, id, opportunity_id, collaborator_id, config_version, occurred_at, reported_at, alias_id, user_id,
     reason, trigger, nth_from_address, nth_of_collaborator,
     referrer, denied_by)
  select $1, placed.event_id, opportunity_id, collaborator_id, $2, occurred_at,
    case when named_at is not null then now() end, alias_id, visitor_id,
    case when self_referral then 'self-referral' when n in (select n from refused) then 'too-many-engagements'
      when opportunity_id in (select opportunity_id from worn_out) then 'too-many-touches' else reason end,
    trigger, ${positions}
), keyed as (
  insert into visit_keys (organization_id, key, request_hash, opportunity_id)
  select $1, key, request_hash, opportunity_id from placed
  where key is not null
  order by key -- Two batches with the same keys can't deadlock, because both insert the keys in this order.
), engaged as (
  insert into engagements
    (organization_id, opportunity_id, program_id, collaborator_id, score, first_visit_id, last_visit_id, first_at, last_at,
     reordered)
  select $1, p.opportunity_id, t.program_id, p.collaborator_id, sum(t.points)::bigint,
    min(p.event_id), max(p.event_id), min(p.occurred_at), max(p.occurred_at), count(*) > 1 and count(p.named_at) > 0
  from placed p
  join listed t on t.list = p.touches
  where p.self_referral is not true and p.n not in (select n from refused)
    and p.opportunity_id not in (select opportunity_id from worn_out)
  group by p.opportunity_id, t.program_id, p.collaborator_id
  on conflict (organization_id, opportunity_id, program_id, collaborator_id, closed_by) do update set
    score = engagements.score + excluded.score,
    last_visit_id = greatest(engagements.last_visit_id, excluded.last_visit_id),
    first_at = least(engagements.first_at, excluded.first_at),
    last_at = greatest(engagements.last_at, excluded.last_at),
    reordered = engagements.reordered or excluded.reordered or excluded.first_at < engagements.last_at
)
select n, opportunity_id as "opportunityId", null as key, null as request from placed
union all
select null, opportunity_id, encode(key, 'hex'), encode(request_hash, 'hex') from used`;

/**
 * The statement for visits that are not checked. Only organizations whose fraud settings or lists concern visits have
 * the cost of the checks.
 */
const WRITE_VISITS = {
  name: 'write-visits',
  text: writing({
    columns: '',
    values: '',
    counting: '',
    positions: 'null::integer, null::integer, null::text, null::bigint from placed',
  }),
};

/**
 * The statement for checked visits. Within each hour, a visit has a position among all visits of its collaborator, and
 * a position among the collaborator's visits from the same address. The positions continue the stored counts. Counters
 * are locked in the order of their keys, after the opportunities, so that two batches can't deadlock.
 */
const WRITE_CHECKED_VISITS = {
  name: 'write-checked-visits',
  text: writing({
    columns: ', address, in_all, referrer, denied_by',
    values: ', $19::bytea[], $20::bool[], $21::text[], $22::bigint[]',
    counting: `numbered as (
      select event_id, collaborator_id, address, count(*) over counter as visits,
        row_number() over (counter order by event_id) as nth
      from (
        select event_id, collaborator_id, address from placed where address is not null
        union all
        select event_id, collaborator_id, ''::bytea from placed where in_all
      ) c
      window counter as (partition by collaborator_id, address)
    ), counted as (
      insert into visit_counts (organization_id, collaborator_id, address, hour, visits)
      select $1, collaborator_id, address, date_trunc('hour', now(), 'UTC'), count(*) from numbered
      group by collaborator_id, address order by collaborator_id, address
      on conflict (organization_id, collaborator_id, address, hour)
        do update set visits = visit_counts.visits + excluded.visits
      returning collaborator_id, address, visits
    ), positions as (
      select n.event_id,
        max(c.visits - n.visits + n.nth) filter (where n.address <> ''::bytea) as from_address,
        max(c.visits - n.visits + n.nth) filter (where n.address = ''::bytea) as of_collaborator
      from numbered n join counted c on c.collaborator_id = n.collaborator_id and c.address = n.address
      group by n.event_id
    ),`,
    positions:
      'positions.from_address, positions.of_collaborator, referrer, denied_by ' +
      'from placed left join positions on positions.event_id = placed.event_id',
  }),
};
