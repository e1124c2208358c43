import { countsUntil, microseconds } from '#tracking/store/touch.ts';

/*
 * SQL for the facts that figures count, such as visits and sales. The same SQL is used for the stored sums, for the
 * newer facts that a request for figures reads, and for the check of the sums by `whence verify`. $1 is the organization. Facts
 * recorded from $2 on and before $3 are included. $4 is the organization's time zone.
 *
 * Each fact is selected by its recording time: the time of the report, `created_at` of a conversion, or the time of a
 * ledger entry. A report counts on the day of its event: the reported time or, if there is none, the time of the
 * report. A conversion counts on the day of `created_at`, and earnings on the day of their ledger entry. Some facts are
 * pairs. For example, a collaborator's refunded amount is a pair of a refund and the collaborator's conversion. A pair
 * counts when its later fact was recorded. So each fact counts once, regardless of how time is divided into spans.
 * Merges of opportunities don't change facts.
 */

/** Returns SQL for the day of a moment in the organization's time zone. */
function dayOf(time: string): string {
  return `(${time} at time zone $4::text)::date`;
}

function within(time: string, until = CAME_BEFORE): string {
  return `${time} >= $2::timestamptz and ${time} < ${until}`;
}

const CAME_BEFORE = '$3::timestamptz';

/**
 * Returns an SQL condition for facts reported in the span. If a report states the time of its event, `occurred_at` has
 * that time and `reported_at` the time of the report. Otherwise, `reported_at` is null and `occurred_at` is the time of
 * the report. Each case has its own index. With `daysUntil`, later events are excluded in both cases.
 */
function reportedWithin(of: string, daysUntil: string | undefined): string {
  const isAskedFor = daysUntil === undefined ? '' : ` and ${of}.occurred_at < ${daysUntil}`;
  return `(${of}.reported_at is null and ${within(`${of}.occurred_at`, daysUntil)}
    or ${within(`${of}.reported_at`)}${isAskedFor})`;
}

type Span = {
  /** An SQL expression for the end of the requested days. Facts about later days can be omitted. */
  readonly daysUntil?: string;
};

type VisitFacts = Span & {
  readonly withPrograms: boolean;
  /** Whether to include only the opportunities in `$5`. */
  readonly ofOpportunities?: true;
};

/**
 * Returns SQL for the visits by day, collaborator and alias (0 without an alias), with the programs for which they
 * count. The programs depend on the configuration at each visit. Without `withPrograms`, the list of programs is empty.
 */
export function visitFacts({ withPrograms, daysUntil, ofOpportunities }: VisitFacts): string {
  const counted = `
    select ${dayOf('occurred_at')} as day, collaborator_id, coalesce(alias_id, 0) as alias_id,
      ${withPrograms ? 'case when reason is null then config_version end' : 'null::bigint'} as config_version,
      count(*) as visits
    from visits v
    where organization_id = $1 and id > 0 and ${reportedWithin('v', daysUntil)} and trigger is null
      ${ofOpportunities === true ? 'and opportunity_id = any ($5::bigint[])' : ''}
    group by 1, 2, 3, 4`;
  if (!withPrograms)
    return `select day, collaborator_id, alias_id, '{}'::bigint[] as program_ids, visits from (${counted}) c`;
  return `
    with counted as materialized (${counted}),
    listening as materialized (
      select x.config_version, p.id as program_id, v.enrollment
      from (select distinct config_version from counted where config_version is not null) x
      join programs p on p.organization_id = $1
      cross join lateral (
        select v.status, v.triggers, v.enrollment from program_versions v
        where v.organization_id = $1 and v.program_id = p.id and v.config_version <= x.config_version
        order by v.config_version desc limit 1
      ) v
      where v.status = 'active' and v.triggers ? 'site-visit'
    ), touched as materialized (
      select k.collaborator_id, k.config_version, array(
        select l.program_id from listening l
        where l.config_version = k.config_version and (l.enrollment = 'everyone' or exists (
          select from enrollments e
          where e.organization_id = $1 and e.program_id = l.program_id and e.collaborator_id = k.collaborator_id
            and e.from_version <= k.config_version and (e.until_version is null or e.until_version > k.config_version)))
        order by l.program_id) as program_ids
      from (select distinct collaborator_id, config_version from counted where config_version is not null) k
    )
    select day, c.collaborator_id, alias_id, coalesce(t.program_ids, '{}') as program_ids, sum(visits)::bigint as visits
    from counted c
    left join touched t on t.collaborator_id = c.collaborator_id and t.config_version = c.config_version
    group by 1, 2, 3, 4`;
}

