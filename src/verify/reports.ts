import { type Invariant, organizationFilter } from './invariant.ts';

/** Invariants of reports: transactions, their lines, their events and their refunds. */
export const REPORTS: readonly Invariant[] = [
  {
    name: 'each organization, source and externalId has one transaction',
    query: `
      select format('organization %s: %s transactions of %s / %s', organization_id, count(*), source, external_id) as detail
      from transactions t where ${organizationFilter('t')} group by organization_id, source, external_id having count(*) > 1`,
  },
  {
    name: 'a lead has no lines and a total of 0, and every other transaction has lines',
    query: `
      select format('organization %s: transaction %s (%s) of %s %s has %s lines', t.organization_id, t.id, t.type, t.total,
        t.currency, l.number) as detail
      from transactions t
      cross join lateral (
        select count(*) as number from transaction_lines l
        where l.organization_id = t.organization_id and l.transaction_id = t.id
      ) l
      where ${organizationFilter('t')} and case t.type when 'lead' then l.number > 0 or t.total <> 0 or t.currency <> 'XXX'
        else l.number = 0 end`,
  },
  {
    name: 'every transaction has one report of its type',
    query: `
      select format('organization %s: transaction %s (%s) was reported by event %s, %s', t.organization_id, t.id, t.type,
        t.event_id, coalesce(string_agg(e.id || ' ' || e.type, ', '), 'which does not exist')) as detail
      from transactions t
      left join events e on e.organization_id = t.organization_id and e.transaction_id = t.id
        and e.type in ('SaleTriggered', 'LeadTriggered', 'RenewalTriggered')
      where ${organizationFilter('t')}
      group by t.organization_id, t.id
      having count(e.id) <> 1 or max(e.id) <> t.event_id or max(e.type) <> case t.type
        when 'sale' then 'SaleTriggered' when 'lead' then 'LeadTriggered' else 'RenewalTriggered' end`,
  },
  {
    name: 'a transaction is marked as refunded exactly while nothing of it is left, and has at most one full refund',
    query: `
      select format('organization %s: transaction %s (%s) has %s full and %s partial refunds', t.organization_id, t.id,
        t.status, count(*) filter (where e.kind = 'full'), count(*) filter (where e.kind <> 'full')) as detail
      from transactions t
      left join (
        select e.organization_id, e.transaction_id, e.id, coalesce(r.kind, 'full') as kind, false as found_nothing
        from events e
        left join refunds r on r.organization_id = e.organization_id and r.event_id = e.id
        where e.type = 'RefundTriggered' and r.reversed_by is null
        union all
        select organization_id, transaction_id, event_id, kind, true from refunds
        where without_event and reversed_by is null
      ) e on e.organization_id = t.organization_id and e.transaction_id = t.id
      where ${organizationFilter('t')}
      group by t.organization_id, t.id
      having count(*) filter (where e.kind = 'full' and not e.found_nothing) > 1
        or t.status = 'refunded' and count(e.id) = 0
        or t.status <> 'refunded' and count(*) filter (where e.kind = 'full') > 0
        or (t.status = 'refunded') <> (t.refunded_at is not null)`,
  },
  {
    name: 'the refunded amount of a transaction is the sum of its refunds, or its total if it is refunded in full',
    query: `
      select format('organization %s: transaction %s (%s) has %s of %s refunded, its refunds say %s', t.organization_id,
        t.id, t.status, t.refunded_amount, t.total, coalesce(sum(r.amount), 0)) as detail
      from transactions t
      left join refunds r on r.organization_id = t.organization_id and r.transaction_id = t.id and r.reversed_by is null
      where ${organizationFilter('t')} and t.corrections = 0 and not exists (
        -- The recorded amount of returned pieces depends on earlier refunds and the lines, so it can't be checked after
        -- a reversal or a correction.
        select from refunds v
        where v.organization_id = t.organization_id and v.transaction_id = t.id and v.reversed_by is not null
      )
      group by t.organization_id, t.id
      having case t.status when 'refunded' then t.refunded_amount <> t.total
        else t.refunded_amount <> greatest(0, least(t.total, coalesce(sum(r.amount), 0)))
          or t.total > 0 and t.refunded_amount = t.total end`,
  },
  {
    name: 'the refunded amount of a transaction is the sum of the changes by its refunds, reversals and corrections',
    query: `
      select format('organization %s: transaction %s has %s refunded, its events say %s', t.organization_id, t.id,
        t.refunded_amount, coalesce(sum(e.refunded), 0)) as detail
      from transactions t
      left join events e on e.organization_id = t.organization_id and e.transaction_id = t.id and e.refunded is not null
      where ${organizationFilter('t')}
      group by t.organization_id, t.id having t.refunded_amount <> coalesce(sum(e.refunded), 0)`,
  },
  {
    name: 'a transaction has the total of its last correction, and the corrections add up from the reported total',
    query: `
      select format('organization %s: transaction %s of %s (reported: %s) has %s corrections, the last of %s, which add up to %s',
        t.organization_id, t.id, t.total, t.reported_total, count(c.event_id), (array_agg(c.total order by c.event_id desc))[1],
        sum(e.corrected)) as detail
      from transactions t
      left join sale_corrections c on c.organization_id = t.organization_id and c.transaction_id = t.id
      left join events e on e.organization_id = c.organization_id and e.id = c.event_id and e.type = 'SaleCorrected'
        and e.transaction_id = t.id
      where ${organizationFilter('t')}
      group by t.organization_id, t.id
      having count(c.event_id) <> t.corrections or count(e.id) <> t.corrections
        or t.corrections > 0 and (t.total <> (array_agg(c.total order by c.event_id desc))[1]
          or t.total <> t.reported_total + sum(e.corrected))`,
  },
  {
    name: 'each reversal refers to one earlier refund of its transaction',
    query: `
      select format('organization %s: event %s of transaction %s reverses %s refunds', e.organization_id, e.id,
        e.transaction_id, count(r.event_id)) as detail
      from events e
      left join refunds r on r.organization_id = e.organization_id and r.reversed_by = e.id
        and r.transaction_id = e.transaction_id and r.event_id < e.id
      where ${organizationFilter('e')} and e.type = 'RefundReversed'
      group by e.organization_id, e.id, e.transaction_id having count(r.event_id) <> 1
      union all
      select format('organization %s: refund %s of transaction %s is reversed by event %s, %s', r.organization_id,
        r.refund_id, r.transaction_id, r.reversed_by, coalesce(e.type, 'none'))
      from refunds r
      left join events e on e.organization_id = r.organization_id and e.id = r.reversed_by
      where ${organizationFilter('r')} and r.reversed_by is not null and e.type is distinct from 'RefundReversed'`,
  },
  {
    name: 'each refundId of a transaction has one RefundTriggered event, or none if nothing was left',
    query: `
      select format('organization %s: refund %s of transaction %s is event %s, %s of transaction %s', r.organization_id,
        r.refund_id, r.transaction_id, r.event_id, coalesce(e.type, 'none'), e.transaction_id) as detail
      from refunds r
      left join events e on e.organization_id = r.organization_id and e.id = r.event_id
      where ${organizationFilter('r')}
        and case when r.without_event then e.id is not null
          else e.type is distinct from 'RefundTriggered' or e.transaction_id is distinct from r.transaction_id end
      union all
      select format('organization %s: refund %s of transaction %s was recorded %s times', organization_id, refund_id,
        transaction_id, count(*))
      from refunds r where ${organizationFilter('r')}
      group by organization_id, transaction_id, refund_id having count(*) > 1`,
  },
  {
    name: 'a refund of items refers to lines of its transaction, and never to more pieces than were sold',
    query: `
      select format('organization %s: %s of line %s of transaction %s were refunded, %s were sold', r.organization_id,
        sum(x.quantity), x.position, r.transaction_id, coalesce(max(l.quantity), 0)) as detail
      from refund_lines x
      join refunds r on r.organization_id = x.organization_id and r.event_id = x.event_id and r.reversed_by is null
      left join transaction_lines l on l.organization_id = r.organization_id and l.transaction_id = r.transaction_id
        and l.position = x.position
      where ${organizationFilter('x')}
      group by r.organization_id, r.transaction_id, x.position
      having sum(x.quantity) > coalesce(max(l.quantity), 0) or bool_or(r.kind <> 'items')`,
  },
  {
    name: 'renewals refer to a sale and are numbered 1, 2, 3, …',
    query: `
      select format('organization %s: renewals %s of transaction %s (%s)', r.organization_id,
        array_agg(r.renewal_number order by r.renewal_number), r.renews, coalesce(s.type, 'which does not exist')) as detail
      from transactions r
      left join transactions s on s.organization_id = r.organization_id and s.id = r.renews
      where ${organizationFilter('r')} and r.renews is not null
      group by r.organization_id, r.renews, s.type
      having s.type is distinct from 'sale' or count(distinct r.renewal_number) <> count(*)
        or max(r.renewal_number) <> count(*)`,
  },
];
