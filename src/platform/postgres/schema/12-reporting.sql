-- Sums of past visits, transactions and earnings for figures (decision 34). The worker updates the sums periodically.
-- Until the next update, figures read later rows directly.

-- How far an organization's sums extend. Visits, events, conversions and ledger entries that were recorded before
-- summed_until are in the sums, and later rows aren't. An organization without a row has no sums yet.
create table sum_marks (
  organization_id bigint not null references organizations,
  summed_until timestamptz not null,
  time_zone text not null, -- determines the days of the sums
  is_restarting boolean not null default false, -- whether the sums are being removed to start again
  primary key (organization_id)
);

-- Visits by day and by month. Days are in the time zone in `sum_marks`. For a month, `day` is its first day. The sums
-- by month are for figures over long periods. Collaborator 0 means all, and alias 0 means no alias. There are no
-- foreign keys (decision 7), because checking them took a fifth of the time of an update.
create table visit_sums (
  organization_id bigint not null,
  collaborator_id bigint not null,
  per text not null check (per in ('day', 'month')),
  day date not null,
  alias_id bigint not null,
  programs_key uuid not null, -- MD5 of program_ids, which can be too long for a key
  program_ids bigint[] not null, -- the programs that the visits touched
  visits bigint not null check (visits > 0),
  primary key (organization_id, collaborator_id, per, day, alias_id, programs_key)
) with (fillfactor = 90);
create index visit_sums_by_day on visit_sums (organization_id, per, day) where collaborator_id > 0;

-- Transactions and their results, by day and by month. Collaborator 0 and program 0 mean all. If two collaborators
-- earned with a transaction, the rows of each collaborator count it, and the rows of collaborator 0 count it once.
-- Alias 0 means no alias, or all.
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
  revenue numeric(38, 0) not null, -- these sums are integers that can exceed any single amount
  refunded numeric(38, 0) not null,
  earned numeric(38, 0) not null,
  primary key (organization_id, collaborator_id, program_id, per, day, source, alias_id, currency)
) with (fillfactor = 90);
create index sale_sums_collaborators on sale_sums (organization_id, per, day) where collaborator_id > 0 and program_id = 0;
create index sale_sums_programs on sale_sums (organization_id, per, day) where collaborator_id = 0 and program_id > 0;
create index sale_sums_of_program on sale_sums (program_id, per, day, organization_id)
  where collaborator_id > 0 and program_id > 0;

-- The merchant's exchange rates: how many units of the currency one euro buys on a day. A rate applies until the next
-- day with a rate.
create table exchange_rates (
  organization_id bigint not null references organizations,
  currency text not null check (currency <> 'EUR'),
  day date not null,
  rate numeric(22, 10) not null check (rate > 0),
  primary key (organization_id, currency, day)
);
