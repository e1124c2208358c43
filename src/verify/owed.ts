import { type Invariant, organizationFilter } from './invariant.ts';

/**
 * SQL condition that nothing is left to decide about conversion `c`. A refund, reversal or correction whose job is
 * waiting or dead-lettered will change its worth.
 */
const SETTLED = `not exists (
  select from jobs j
  where j.organization_id = c.organization_id and j.transaction_id = c.transaction_id
    and j.type in ('RefundTriggered', 'RefundReversed', 'SaleCorrected'))`;

/** Invariants of obligations, which are the amounts owed for conversions. */
export const OWED: readonly Invariant[] = [
  {
    // A refunded amount in a payout stays there until a person resolves its flag. Flags record these amounts. A flag
    // with the resolution `keep` stays even if its refund is reversed, so it covers only the part that is no longer
    // owed.
    name: 'the obligations of a conversion add up to its worth and the amounts that a review has kept or has yet to decide',
    query: `
      select format('organization %s: conversion %s (%s, worth %s, %s under review or kept) has %s owed', c.organization_id,
        c.id, c.status, c.amount, coalesce(f.open + f.kept, 0), coalesce(o.amount, 0)) as detail
      from conversions c
      left join (
        select organization_id, conversion_id, sum(amount) as amount from obligations o
        where ${organizationFilter('o')} and status <> 'rejected' group by 1, 2
      ) o on o.organization_id = c.organization_id and o.conversion_id = c.id
      left join (
        select organization_id, conversion_id,
          coalesce(sum(amount - withdrawn) filter (where resolution is null), 0) as open,
          coalesce(sum(amount - withdrawn) filter (where resolution = 'keep'), 0) as kept
        from payout_flags f
        where ${organizationFilter('f')} and (resolution is null or resolution = 'keep') group by 1, 2
      ) f on f.organization_id = c.organization_id and f.conversion_id = c.id
      cross join lateral (
        select coalesce(o.amount, 0) - case c.status when 'rejected' then 0 else c.amount end as amount
      ) unowed
      where ${organizationFilter('c')} and ${SETTLED}
        and unowed.amount <> coalesce(f.open, 0) + least(coalesce(f.kept, 0), greatest(unowed.amount, 0))`,
  },
  {
    name: 'a conversion has an obligation in its own state, at most one further obligation for each reversal or correction, and clawbacks',
    query: `
      select format('organization %s: conversion %s (%s) has obligations %s', c.organization_id, c.id, c.status,
        string_agg(o.id || ' ' || o.status || ' ' || o.amount, ', ' order by o.id)) as detail
      from conversions c
      left join obligations o on o.organization_id = c.organization_id and o.conversion_id = c.id
      cross join lateral (
        select count(*) as number from events e
        where e.organization_id = c.organization_id and e.transaction_id = c.transaction_id
          and e.type in ('RefundReversed', 'SaleCorrected')
      ) rises
      where ${organizationFilter('c')} and ${SETTLED}
      group by c.organization_id, c.id, c.status, rises.number
      having count(*) filter (where o.amount > 0) not between 1 and 1 + rises.number
        or rises.number = 0 and bool_or(o.status = 'rejected' and c.status <> 'rejected')
        or bool_or(o.status = 'draft' and (c.status <> 'pending' or o.amount < 0))
        or bool_or(o.status = 'pending' and o.amount > 0 and c.status <> 'approved')
        or bool_or(o.status = 'fulfilled' and o.amount > 0 and c.status = 'pending')`,
  },
  {
    name: 'an obligation has the collaborator and the currency of its conversion',
    query: `
      select format('organization %s: obligation %s differs from conversion %s', o.organization_id, o.id, c.id) as detail
      from obligations o
      join conversions c on c.organization_id = o.organization_id and c.id = o.conversion_id
      where ${organizationFilter('o')} and (o.collaborator_id <> c.collaborator_id or o.currency <> c.currency)`,
  },
  {
    name: 'no amount of a refunded transaction is payable or can become payable once its refund is processed',
    query: `
      select format('organization %s: transaction %s is refunded, conversion %s is %s, its obligation %s',
        t.organization_id, t.id, c.id, c.status, o.status) as detail
      from transactions t
      join conversions c on c.organization_id = t.organization_id and c.transaction_id = t.id
      join obligations o on o.organization_id = c.organization_id and o.conversion_id = c.id
      where ${organizationFilter('t')} and t.status <> 'complete' and ${SETTLED}
        and (c.status <> 'rejected' or o.amount > 0 and o.status in ('draft', 'pending'))`,
  },
];
