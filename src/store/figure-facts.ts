/*
 * What figures are made of, in SQL: one text for the sums that are kept, for what reports read of the rest, and for what
 * verify proves the sums by. $1 is the organization; facts that came from $2 on and before $3.
 *
 * Each row is counted by when it came (`occurred_at` of what was reported, `created_at` of a conversion), and shown under the
 * day of what it tells of. What joins two facts (the refund of a sale, for whoever has earned by it) counts when the later
 * one of them came. So each counts once, however time is cut. Merges of opportunities write none of it.
 */

/** The day of a moment, in UTC. */
function dayOf(time: string): string {
  return `(${time} at time zone 'UTC')::date`;
}

function within(time: string, until = CAME_BEFORE): string {
  return `${time} >= $2::timestamptz and ${time} < ${until}`;
}

const CAME_BEFORE = '$3::timestamptz';

type Span = {
  /** The moment, in SQL, at which the days end that are asked for: what tells of later ones may be left out. */
  readonly daysUntil?: string;
};

type VisitFacts = Span & {
  readonly withPrograms: boolean;
  /** Only those of the opportunities `$4`. */
  readonly ofOpportunities?: true;
};

/**
 * Visits by day, collaborator and alias (0: by none), with the programs that they touched, which is told by the
 * configuration that each saw; without programs where nobody asks for them.
 */
export function visitFacts({ withPrograms, daysUntil, ofOpportunities }: VisitFacts): string {
  const counted = `
    select ${dayOf('occurred_at')} as day, collaborator_id, coalesce(alias_id, 0) as alias_id,
      ${withPrograms ? 'case when reason is null then config_version end' : 'null::bigint'} as config_version,
      count(*) as visits
    from visits
    where organization_id = $1 and id > 0 and ${within('occurred_at', daysUntil)} and trigger is null
      ${ofOpportunities === true ? 'and opportunity_id = any ($4::bigint[])' : ''}
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

/** Whose figures: of all, or of each collaborator, each program, or each collaborator in each program. */
export type Grain = 'all' | 'collaborator' | 'program' | 'both';

type GrainText = { readonly collaborator: boolean; readonly program: boolean; readonly first: string };

/** Which ids a row of the grain has, and which conversion of a transaction opens it. */
const GRAINS: Readonly<Record<Grain, GrainText>> = {
  all: { collaborator: false, program: false, first: 'true' },
  collaborator: { collaborator: true, program: false, first: 'f.is_first_of_collaborator' },
  program: { collaborator: false, program: true, first: 'f.is_first_of_program' },
  both: { collaborator: true, program: true, first: 'f.is_first_of_both' },
};

export const ALL_GRAINS = Object.keys(GRAINS) as Grain[];

type SaleFacts = Span & {
  readonly grains: readonly Grain[];
  /** Whether collaborators' rows tell the alias by which their last touch before the sale came; else it is 0. */
  readonly withLinks: boolean;
};

/** The columns of an amount or a count; whatever a fact doesn't tell is 0. */
const MEASURES = ['sales', 'renewals', 'leads', 'conversions', 'revenue', 'refunded', 'earned'] as const;
type Measures = { readonly [Name in (typeof MEASURES)[number]]?: string };

/**
 * Transactions, refunds, conversions and what was earned, by day, collaborator, program, source, alias and currency;
 * several rows of one key.
 */
export function saleFacts({ grains, withLinks, daysUntil = CAME_BEFORE }: SaleFacts): string {
  const shown = grains.map((grain) => GRAINS[grain]);
  const owned = shown.filter(({ collaborator, program }) => collaborator || program);
  const conversions = (where: string): string => conversionFacts(where, withLinks);
  const parts = [
    ...(grains.includes('all') ? [soldFacts(daysUntil), GIVEN_BACK] : []),
    ...(owned.length > 0 ? ownedFacts(owned, conversions) : []),
    `${row(dayOf('f.created_at'), keyOf('f.earned_in'), { conversions: '1' })} from came f ${grainsOf(shown, 'all')}`,
    earnedFacts(shown, conversions, daysUntil),
  ];
  return `
    with came as materialized (
      ${conversions(`c.id > 0 and ${within('c.created_at')} and least(c.created_at, t.occurred_at) < ${daysUntil}`)}
    ), refunded as materialized (
      select ${dayOf('e.occurred_at')} as day, t.id as transaction_id, t.source, t.currency, ${REFUNDED} as refunded
      from events e join transactions t on t.organization_id = $1 and t.id = e.transaction_id
      where e.organization_id = $1 and e.id > 0 and ${within('e.occurred_at', daysUntil)}
        -- In words that the index of rare events, which is by id, does not understand.
        and e.type || '' = 'RefundTriggered'
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
  revenue: `${of}.total`,
});

const OF_ALL = '0::bigint as collaborator_id, 0::bigint as program_id, t.source, 0::bigint as alias_id, t.currency';

function soldFacts(daysUntil: string): string {
  return `
    ${row(dayOf('t.occurred_at'), OF_ALL, KINDS('t'))}
    from transactions t where t.organization_id = $1 and t.id > 0 and ${within('t.occurred_at', daysUntil)}`;
}

const GIVEN_BACK = `${row('t.day', OF_ALL, { refunded: 't.refunded' })} from refunded t`;

