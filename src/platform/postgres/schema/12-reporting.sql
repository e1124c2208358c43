-- Sums of closed facts for figures: decision 34. The worker adds them in rounds. Until it has, reports
-- read the rest from the facts.

-- Facts from before this moment are in the sums, all of them. Later facts aren't. No row: none are.
create table sum_marks (
  organization_id bigint not null references organizations,
  summed_until timestamptz not null,
  primary key (organization_id)
);

-- Visits by day and by month (UTC; `day` is the first of the month), so that a year of many collaborators is read by
-- month. Collaborator 0 stands for all, alias 0 for none. No foreign keys (decision 7): they took a fifth of a
-- round.
create table visit_sums (
  organization_id bigint not null,
  collaborator_id bigint not null,
  per text not null check (per in ('day', 'month')),
  day date not null,
  alias_id bigint not null,
  programs_key uuid not null, -- MD5 of program_ids, which have any length
  program_ids bigint[] not null, -- the programs that were touched
  visits bigint not null check (visits > 0),
  primary key (organization_id, collaborator_id, per, day, alias_id, programs_key)
) with (fillfactor = 90);
create index visit_sums_by_day on visit_sums (organization_id, per, day) where collaborator_id > 0;

-- Transactions and their results, in the same way. Collaborator 0 and program 0 stand for all. A transaction with which
-- two collaborators earned counts once for each, and once for all. Alias 0 stands for none, or for all.
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
  revenue numeric(38, 0) not null, -- integers that may exceed any single amount
  refunded numeric(38, 0) not null,
  earned numeric(38, 0) not null,
  primary key (organization_id, collaborator_id, program_id, per, day, source, alias_id, currency)
) with (fillfactor = 90);
create index sale_sums_collaborators on sale_sums (organization_id, per, day) where collaborator_id > 0 and program_id = 0;
create index sale_sums_programs on sale_sums (organization_id, per, day) where collaborator_id = 0 and program_id > 0;
create index sale_sums_of_program on sale_sums (program_id, per, day, organization_id)
  where collaborator_id > 0 and program_id > 0;
