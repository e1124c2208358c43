import { type Invariant, organizationFilter } from './invariant.ts';

/** Invariants of payouts, their runs and their reviews. */
export const RUNS: readonly Invariant[] = [
  {
    name: 'a payout is the sum of its obligations, has one collaborator and currency, and is above zero unless it is void',
    query: `
      select format('organization %s: payout %s (%s) of %s %s to collaborator %s: its obligations %s make %s',
        p.organization_id, p.id, p.status, p.amount, p.currency, p.collaborator_id,
        coalesce(string_agg(o.id::text, ', ' order by o.id), 'none'), coalesce(sum(o.amount), 0)) as detail
      from payouts p
      left join obligations o on o.payout_id = p.id and o.organization_id = p.organization_id
      where ${organizationFilter('p')}
      group by p.organization_id, p.id
      having p.amount <> coalesce(sum(o.amount), 0)
        or bool_or(o.collaborator_id <> p.collaborator_id or o.currency <> p.currency)
        or (p.status = 'void') <> (p.amount = 0) or p.amount < 0
        or p.status = 'void' and count(o.id) > 0`,
  },
  {
    name: 'an obligation is fulfilled exactly when it is in a payout of its organization that is not void',
    query: `
      select format('organization %s: obligation %s (%s) is in payout %s (%s)', o.organization_id, o.id, o.status,
        o.payout_id, p.status) as detail
      from obligations o
      left join payouts p on p.organization_id = o.organization_id and p.id = o.payout_id
      where ${organizationFilter('o')} and (o.status = 'fulfilled') <> (p.status in ('unpaid', 'paid') and p.status is not null)
        or ${organizationFilter('o')} and o.payout_id is not null and p.id is null`,
  },
  {
    name: 'payouts have the currency of their run, are void if it failed, and are paid or void if it is complete',
    query: `
      select format('organization %s: run %s (%s, %s) has payout %s (%s, %s)', f.organization_id, f.id, f.status,
        f.currency, p.id, p.status, p.currency) as detail
      from fulfillments f
      join payouts p on p.fulfillment_id = f.id and p.organization_id = f.organization_id
      where ${organizationFilter('f')} and ${organizationFilter('p')} and (p.currency <> f.currency or (p.status = 'paid') <> (p.paid_at is not null)
        or case f.status when 'failed' then p.status <> 'void' when 'complete' then p.status = 'unpaid' else false end)`,
  },
  {
    name: 'a payout is flagged exactly while one of its flags is open',
    query: `
      select format('organization %s: payout %s (%s, review %s) has %s flags, %s open', p.organization_id, p.id, p.status,
        p.review, count(f.id), count(f.id) filter (where f.resolution is null)) as detail
      from payouts p
      left join payout_flags f on f.payout_id = p.id and f.organization_id = p.organization_id
      where ${organizationFilter('p')}
      group by p.organization_id, p.id
      having (p.review = 'flagged') <> (count(f.id) filter (where f.resolution is null) > 0)
        or p.review = 'none' and count(f.id) filter (where f.resolution in ('keep', 'claw-back')) > 0
        or p.review = 'resolved' and count(f.id) = 0`,
  },
  {
    name: 'a flag refers to an obligation, its conversion and its transaction, and an open flag to their payout',
    query: `
      select format('organization %s: flag %s of payout %s, obligation %s, conversion %s, transaction %s', f.organization_id,
        f.id, f.payout_id, f.obligation_id, f.conversion_id, f.transaction_id) as detail
      from payout_flags f
      left join obligations o on o.organization_id = f.organization_id and o.id = f.obligation_id
      left join conversions c on c.organization_id = f.organization_id and c.id = f.conversion_id
      left join payouts p on p.organization_id = f.organization_id and p.id = f.payout_id
      where ${organizationFilter('f')} and (p.id is null or o.conversion_id is distinct from f.conversion_id
        or c.transaction_id is distinct from f.transaction_id
        or f.resolution is null and (o.payout_id is distinct from f.payout_id or p.status = 'void')
        or f.resolution in ('keep', 'claw-back') and f.author is null)`,
  },
];