/** The groupings of figures by owner: all together, by collaborator, by program, or by both. */
export type Grain = 'all' | 'collaborator' | 'program' | 'both';

type GrainText = { readonly collaborator: boolean; readonly program: boolean; readonly first: string };

/**
 * For each grain, whether its rows have the id of a collaborator and of a program, and the SQL condition for the first
 * conversion of a transaction.
 */
const GRAINS: Readonly<Record<Grain, GrainText>> = {
  all: { collaborator: false, program: false, first: 'true' },
  collaborator: { collaborator: true, program: false, first: 'f.is_first_of_collaborator' },
  program: { collaborator: false, program: true, first: 'f.is_first_of_program' },
  both: { collaborator: true, program: true, first: 'f.is_first_of_both' },
};

export const ALL_GRAINS = Object.keys(GRAINS) as Grain[];

type SaleFacts = Span & {
  readonly grains: readonly Grain[];
  /**
   * Whether the rows of collaborators contain the alias of the collaborator's last touch before the sale. If not, the
   * alias is 0.
   */
  readonly withLinks: boolean;
};

/** The columns of amounts and counts. Columns that don't apply to a fact are 0. */
const MEASURES = ['sales', 'renewals', 'leads', 'conversions', 'revenue', 'refunded', 'earned'] as const;
type Measures = { readonly [Name in (typeof MEASURES)[number]]?: string };

/**
 * Returns SQL for rows of transactions, refunds, corrections, conversions and earnings. The key of a row is its day,
 * collaborator, program, source, alias and currency. Several rows can have the same key.
 */
export function saleFacts({ grains, withLinks, daysUntil }: SaleFacts): string {
  const shown = grains.map((grain) => GRAINS[grain]);
  const owned = shown.filter(({ collaborator, program }) => collaborator || program);
  const conversions = (where: string): string => conversionFacts(where, withLinks);
  const parts = [
    ...(grains.includes('all') ? [soldFacts(daysUntil), REFUND_FACTS] : []),
    ...(owned.length > 0 ? ownedFacts(owned, conversions) : []),
    `${row(dayOf('f.created_at'), keyOf('f.earned_in'), { conversions: '1' })} from came f ${grainsOf(shown, 'all')}`,
    earnedFacts(shown, conversions, daysUntil),
  ];
  return `
    with came as materialized (
      ${conversions(`c.id > 0 and ${within('c.created_at')} ${daysUntil === undefined ? '' : `and least(c.created_at, t.occurred_at) < ${daysUntil}`}`)}
    ), refunded as materialized (
      select ${dayOf('e.occurred_at')} as day, t.id as transaction_id, t.source, t.currency, e.refunded,
        coalesce(e.corrected, 0) as corrected
      from events e join transactions t on t.organization_id = $1 and t.id = e.transaction_id
      where e.organization_id = $1 and e.id > 0 and ${reportedWithin('e', daysUntil)}
        -- Don't compare the type, because the planner could then use events_after_report, which isn't sorted by time.
        and e.refunded is not null
    )
    ${parts.join(' union all ')}`;
}

function row(day: string, key: string, measures: Measures): string {
  const columns = MEASURES.map((name) => `(${measures[name] ?? '0'})::numeric as ${name}`);
  return `select ${day} as day, ${key}, ${columns.join(', ')}`;
}

const KINDS = (of: string): Measures => ({
  sales: `case ${of}.type when 'sale' then 1 else 0 end`,
  renewals: `case ${of}.type when 'renewal' then 1 else 0 end`,
  leads: `case ${of}.type when 'lead' then 1 else 0 end`,
  revenue: `coalesce(${of}.reported_total, ${of}.total)`,
});