/**
 * What the refund `e` of the transaction `t` gave back: what was named, up to the total; and all that was left, where it is
 * the one by which the transaction was refunded in full, which is the last one it has.
 */
const REFUNDED = `(
  select case when t.status = 'refunded' and not exists (
      select from events n
      where n.organization_id = $1 and n.transaction_id = t.id and n.type = 'RefundTriggered' and n.id > e.id)
    then t.total
    else least(t.total, coalesce(sum(r.amount) filter (where r.event_id <= e.id), 0)) end
    - least(t.total, coalesce(sum(r.amount) filter (where r.event_id < e.id), 0))
  from refunds r where r.organization_id = $1 and r.transaction_id = t.id)`;

/** Conversions with what their transactions say, and for which grains each was the first that its transaction had. */
function conversionFacts(where: string, withLinks: boolean): string {
  return `
    select c.*, ${FIRSTS}, ${withLinks ? LINK : '0::bigint'} as link
    from (
      select c.id, c.collaborator_id, c.program_id, c.currency as earned_in, c.created_at, c.transaction_id, t.type, t.source,
        t.total, t.currency, t.occurred_at, t.refunded_amount, t.event_id, t.opportunity_id, t.renews
      from conversions c join transactions t on t.organization_id = $1 and t.id = c.transaction_id
      where c.organization_id = $1 and ${where}
    ) c
    cross join lateral (
      select bool_or(o.collaborator_id = c.collaborator_id) as of_collaborator, bool_or(o.program_id = c.program_id) as of_program,
        bool_or(o.collaborator_id = c.collaborator_id and o.program_id = c.program_id) as of_both
      from conversions o
      where o.organization_id = $1 and o.transaction_id = c.transaction_id and (o.created_at, o.id) < (c.created_at, c.id)
    ) earlier
    -- Without it the link would be looked up anew for each grain.
    offset 0`;
}

const FIRSTS = ['collaborator', 'program', 'both']
  .map((grain) => `earlier.of_${grain} is not true as is_first_of_${grain}`)
  .join(', ');

/** The alias by which the last touch of the collaborator of `c` came as the sale was reported: of a renewal the one it renews. */
const LINK = `coalesce((
  with recursive sold (opportunity_id, event_id) as (
    select c.opportunity_id, c.event_id where c.renews is null
    union all
    select s.opportunity_id, s.event_id from transactions s where s.organization_id = $1 and s.id = c.renews
  ), member (id) as (
    select opportunity_id from sold
    union all
    select o.id from member m cross join lateral (
      select o.id from opportunities o
      where o.organization_id = $1 and o.merged_into = m.id and o.merged_by < (select event_id from sold) offset 0
    ) o
  )
  select (max(array[v.id, coalesce(v.alias_id, 0)]))[2]
  from member m cross join lateral (
    select v.id, v.alias_id from visits v
    where v.organization_id = $1 and v.opportunity_id = m.id and v.collaborator_id = c.collaborator_id
      and v.id < (select event_id from sold)
    -- Looked up for each member, who are few: the planner expects two hundred, and would read all visits for each conversion.
    offset 0
  ) v), 0)`;

/** A row for each grain of what `f` names: always, or where it was the first of its transaction there. */
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
 * What a transaction is for who has a conversion of it: counted with the first of these that came; and what went back of it,
 * with whichever came later, the refund or that conversion. Refunds are added up before they meet conversions: a sale may
 * have hundreds of both. They meet without a join, which the planner, who expects few refunds, would make of each with each.
 */
function ownedFacts(grains: readonly GrainText[], conversions: (where: string) => string): string[] {
  const first = grainsOf(grains, 'first');
  return [
    `${row(dayOf('f.occurred_at'), keyOf('f.currency'), KINDS('f'))} from came f ${first}`,
    `${row('f.day', keyOf('f.currency'), { refunded: 'f.refunded' })}
     from (
       select f.*, d.day, d.refunded
       from (
         select transaction_id, array_agg(day) as days, array_agg(refunded) as sums
         from (select transaction_id, day, sum(refunded) as refunded from refunded group by 1, 2) r group by 1
       ) r
       cross join lateral (
         ${conversions(`c.transaction_id = r.transaction_id and c.created_at < ${CAME_BEFORE}`)}
       ) f
       cross join lateral unnest(r.days, r.sums) d (day, refunded)
     ) f ${first}`,
    `${row('f.day', keyOf('f.currency'), { refunded: 'f.refunded' })}
     from (
       select f.*, r.day, r.refunded
       from came f
       join (
         select t.id as transaction_id, ${dayOf('e.occurred_at')} as day, sum(${REFUNDED}) as refunded
         from (select distinct transaction_id from came where refunded_amount > 0) f
         join transactions t on t.organization_id = $1 and t.id = f.transaction_id
         join events e on e.organization_id = $1 and e.transaction_id = t.id and e.type = 'RefundTriggered'
           and e.occurred_at < $2::timestamptz
         group by 1, 2
       ) r on r.transaction_id = f.transaction_id
     ) f ${first}`,
  ];
}

/** Entries of the ledger from and to `expense`: what was awarded, less what was taken back. By day before anything is asked of their conversions. */
function earnedFacts(grains: readonly GrainText[], conversions: (where: string) => string, daysUntil: string): string {
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
