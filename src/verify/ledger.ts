import { type Invariant, organizationFilter } from './invariant.ts';

/** Returns SQL for the sum that the ledger entries `e` moved into an account, minus the sum that they moved out. */
function movedSum(account: string, name: string): string {
  return `coalesce(sum(case when e.credit = '${account}' then e.amount when e.debit = '${account}' then -e.amount end), 0)
    as ${name}`;
}

/** Invariants of the ledger: it equals the rows from which it is derived, entry by entry and in total. */
export const LEDGER: readonly Invariant[] = [
  {
    // Each ledger entry moves an amount between two accounts. So every ledger entry balances, and the ledger of each
    // currency balances.
    name: 'every ledger entry moves an amount between two accounts, so the ledger adds up to zero',
    query: `
      select format('organization %s: ledger entry %s moves %s %s from %s to %s', organization_id, id, amount,
        currency, debit, credit) as detail
      from ledger_entries e
      where ${organizationFilter('e')} and (amount <= 0 or debit = credit or amount is null or debit is null or credit is null
        or not array[debit, credit] <@ array['expense', 'draft', 'pending', 'in-payout', 'paid'])`,
  },
  {
    name: 'a ledger entry has the collaborator and the currency of its obligation or payout',
    query: `
      select format('organization %s: ledger entry %s (obligation %s, payout %s) is of collaborator %s in %s',
        e.organization_id, e.id, e.obligation_id, e.payout_id, e.collaborator_id, e.currency) as detail
      from ledger_entries e
      left join obligations o on o.organization_id = e.organization_id and o.id = e.obligation_id
      left join payouts p on p.organization_id = e.organization_id and p.id = e.payout_id
      where ${organizationFilter('e')} and (
        e.obligation_id is not null
          and (o.collaborator_id, o.currency) is distinct from (e.collaborator_id, e.currency)
        or e.payout_id is not null
          and (p.collaborator_id, p.currency) is distinct from (e.collaborator_id, e.currency))`,
  },
  {
    name: 'the ledger entries of an obligation add up to its amount in the account of its status',
    query: `
      with moved as (
        select e.organization_id, e.obligation_id as id, ${movedSum('draft', 'draft')}, ${movedSum('pending', 'pending')},
          ${movedSum('in-payout', 'in_payout')}, ${movedSum('paid', 'paid')}
        from ledger_entries e where ${organizationFilter('e')} and e.obligation_id is not null
        group by 1, 2
      ), owed as (
        select organization_id, id, amount, status, case status when 'draft' then amount else 0 end as draft,
          case status when 'pending' then amount else 0 end as pending,
          case status when 'fulfilled' then amount else 0 end as in_payout
        from obligations o where ${organizationFilter('o')}
      )
      select format('organization %s: obligation %s (%s, %s): its ledger entries make draft %s, pending %s, in payout %s',
        organization_id, id, o.status, o.amount, m.draft, m.pending, m.in_payout) as detail
      from owed o full join moved m using (organization_id, id)
      where coalesce(o.draft, 0) <> coalesce(m.draft, 0) or coalesce(o.pending, 0) <> coalesce(m.pending, 0)
        or coalesce(o.in_payout, 0) <> coalesce(m.in_payout, 0) or m.paid <> 0`,
  },
  {
    name: 'the ledger entries of a payout match its paid status',
    query: `
      with moved as (
        select e.organization_id, e.payout_id as id, ${movedSum('paid', 'paid')}
        from ledger_entries e where ${organizationFilter('e')} and e.obligation_id is null
        group by 1, 2
      )
      select format('organization %s: payout %s (%s, %s): its ledger entries make %s paid', organization_id, id,
        p.status, p.amount, coalesce(m.paid, 0)) as detail
      from (select organization_id, id, status, amount from payouts p where ${organizationFilter('p')}) p
      full join moved m using (organization_id, id)
      where case p.status when 'paid' then p.amount else 0 end <> coalesce(m.paid, 0)`,
  },
  {
    name: 'each balance equals its ledger entries, and the amounts owed and in payouts',
    query: `
      with moved as (
        select e.organization_id, e.collaborator_id, e.currency, ${movedSum('draft', 'draft')},
          ${movedSum('pending', 'pending')}, ${movedSum('in-payout', 'in_payout')}, ${movedSum('paid', 'paid')}
        from ledger_entries e where ${organizationFilter('e')}
        group by 1, 2, 3
      ), stood as (
        select organization_id, collaborator_id, currency, sum(draft) as draft, sum(pending) as pending,
          sum(in_payout) as in_payout, sum(paid) as paid
        from (
          select organization_id, collaborator_id, currency, case status when 'draft' then amount else 0 end as draft,
            case status when 'pending' then amount else 0 end as pending,
            case status when 'fulfilled' then amount else 0 end as in_payout, 0 as paid
          from obligations o where ${organizationFilter('o')}
          union all
          select organization_id, collaborator_id, currency, 0, 0, -amount, amount from payouts p
          where ${organizationFilter('p')} and status = 'paid'
        ) s
        group by 1, 2, 3
      )
      select format('organization %s: collaborator %s in %s: draft %s, pending %s, in payouts %s, paid %s; by the ledger %s, %s, %s, %s',
        organization_id, collaborator_id, currency, s.draft, s.pending, s.in_payout, s.paid, m.draft, m.pending,
        m.in_payout, m.paid) as detail
      from stood s full join moved m using (organization_id, collaborator_id, currency)
      where coalesce(s.draft, 0) <> coalesce(m.draft, 0) or coalesce(s.pending, 0) <> coalesce(m.pending, 0)
        or coalesce(s.in_payout, 0) <> coalesce(m.in_payout, 0) or coalesce(s.paid, 0) <> coalesce(m.paid, 0)`,
  },
  {
    name: 'the sums of the ledger equal the entries in its chains',
    query: `
      with chained as (
        select e.organization_id, e.collaborator_id, e.currency, date_trunc('month', e.occurred_at, 'UTC') as month,
          e.debit, e.credit, sum(e.amount) as amount
        from (select organization_id, unnest(entry_ids) as id from ledger_blocks s where ${organizationFilter('s')}) s
        join ledger_entries e on e.organization_id = s.organization_id and e.id = s.id
        group by 1, 2, 3, 4, 5, 6
      ), kept as (
        select * from ledger_sums k where ${organizationFilter('k')}
      )
      select format('organization %s: collaborator %s in %s, %s to %s in the month from %s: sum %s, in the chain %s',
        organization_id, collaborator_id, currency, debit, credit, month, k.amount, s.amount) as detail
      from kept k full join chained s using (organization_id, collaborator_id, currency, month, debit, credit)
      where k.amount is distinct from s.amount`,
  },
  {
    name: 'the stored balances equal the sums of the ledger',
    query: `
      with summed as (
        select e.organization_id, e.collaborator_id, e.currency, ${movedSum('draft', 'draft')}, ${movedSum('pending', 'pending')},
          ${movedSum('in-payout', 'in_payout')}, ${movedSum('paid', 'paid')}
        from ledger_sums e where ${organizationFilter('e')}
        group by 1, 2, 3
      ), kept as (
        select * from ledger_balances k where ${organizationFilter('k')}
      )
      select format('organization %s: collaborator %s in %s: kept %s, %s, %s, %s; added up %s, %s, %s, %s', organization_id,
        collaborator_id, currency, k.draft, k.pending, k.in_payout, k.paid, s.draft, s.pending, s.in_payout, s.paid) as detail
      from kept k full join summed s using (organization_id, collaborator_id, currency)
      where (k.draft, k.pending, k.in_payout, k.paid) is distinct from (s.draft, s.pending, s.in_payout, s.paid)`,
  },
];