const OF_ALL = '0::bigint as collaborator_id, 0::bigint as program_id, t.source, 0::bigint as alias_id, t.currency';

function soldFacts(daysUntil: string | undefined): string {
  return `
    ${row(dayOf('t.occurred_at'), OF_ALL, KINDS('t'))}
    from transactions t where t.organization_id = $1 and t.id > 0 and ${reportedWithin('t', daysUntil)}`;
}

const REFUND_FACTS = `${row('t.day', OF_ALL, { refunded: 't.refunded', revenue: 't.corrected' })} from refunded t`;

/**
 * Returns SQL for conversions with the data of their transactions. Each row also shows whether the conversion is the
 * first of its transaction for its collaborator, for its program, and for both.
 */
function conversionFacts(where: string, withLinks: boolean): string {
  return `
    select c.*, ${FIRSTS}, ${withLinks ? LINK : '0::bigint'} as link
    from (
      select c.id, c.collaborator_id, c.program_id, c.currency as earned_in, c.created_at, c.transaction_id, t.type, t.source,
        t.total, t.reported_total, t.corrections, t.currency, t.occurred_at, t.reported_at, t.refunded_amount, t.event_id, t.opportunity_id, t.renews
      from conversions c join transactions t on t.organization_id = $1 and t.id = c.transaction_id
      where c.organization_id = $1 and ${where}
    ) c
    cross join lateral (
      select bool_or(o.collaborator_id = c.collaborator_id) as of_collaborator, bool_or(o.program_id = c.program_id) as of_program,
        bool_or(o.collaborator_id = c.collaborator_id and o.program_id = c.program_id) as of_both
      from conversions o
      where o.organization_id = $1 and o.transaction_id = c.transaction_id and (o.created_at, o.id) < (c.created_at, c.id)
    ) earlier
    -- Without this offset, the link would be looked up again for each grain.
    offset 0`;
}

const FIRSTS = ['collaborator', 'program', 'both']
  .map((grain) => `earlier.of_${grain} is not true as is_first_of_${grain}`)
  .join(', ');

/**
 * SQL for the alias of the last touch before the sale by the collaborator of the conversion `c`, or 0 without an alias.
 * For a renewal, the renewed sale is used.
 */
const LINK = `coalesce((
  with recursive sold (opportunity_id, event_id, counts_until) as (
    select c.opportunity_id, c.event_id, ${countsUntil('c')} where c.renews is null
    union all
    select s.opportunity_id, s.event_id, ${countsUntil('s')} from transactions s where s.organization_id = $1 and s.id = c.renews
  ), member (id) as (
    select opportunity_id from sold
    union all
    select o.id from member m cross join lateral (
      select o.id from opportunities o
      where o.organization_id = $1 and o.merged_into = m.id and o.merged_by < (select event_id from sold) offset 0
    ) o
  )
  select (max(array[${microseconds('v.occurred_at')}, v.id, coalesce(v.alias_id, 0)]))[3]
  from member m cross join lateral (
    select v.id, v.alias_id, v.occurred_at from visits v
    where v.organization_id = $1 and v.opportunity_id = m.id and v.collaborator_id = c.collaborator_id
      and v.id < (select event_id from sold) and v.occurred_at <= (select counts_until from sold)
    -- This offset forces a lookup for each of the few members. The planner expects two hundred members, and would read
    -- all visits for each conversion.
    offset 0
  ) v), 0)`;

/**
 * Returns SQL that converts each row of `f` into one row per grain. If `which` is `first`, only an owner's first
 * conversion of a transaction has a row.
 */
function grainsOf(grains: readonly GrainText[], which: 'all' | 'first'): string {
  const rows = grains.map(({ collaborator, program, first }) =>
    [
      collaborator ? 'f.collaborator_id' : '0::bigint',
      program ? 'f.program_id' : '0::bigint',
      collaborator ? 'f.link' : '0::bigint',
      which === 'first' ? first : 'true',
    ].join(', '),
  );
  const values = rows.map((columns) => `(${columns})`).join(', ');
  return `cross join lateral (values ${values}) g (collaborator_id, program_id, alias_id, counts) where g.counts`;
}

