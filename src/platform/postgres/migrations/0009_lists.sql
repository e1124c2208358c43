-- Lists and balances that take as long on ten million rows as on ten thousand: see docs/decisions/0029-lists-of-millions.md.
-- An index of a list begins with its organization, so that a small one does not walk through the rows of a large one. That
-- is what 0001 forbids: the statements of reports and decisions, whose plans are made while tables are empty, would take it
-- for the primary key. So it is partial, on what is always so and only lists say (`id > 0`): no other statement can use it.
-- Without the id at its end it is for what a filter finds seldom; what it finds often is met on the way through the key.

create index opportunities_by_time on opportunities (organization_id, created_at, id) where id > 0;
create index opportunities_merged_by_id on opportunities (organization_id, id) where merged_into is not null;
create index opportunities_invalid on opportunities (organization_id, id) where invalidated_at is not null;
-- Of a user those that are not found by opportunities_user.
create index opportunities_left_users on opportunities (organization_id, user_id)
  where user_id is not null and (merged_into is not null or invalidated_at is not null);

create index visits_by_time on visits (organization_id, occurred_at, id) where id > 0;
create index events_by_time on events (organization_id, occurred_at, id) where id > 0;
create index events_source on events (organization_id, source) where id > 0;
create index events_rare on events (organization_id, type, id) where type <> 'SaleTriggered';

-- None of score and last_at: every further visit changes them, and writes the row in place as long as no index has them.
create index engagements_by_time on engagements (organization_id, first_at, id) where id > 0;
create index engagements_closed on engagements (organization_id, status, id) where status <> 'active';
create index engagements_program on engagements (organization_id, program_id) where id > 0;

create index transactions_by_time on transactions (organization_id, occurred_at, id) where id > 0;
create index transactions_by_total on transactions (organization_id, total, id) where id > 0;
create index transactions_currency on transactions (organization_id, currency) where id > 0;
create index transactions_rare on transactions (organization_id, type, id) where type <> 'sale';
create index transactions_refunded on transactions (organization_id, refunded_at, id) where refunded_at is not null;
create index transactions_cancelled on transactions (organization_id, id) where status = 'cancelled';

create index conversions_by_time on conversions (organization_id, created_at, id) where id > 0;
create index conversions_by_change on conversions (organization_id, updated_at, id) where id > 0;
create index conversions_by_amount on conversions (organization_id, amount, id) where id > 0;
create index conversions_program on conversions (organization_id, program_id) where id > 0;
create index conversions_currency on conversions (organization_id, currency) where id > 0;
create index conversions_rare on conversions (organization_id, type, id) where type <> 'sale';
create index conversions_open on conversions (organization_id, status, id) where status <> 'approved';
create index conversions_opportunity on conversions (opportunity_id, organization_id);
create index conversions_engagement on conversions (engagement_id, organization_id) where engagement_id is not null;

create index obligations_by_time on obligations (organization_id, created_at, id) where id > 0;
create index obligations_by_change on obligations (organization_id, updated_at, id) where id > 0;
create index obligations_by_amount on obligations (organization_id, amount, id) where id > 0;
create index obligations_currency on obligations (organization_id, currency) where id > 0;
create index obligations_open on obligations (organization_id, status, id) where status <> 'fulfilled';

create index payouts_by_time on payouts (organization_id, created_at, id) where id > 0;
create index payouts_by_change on payouts (organization_id, updated_at, id) where id > 0;
create index payouts_by_amount on payouts (organization_id, amount, id) where id > 0;
create index payouts_currency on payouts (organization_id, currency) where id > 0;
create index payouts_status on payouts (organization_id, status) where id > 0;
create index payouts_paid on payouts (organization_id, paid_at, id) where paid_at is not null;
create index payouts_reviewed on payouts (organization_id, review, id) where review <> 'none';

-- A statement is by time; the entries of a list by collaborator are few, or met on the way through the key.
drop index ledger_entries_collaborator;
create index ledger_entries_collaborator on ledger_entries (collaborator_id, occurred_at, id, organization_id);
create index ledger_entries_by_time on ledger_entries (organization_id, occurred_at, id) where id > 0;
create index ledger_entries_currency on ledger_entries (organization_id, currency) where id > 0;
-- With the id: a run writes its entries all at once, so those of other kinds are far from each other.
create index ledger_entries_kind on ledger_entries (organization_id, kind, id) where id > 0;

-- What is sealed of the ledger, added up by month (UTC). Written by the sealer, who is one at a time: no decision waits for
-- another one's row. A balance is these sums and the entries that are not sealed yet.
create table ledger_sums (
  organization_id bigint not null references organizations,
  collaborator_id bigint not null,
  currency text not null,
  month timestamptz not null,
  debit text not null,
  credit text not null,
  amount numeric(38, 0) not null check (amount > 0), -- an integer, which may grow beyond any single amount
  primary key (organization_id, collaborator_id, currency, month, debit, credit)
) with (fillfactor = 90);

insert into ledger_sums (organization_id, collaborator_id, currency, month, debit, credit, amount)
select e.organization_id, e.collaborator_id, e.currency, date_trunc('month', e.occurred_at, 'UTC'), e.debit, e.credit,
  sum(e.amount)
from (select organization_id, unnest(entry_ids) as id from ledger_seals) s
join ledger_entries e on e.organization_id = s.organization_id and e.id = s.id
group by 1, 2, 3, 4, 5, 6;
