-- What reports show: sums by day of what has been closed, and balances as they stand. See docs/decisions/0034-figures.md.
-- Nothing here is filled by this migration but the balances, from sums that are there: the worker comes by, some rows at a
-- time, and until it has, reports read the rest from the facts.

-- Facts from before this moment are in the sums, all of them; from it on they are not. None: from the beginning.
create table sum_marks (
  organization_id bigint not null references organizations,
  summed_until timestamptz not null,
  primary key (organization_id)
);

-- Visits by day and by month (UTC; `day` is the first of it), so that a year of many collaborators is read by its months. Of
-- collaborator 0: of all. Alias 0: by none. No foreign keys (docs/decisions/0007): they took a fifth of a round.
create table visit_sums (
  organization_id bigint not null,
  collaborator_id bigint not null,
  per text not null check (per in ('day', 'month')),
  day date not null,
  alias_id bigint not null,
  programs_key uuid not null, -- MD5 of program_ids: of any length
  program_ids bigint[] not null, -- the programs that they touched
  visits bigint not null check (visits > 0),
  primary key (organization_id, collaborator_id, per, day, alias_id, programs_key)
) with (fillfactor = 90);
create index visit_sums_by_day on visit_sums (organization_id, per, day) where collaborator_id > 0;

-- Transactions and what came of them, likewise. Of collaborator 0 and program 0: of all; a transaction that two
-- collaborators have earned by counts once for each, and once for all. Alias 0: by none, or of all.
create table sale_sums (
  organization_id bigint not null,
  collaborator_id bigint not null,
  program_id bigint not null,
  per text not null check (per in ('day', 'month')),
  day date not null,
  source text not null collate "C",
  alias_id bigint not null,
  currency text not null,
  sales bigint not null,
  renewals bigint not null,
  leads bigint not null,
  conversions bigint not null,
  revenue numeric(38, 0) not null, -- integers, which may grow beyond any single amount
  refunded numeric(38, 0) not null,
  earned numeric(38, 0) not null,
  primary key (organization_id, collaborator_id, program_id, per, day, source, alias_id, currency)
) with (fillfactor = 90);
create index sale_sums_collaborators on sale_sums (organization_id, per, day) where collaborator_id > 0 and program_id = 0;
create index sale_sums_programs on sale_sums (organization_id, per, day) where collaborator_id = 0 and program_id > 0;
create index sale_sums_of_program on sale_sums (program_id, per, day, organization_id)
  where collaborator_id > 0 and program_id > 0;

-- What is sealed of the ledger, as it stands: by account. Written by the sealer, with ledger_sums.
create table ledger_balances (
  organization_id bigint not null references organizations,
  collaborator_id bigint not null,
  currency text not null,
  draft numeric(38, 0) not null,
  pending numeric(38, 0) not null,
  in_payout numeric(38, 0) not null,
  paid numeric(38, 0) not null,
  primary key (organization_id, collaborator_id, currency)
) with (fillfactor = 90);

insert into ledger_balances (organization_id, collaborator_id, currency, draft, pending, in_payout, paid)
select organization_id, collaborator_id, currency,
  sum(case 'draft' when credit then amount when debit then -amount else 0 end),
  sum(case 'pending' when credit then amount when debit then -amount else 0 end),
  sum(case 'in-payout' when credit then amount when debit then -amount else 0 end),
  sum(case 'paid' when credit then amount when debit then -amount else 0 end)
from ledger_sums
group by 1, 2, 3;