function keyOf(currency: string): string {
  return `g.collaborator_id, g.program_id, f.source, g.alias_id, ${currency} as currency`;
}

/**
 * Returns SQL for transactions, refunds and corrections, counted for each owner of a conversion of the transaction. A
 * transaction is counted with the owner's first conversion. A refund or correction is counted when it or that
 * conversion was recorded, whichever is later.
 *
 * Refunds are summed before they are combined with conversions, because a sale can have hundreds of both. The refunds
 * of the span are combined with conversions in a lateral query. The planner expects few refunds, so it would compare
 * every pair in a join.
 */
function ownedFacts(grains: readonly GrainText[], conversions: (where: string) => string): string[] {
  const first = grainsOf(grains, 'first');
  return [
    `${row(dayOf('f.occurred_at'), keyOf('f.currency'), KINDS('f'))} from came f ${first}`,
    `${row('f.day', keyOf('f.currency'), { refunded: 'f.refunded', revenue: 'f.corrected' })}
     from (
       select f.*, d.day, d.refunded, d.corrected
       from (
         select transaction_id, array_agg(day) as days, array_agg(refunded) as sums, array_agg(corrected) as corrections
         from (
           select transaction_id, day, sum(refunded) as refunded, sum(corrected) as corrected from refunded group by 1, 2
         ) r group by 1
       ) r
       cross join lateral (
         ${conversions(`c.transaction_id = r.transaction_id and c.created_at < ${CAME_BEFORE}`)}
       ) f
       cross join lateral unnest(r.days, r.sums, r.corrections) d (day, refunded, corrected)
     ) f ${first}`,
    `${row('f.day', keyOf('f.currency'), { refunded: 'f.refunded', revenue: 'f.corrected' })}
     from (
       select f.*, r.day, r.refunded, r.corrected
       from came f
       join (
         select t.id as transaction_id, ${dayOf('e.occurred_at')} as day, sum(e.refunded) as refunded,
           sum(coalesce(e.corrected, 0)) as corrected
         from (
           select distinct transaction_id from came
           where refunded_amount > 0 or corrections > 0 or transaction_id in (
             select r.transaction_id from refunds r where r.organization_id = $1 and r.reversed_by is not null)
         ) f
         join transactions t on t.organization_id = $1 and t.id = f.transaction_id
         join events e on e.organization_id = $1 and e.transaction_id = t.id
           and e.type in ('RefundTriggered', 'RefundReversed', 'SaleCorrected') and coalesce(e.reported_at, e.occurred_at) < $2::timestamptz
         group by 1, 2
       ) r on r.transaction_id = f.transaction_id
     ) f ${first}`,
  ];
}

/**
 * Returns SQL for ledger entries from and to `expense`: awarded amounts minus reversed amounts. The ledger entries are
 * summed by day before their conversions are looked up.
 */
function earnedFacts(grains: readonly GrainText[], conversions: (where: string) => string, daysUntil?: string): string {
  return `
    ${row('f.day', keyOf('f.entered_in'), { earned: 'f.earned' })}
    from (
      select f.*, n.day, n.entered_in, n.earned
      from (
        select o.conversion_id, ${dayOf('n.occurred_at')} as day, n.currency as entered_in,
          sum(case n.debit when 'expense' then n.amount else -n.amount end) as earned
        from ledger_entries n
        cross join lateral (
          select o.conversion_id from obligations o where o.organization_id = $1 and o.id = n.obligation_id offset 0
        ) o
        where n.organization_id = $1 and n.id > 0 and ${within('n.occurred_at', daysUntil)} and 'expense' in (n.debit, n.credit)
        group by 1, 2, 3
      ) n
      cross join lateral (${conversions('c.id = n.conversion_id')}) f
    ) f ${grainsOf(grains, 'all')}`;
}
