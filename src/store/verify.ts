import type { Database } from './database.ts';
import { TOUCH } from './touch.ts';

/** A rule that always holds, and the query that finds what breaks it: no row, or one row of text for each breach. */
type Invariant = { readonly name: string; readonly query: string };

export type Breach = { readonly invariant: string; readonly detail: string };

/** Rows shown of one broken invariant; the rest is as wrong. */
const MAX_BREACHES = 20;

/**
 * Checks every invariant on one consistent snapshot, read-only, and answers what breaks them. Without an organization
 * id in the text a row could not be found again, so each names its organization first.
 */
export async function verify(database: Database): Promise<{ checked: number; breaches: Breach[] }> {
  const connection = await database.connect();
  try {
    await connection.query('begin isolation level repeatable read read only');
    const breaches: Breach[] = [];
    for (const { name, query } of INVARIANTS) {
      const { rows } = await connection.query<{ detail: string }>(`${query} limit ${MAX_BREACHES}`);
      breaches.push(...rows.map(({ detail }) => ({ invariant: name, detail })));
    }
    return { checked: INVARIANTS.length, breaches };
  } finally {
    await connection.query('rollback').catch(() => {});
    connection.release();
  }
}

const INVARIANTS: readonly Invariant[] = [
  {
    name: 'one transaction per organization, source and externalId',
    query: `
      select format('organization %s: %s transactions of %s / %s', organization_id, count(*), source, external_id) as detail
      from transactions group by organization_id, source, external_id having count(*) > 1`,
  },
  {
    name: 'every transaction has its lines',
    query: `
      select format('organization %s: transaction %s has no line', t.organization_id, t.id) as detail
      from transactions t
      where not exists (
        select from transaction_lines l where l.organization_id = t.organization_id and l.transaction_id = t.id)`,
  },
  {
    name: 'one SaleTriggered for every transaction, and a RefundTriggered exactly for those that are refunded',
    query: `
      select format('organization %s: transaction %s (%s) has %s sale and %s refund events',
        t.organization_id, t.id, t.status, count(*) filter (where e.type = 'SaleTriggered'),
        count(*) filter (where e.type = 'RefundTriggered')) as detail
      from transactions t
      left join events e on e.organization_id = t.organization_id and e.transaction_id = t.id
      group by t.organization_id, t.id, t.status
      having count(*) filter (where e.type = 'SaleTriggered') <> 1
        or count(*) filter (where e.type = 'RefundTriggered') <> case t.status when 'refunded' then 1 else 0 end`,
  },
  {
    name: 'a refunded transaction has given all of its total back, any other less',
    query: `
      select format('organization %s: transaction %s (%s) has %s of %s refunded',
        organization_id, id, status, refunded_amount, total) as detail
      from transactions
      where (status = 'refunded') <> (refunded_at is not null) or (status = 'refunded' and refunded_amount <> total)`,
  },
  {
    name: 'every event is decided, or waits, or is parked with its error',
    query: `
      select format('organization %s: event %s (%s of transaction %s) is neither decided nor waiting',
        e.organization_id, e.id, e.type, e.transaction_id) as detail
      from events e
      left join jobs j on j.organization_id = e.organization_id and j.event_id = e.id
      left join explanations x on x.organization_id = e.organization_id and x.event_id = e.id
      where (e.type = 'SaleTriggered' and j.event_id is null and x.transaction_id is null)
        or (j.parked_at is not null and j.error is null)`,
  },
  {
    name: 'what a program awards for a transaction is what the explanation says',
    query: `
      with said as (
        select x.organization_id, x.transaction_id, (c ->> 'programId')::bigint as program_id,
          sum((c ->> 'share')::bigint) as shares, max((c ->> 'reward')::bigint) as reward
        from explanations x cross join jsonb_array_elements(x.candidates) c
        where c ? 'share' and x.omitted = 0
        group by 1, 2, 3
      ), awarded as (
        select c.organization_id, c.transaction_id, c.program_id, sum(c.awarded) as shares
        from conversions c
        join explanations x on x.organization_id = c.organization_id and x.transaction_id = c.transaction_id
        where c.type = 'sale' and x.omitted = 0 group by 1, 2, 3
      )
      select format('organization %s: transaction %s, program %s: explained %s of a reward of %s, awarded %s',
        organization_id, transaction_id, program_id, s.shares, s.reward, a.shares) as detail
      from said s full join awarded a using (organization_id, transaction_id, program_id)
      where coalesce(s.shares, 0) <> coalesce(a.shares, 0) or s.shares <> s.reward`,
  },
  {
    name: 'the obligations of a conversion add up to what it is worth, in the state that it gives them',
    query: `
      select format('organization %s: conversion %s (%s, worth %s) has %s owed as %s', c.organization_id, c.id, c.status,
        c.amount, coalesce(sum(o.amount) filter (where o.status <> 'rejected'), 0), string_agg(o.status, ', ')) as detail
      from conversions c
      left join obligations o on o.organization_id = c.organization_id and o.conversion_id = c.id
      group by c.organization_id, c.id, c.status, c.amount
      having count(o.id) = 0
        or coalesce(sum(o.amount) filter (where o.status <> 'rejected'), 0)
          <> case c.status when 'rejected' then 0 else c.amount end
        or bool_or(o.status = 'draft') and c.status <> 'pending'
        or bool_or(o.status = 'pending') and c.status <> 'approved'`,
  },
  {
    name: 'an obligation is of the collaborator and the currency of its conversion',
    query: `
      select format('organization %s: obligation %s differs from conversion %s', o.organization_id, o.id, c.id) as detail
      from obligations o
      join conversions c on c.organization_id = o.organization_id and c.id = o.conversion_id
      where o.collaborator_id <> c.collaborator_id or o.currency <> c.currency`,
  },
  {
    name: 'a conversion is of the program and the collaborator of its engagement',
    query: `
      select format('organization %s: conversion %s differs from engagement %s', c.organization_id, c.id, g.id) as detail
      from conversions c
      join engagements g on g.organization_id = c.organization_id and g.id = c.engagement_id
      where c.program_id <> g.program_id or c.collaborator_id <> g.collaborator_id`,
  },
  {
    name: 'a job and an explanation are of the event and the transaction that belong together',
    query: `
      select format('organization %s: event %s is not of transaction %s', w.organization_id, w.event_id, w.transaction_id) as detail
      from (
        select organization_id, event_id, transaction_id from jobs
        union all
        select organization_id, event_id, transaction_id from explanations
      ) w
      join events e on e.organization_id = w.organization_id and e.id = w.event_id
      where e.transaction_id <> w.transaction_id`,
  },
  {
    name: 'nothing of a refunded transaction is or becomes payable once its refund is through',
    query: `
      select format('organization %s: transaction %s is refunded, conversion %s is %s, its obligation %s',
        t.organization_id, t.id, c.id, c.status, o.status) as detail
      from transactions t
      join conversions c on c.organization_id = t.organization_id and c.transaction_id = t.id
      join obligations o on o.organization_id = c.organization_id and o.conversion_id = c.id
      where t.status = 'refunded'
        and not exists (
          select from jobs j
          where j.organization_id = t.organization_id and j.transaction_id = t.id and j.parked_at is null)
        and (c.status <> 'rejected' or o.status in ('draft', 'pending'))`,
  },
  {
    name: 'an engagement is the sum of its visits',
    query: `
      with counted as (
        select g.organization_id, g.id, g.score, g.first_visit_id, g.last_visit_id,
          coalesce(sum(touch.points), 0) as points,
          min(v.id) filter (where touch.points is not null) as first,
          max(v.id) filter (where touch.points is not null) as last
        from engagements g
        left join visits v on v.organization_id = g.organization_id and v.opportunity_id = g.opportunity_id
          and v.collaborator_id = g.collaborator_id and v.id between g.first_visit_id and g.last_visit_id
          and v.reason is null and not exists (
            select from engagements x
            where x.organization_id = g.organization_id and x.opportunity_id = g.opportunity_id
              and x.program_id = g.program_id and x.collaborator_id = g.collaborator_id and x.status = 'complete'
              and x.id <> g.id and v.id between x.first_visit_id and x.last_visit_id)
        left join ${TOUCH} on true
        where g.status <> 'invalid'
        group by g.organization_id, g.id
      )
      select format('organization %s: engagement %s has score %s from visits %s to %s; its visits make %s from %s to %s',
        organization_id, id, score, first_visit_id, last_visit_id, points, first, last) as detail
      from counted where score <> points or first <> first_visit_id or last <> last_visit_id`,
  },
  {
    name: 'a merged opportunity leads to one of its own organization',
    query: `
      select format('organization %s: opportunity %s is merged into %s, which is not there', o.organization_id, o.id,
        o.merged_into) as detail
      from opportunities o
      left join opportunities s on s.organization_id = o.organization_id and s.id = o.merged_into
      where o.merged_into is not null and s.id is null`,
  },
  // The hot tables have no foreign keys (docs/decisions/0007): what those would say is proved here.
  orphans('visits', 'opportunity_id', 'opportunities', 'id'),
  orphans('visits', 'collaborator_id', 'collaborators', 'id'),
  orphans('engagements', 'opportunity_id', 'opportunities', 'id'),
  orphans('engagements', 'program_id', 'programs', 'id'),
  orphans('engagements', 'collaborator_id', 'collaborators', 'id'),
  orphans('transaction_lines', 'transaction_id', 'transactions', 'id'),
  orphans('events', 'transaction_id', 'transactions', 'id'),
  orphans('transactions', 'event_id', 'events', 'id'),
  orphans('jobs', 'event_id', 'events', 'id'),
  orphans('conversions', 'engagement_id', 'engagements', 'id'),
  orphans('transactions', 'opportunity_id', 'opportunities', 'id', `child.opportunity_state <> 'removed'`),
];

function orphans(child: string, column: string, parent: string, key: string, where = 'true'): Invariant {
  return {
    name: `every row of ${child} has its row of ${parent} in the same organization`,
    query: `
      select format('organization %s: ${child} names %s %s, which is not there', child.organization_id,
        '${column}', child.${column}) as detail
      from ${child} child
      left join ${parent} parent on parent.organization_id = child.organization_id and parent.${key} = child.${column}
      where parent.${key} is null and ${where}`,
  };
}
