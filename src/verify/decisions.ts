import { WHOLE_CURRENCIES } from '#core/currency.ts';
import { type Invariant, organizationFilter } from './invariant.ts';

/** Invariants of decisions: explanations, conversions, and the awards counted for caps and tiers. */
export const DECISIONS: readonly Invariant[] = [
  {
    name: 'every event is decided, waiting, or dead-lettered with an error',
    query: `
      select format('organization %s: event %s (%s of transaction %s) is neither decided nor waiting',
        e.organization_id, e.id, e.type, e.transaction_id) as detail
      from events e
      left join jobs j on j.organization_id = e.organization_id and j.event_id = e.id
      left join explanations x on x.organization_id = e.organization_id and x.transaction_id = e.transaction_id
        and x.event_id = e.id
      where ${organizationFilter('e')} and (
        e.type in ('SaleTriggered', 'LeadTriggered', 'RenewalTriggered')
          and j.event_id is null and x.transaction_id is null
        or j.dead_lettered_at is not null and j.error is null)`,
  },
  {
    name: 'a job and an explanation refer to an event and to the transaction of that event',
    query: `
      select format('organization %s: event %s is not of transaction %s', w.organization_id, w.event_id, w.transaction_id) as detail
      from (
        select organization_id, event_id, transaction_id from jobs j where ${organizationFilter('j')}
        union all
        select organization_id, event_id, transaction_id from explanations x where ${organizationFilter('x')}
      ) w
      join events e on e.organization_id = w.organization_id and e.id = w.event_id
      where e.transaction_id <> w.transaction_id`,
  },
  {
    // An amount above a cap is part of the reward, but was not awarded.
    name: 'the awards of a program for a transaction match the explanation',
    query: `
      with said as (
        select x.organization_id, x.transaction_id, (c ->> 'programId')::bigint as program_id,
          coalesce(sum((c ->> 'share')::bigint), 0) as shares, coalesce(sum((c ->> 'cut')::bigint), 0) as cut,
          min((c ->> 'reward')::bigint) as least, max((c ->> 'reward')::bigint) as reward
        from explanations x cross join jsonb_array_elements(x.candidates) c
        where ${organizationFilter('x')} and c ? 'reward' and x.omitted = 0
        group by 1, 2, 3
      ), awarded as (
        select c.organization_id, c.transaction_id, c.program_id, sum(c.awarded) as shares
        from conversions c
        join explanations x on x.organization_id = c.organization_id and x.transaction_id = c.transaction_id
        where ${organizationFilter('c')} and c.type <> 'manual' and x.omitted = 0 group by 1, 2, 3
      )
      select format('organization %s: transaction %s, program %s: explained %s and %s cut of a reward of %s, awarded %s',
        organization_id, transaction_id, program_id, s.shares, s.cut, s.reward, a.shares) as detail
      from said s full join awarded a using (organization_id, transaction_id, program_id)
      where coalesce(s.shares, 0) <> coalesce(a.shares, 0) or s.shares + s.cut <> s.reward or s.least <> s.reward`,
  },
  {
    name: 'each collaborator was awarded their share, in the currency of the explanation',
    query: `
      with won as (
        select x.organization_id, x.transaction_id, (c ->> 'programId')::bigint as program_id,
          (c ->> 'collaboratorId')::bigint as collaborator_id, (c ->> 'share')::bigint as share,
          coalesce(c ->> 'currency', x.currency) as currency
        from explanations x cross join jsonb_array_elements(x.candidates) c
        where ${organizationFilter('x')} and x.omitted = 0 and c ->> 'outcome' = 'won'
      ), awarded as (
        select c.organization_id, c.transaction_id, c.program_id, c.collaborator_id, c.awarded, c.currency
        from conversions c
        join explanations x on x.organization_id = c.organization_id and x.transaction_id = c.transaction_id
        where ${organizationFilter('c')} and c.type <> 'manual' and x.omitted = 0
      )
      select format('organization %s: transaction %s, program %s, collaborator %s: explained %s %s, awarded %s %s',
        organization_id, transaction_id, program_id, collaborator_id, w.share, w.currency, a.awarded, a.currency) as detail
      from won w full join awarded a using (organization_id, transaction_id, program_id, collaborator_id)
      where w.share is distinct from a.awarded or w.currency is distinct from a.currency`,
  },
  {
    name: 'the fraud signals of a conversion match its explanation',
    query: `
      with said as (
        select x.organization_id, x.transaction_id, (c ->> 'programId')::bigint as program_id,
          (c ->> 'collaboratorId')::bigint as collaborator_id,
          array(select jsonb_array_elements_text(c #> '{hold,reasons}')) as reasons
        from explanations x cross join jsonb_array_elements(x.candidates) c
        where ${organizationFilter('x')} and x.omitted = 0 and c ? 'hold'
      ), held as (
        select c.organization_id, c.transaction_id, c.program_id, c.collaborator_id, c.hold_reasons as reasons
        from conversions c
        join explanations x on x.organization_id = c.organization_id and x.transaction_id = c.transaction_id
        where ${organizationFilter('c')} and c.type <> 'manual' and x.omitted = 0 and c.hold_reasons is not null
      )
      select format('organization %s: transaction %s, program %s, collaborator %s: explained fraud signals %s, has %s',
        organization_id, transaction_id, program_id, collaborator_id, s.reasons, h.reasons) as detail
      from said s full join held h using (organization_id, transaction_id, program_id, collaborator_id)
      where s.reasons is distinct from h.reasons`,
  },
  {
    name: 'amounts that were rounded to whole units of a currency without decimals are whole units',
    query: `
      select format('organization %s: conversion %s of %s %s, worth %s, is not a whole amount', c.organization_id, c.id,
        c.awarded, c.currency, c.amount) as detail
      from conversions c
      where ${organizationFilter('c')} and c.in_payable_units and c.currency in (${WHOLE_CURRENCIES.map((code) => `'${code}'`).join(', ')})
        and (c.awarded % 100 <> 0 or c.amount % 100 <> 0)`,
  },
  {
    name: 'no conversion in fraud review is approved, or will be approved without a review',
    query: `
      select format('organization %s: conversion %s is in fraud review, %s%s', c.organization_id, c.id, c.status,
        case when c.approve_at is not null then ', and due' end) as detail
      from conversions c
      where ${organizationFilter('c')} and c.hold_reasons is not null and c.released_seq is null
        and (c.status = 'approved' or c.approve_at is not null)`,
  },
  {
    name: 'a conversion has the type of its transaction, or is a manual credit with an author',
    query: `
      select format('organization %s: conversion %s (%s) of transaction %s (%s)', c.organization_id, c.id, c.type, t.id,
        t.type) as detail
      from conversions c
      join transactions t on t.organization_id = c.organization_id and t.id = c.transaction_id
      where ${organizationFilter('c')} and c.type not in ('manual', t.type)
      union all
      select format('organization %s: transaction %s has %s manual conversions of %s credits', organization_id,
        transaction_id, sum(conversions), sum(credits))
      from (
        select organization_id, transaction_id, 1 as conversions, 0 as credits from conversions c
        where ${organizationFilter('c')} and type = 'manual'
        union all
        select organization_id, transaction_id, 0, 1 from events e where ${organizationFilter('e')} and type = 'CreditGranted'
      ) m
      group by organization_id, transaction_id having sum(conversions) <> sum(credits)`,
  },
  {
    name: 'a conversion has the program and the collaborator of its engagement',
    query: `
      select format('organization %s: conversion %s differs from engagement %s', c.organization_id, c.id, g.id) as detail
      from conversions c
      join engagements g on g.organization_id = c.organization_id and g.id = c.engagement_id
      where ${organizationFilter('c')} and (c.program_id <> g.program_id or c.collaborator_id <> g.collaborator_id)`,
  },
  {
    name: 'caps and tiers count the awards of the period that were not rejected since',
    query: `
      select format('organization %s: program %s, collaborator %s from %s to %s: counted %s %s in %s, awarded %s in %s',
        k.organization_id, k.program_id, k.collaborator_id, k.starts_at, k.ends_at, k.sum, k.currency, k.count,
        coalesce(sum(c.awarded), 0), count(c.id)) as detail
      from award_counters k
      left join (
        conversions c join transactions t on t.organization_id = c.organization_id and t.id = c.transaction_id
      ) on c.organization_id = k.organization_id and c.program_id = k.program_id
        and c.collaborator_id = k.collaborator_id and c.currency = k.currency and c.status <> 'rejected'
        and k.starts_at <= t.occurred_at and t.occurred_at < k.ends_at
      where ${organizationFilter('k')}
      group by k.organization_id, k.program_id, k.collaborator_id, k.currency, k.starts_at, k.ends_at
      having k.sum <> coalesce(sum(c.awarded), 0) or k.count <> count(c.id)`,
  },
];
