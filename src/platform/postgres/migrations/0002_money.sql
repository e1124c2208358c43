-- The way of the money from a decided sale to a paid collaborator and back: terms, signals, partial refunds, runs, ledger.

-- ---------------------------------------------------------------------------------------------------------------
-- Terms: each is part of the program's immutable version

create table program_groups (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);

create table program_group_versions (
  organization_id bigint not null,
  group_id bigint not null,
  config_version bigint not null,
  name text not null check (length(name) between 1 and 255),
  rule text not null check (rule in ('newest', 'oldest')),
  status text not null check (status in ('active', 'deleted')),
  created_at timestamptz not null default now(),
  primary key (organization_id, group_id, config_version),
  foreign key (organization_id, group_id) references program_groups
);

alter table program_versions
  add group_id bigint,
  add tiers jsonb,
  add cap_per_order minor check (cap_per_order > 0),
  add cap_per_period jsonb,
  add line_filter jsonb,
  add minimum_order minor check (minimum_order > 0),
  add collaborator_rewards jsonb,
  add renewal_limit jsonb,
  -- What it pays depends on what was decided before, so its organization's events are decided one after another.
  add decided_in_order boolean not null generated always as
    (credits_per = 'opportunity' or tiers is not null or cap_per_period is not null) stored,
  add foreign key (organization_id, group_id) references program_groups;
drop index program_versions_crediting_once;
create index program_versions_in_order on program_versions (organization_id) where decided_in_order;

-- ---------------------------------------------------------------------------------------------------------------
-- Signals

-- Events of the merchant's own, by slug: a program may take one for a trigger.
create table custom_events (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  slug text not null collate "C" check (slug ~ '^[a-z][a-z0-9-]{0,63}$' and slug not in ('site-visit', 'coupon-applied')),
  name text not null check (length(name) between 1 and 255),
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (organization_id, id)
);
create unique index custom_events_slug on custom_events (organization_id, slug) where deleted_at is null;

-- What touched an engagement: null is a visit to the site, which takes no room; else coupon-applied or a custom event.
alter table visits add trigger text;
create index visits_signals on visits (id, organization_id) where trigger is not null;

alter table transactions
  add type text not null default 'sale' check (type in ('sale', 'lead', 'renewal')),
  add renews bigint, -- of a renewal: the sale
  add renewal_number integer check (renewal_number > 0), -- of that sale's renewals, in the order of their events
  add check ((type = 'renewal') = (renews is not null)),
  add check ((renews is null) = (renewal_number is null));
create index transactions_renewals on transactions (renews, organization_id) where renews is not null;

alter table events
  drop constraint events_type_check,
  add check (type in ('SaleTriggered', 'LeadTriggered', 'RenewalTriggered', 'RefundTriggered', 'CreditGranted'));
drop index events_transaction;
-- A transaction is reported once, and may be refunded in many steps.
create unique index events_reported on events (organization_id, transaction_id)
  where type in ('SaleTriggered', 'LeadTriggered', 'RenewalTriggered');
create index events_after_report on events (transaction_id, organization_id)
  where type in ('RefundTriggered', 'CreditGranted');

-- ---------------------------------------------------------------------------------------------------------------
-- Refunds that were named by a refundId: in part, or in full. A full one without is the transaction's mark alone.

create table refunds (
  organization_id bigint not null,
  event_id bigint not null, -- its RefundTriggered
  transaction_id bigint not null,
  refund_id text not null collate "C" check (length(refund_id) between 1 and 255),
  kind text not null check (kind in ('full', 'amount', 'items')),
  amount minor not null, -- what it says was given back; of items their amount × quantity
  content_hash bytea not null check (length(content_hash) = 32),
  occurred_at timestamptz not null,
  primary key (organization_id, event_id),
  unique (organization_id, transaction_id, refund_id)
);

-- The lines that a refund of items takes back.
create table refund_lines (
  organization_id bigint not null,
  event_id bigint not null,
  position integer not null, -- of transaction_lines
  quantity integer not null check (quantity > 0),
  primary key (organization_id, event_id, position),
  foreign key (organization_id, event_id) references refunds
);

-- ---------------------------------------------------------------------------------------------------------------
-- Decisions. A tick is a number from event_ids that is drawn under the locks of what it stands for: decisions,
-- rejections, closings and reopenings of one transaction (in an organization that is decided in order: of all) come in
-- the order of their ticks. So what a decision saw can be told at any time after.

-- What was decided before there were ticks has one below zero: what it saw can't be told any more.
alter table explanations add decided_tick bigint;
update explanations set decided_tick = -event_id;
alter table explanations alter decided_tick set not null;

alter table conversions
  drop constraint conversions_type_check,
  drop constraint conversions_organization_id_transaction_id_program_id_colla_key,
  alter type drop default,
  alter engagement_id drop not null, -- a manual credit needs no claim
  add decided_tick bigint,
  add rejected_tick bigint,
  add rejected_by text, -- the key of the person who did it; null where a refund did
  add weight bigint not null default 1 check (weight > 0), -- its part in the split, which renewals go by
  add by_quantity boolean not null default false, -- its reward was for pieces: what is left of it goes by pieces too
  add author text, -- of a manual credit: the key that granted it
  add note text,
  add explained jsonb, -- of a manual credit: the candidate that it was worked out for, in an array
  add check (type in ('sale', 'lead', 'renewal', 'manual')),
  add check ((type = 'manual') = (author is not null)),
  add check (rejected_by is null or status = 'rejected'),
  add unique (organization_id, transaction_id, program_id, collaborator_id, type);
update conversions c
set decided_tick = -x.event_id, rejected_tick = case when c.status = 'rejected' then nextval('event_ids') end
from explanations x where x.organization_id = c.organization_id and x.transaction_id = c.transaction_id;
update conversions c set weight = k.weight
from (
  select x.organization_id, x.transaction_id, (k ->> 'engagementId')::bigint as engagement_id, (k ->> 'weight')::bigint as weight
  from explanations x cross join jsonb_array_elements(x.candidates) k where (k ->> 'weight')::bigint > 1
) k
where k.organization_id = c.organization_id and k.transaction_id = c.transaction_id and k.engagement_id = c.engagement_id;
update conversions c set by_quantity = true
from program_versions v
where v.organization_id = c.organization_id and v.program_id = c.program_id and v.version = c.program_version
  and v.reward ->> 'type' = 'per-product';
alter table conversions
  alter decided_tick set not null,
  alter weight drop default,
  add check ((status = 'rejected') = (rejected_tick is not null));

-- An engagement that its sale's refund opens again goes on as the same row; what it was until then stays as a copy, which
-- only decisions of lower ticks see. Each row has visits of its own: those from own_since (null: its first visit) up to
-- closed_by. It also has those of the rows in its lineage, which went over into it.
alter table engagements
  add opened_tick bigint, -- null: by its first visit
  add own_since bigint,
  add closed_tick bigint, -- when it was completed; closed_by is the event of the sale that did it
  add absorbed_tick bigint, -- when it went over into another row; its status is invalid
  add lineage bigint[],
  add copy_of bigint;
update engagements set closed_tick = closed_by where status = 'complete';
update engagements set absorbed_tick = nextval('event_ids') where status = 'invalid';
alter table engagements
  add check ((status = 'complete') <= (closed_tick is not null)),
  add check ((status = 'invalid') = (absorbed_tick is not null));

-- What was awarded in a period, for caps and tiers: not rejected since, in one currency. A row is made when a decision
-- first asks for it, and kept by the trigger below.
create table award_counters (
  organization_id bigint not null,
  program_id bigint not null,
  collaborator_id bigint not null,
  currency text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  sum numeric(38, 0) not null check (sum >= 0), -- an integer, which may grow beyond any single amount
  count bigint not null check (count >= 0),
  primary key (organization_id, program_id, collaborator_id, currency, starts_at, ends_at)
);

create function add_to_counters(organization bigint, conversion_ids bigint[], sign integer) returns void
language plpgsql as $$
begin
  if not exists (select from award_counters where organization_id = organization) then return; end if;
  update award_counters a
  set sum = a.sum + sign * d.amount, count = a.count + sign * d.number
  from (
    select k.program_id, k.collaborator_id, k.currency, k.starts_at, k.ends_at, sum(c.awarded) as amount, count(*) as number
    from conversions c
    cross join lateral (
      select occurred_at from transactions t where t.organization_id = organization and t.id = c.transaction_id offset 0
    ) t
    join award_counters k on k.organization_id = organization and k.program_id = c.program_id
      and k.collaborator_id = c.collaborator_id and k.currency = c.currency
      and k.starts_at <= t.occurred_at and t.occurred_at < k.ends_at
    where c.organization_id = organization and c.id = any (conversion_ids)
    group by 1, 2, 3, 4, 5
  ) d
  where a.organization_id = organization and a.program_id = d.program_id and a.collaborator_id = d.collaborator_id
    and a.currency = d.currency and a.starts_at = d.starts_at and a.ends_at = d.ends_at;
end $$;

create function count_awarded() returns trigger language plpgsql as $$
begin
  perform add_to_counters(organization_id, array_agg(id), 1) from after where status <> 'rejected' group by organization_id;
  return null;
end $$;
create trigger conversions_awarded after insert on conversions
  referencing new table as after for each statement execute function count_awarded();

-- Not a join of both: its plan would be that of its first call, a nested loop that takes seconds for a large statement.
create function uncount_rejected() returns trigger language plpgsql as $$
begin
  perform add_to_counters(organization_id, array_agg(id), -1)
  from (
    select organization_id, id
    from (
      select organization_id, id, status <> 'rejected' as counted, false as gone from before
      union all
      select organization_id, id, false, status = 'rejected' from after
    ) both_sides
    group by organization_id, id having bool_or(counted) and bool_or(gone)
  ) rejected
  group by organization_id;
  return null;
end $$;
create trigger conversions_rejected after update on conversions
  referencing old table as before new table as after for each statement execute function uncount_rejected();

-- ---------------------------------------------------------------------------------------------------------------
-- Runs

create table fulfillments (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  currency text not null,
  minimum minor check (minimum >= 0),
  status text not null default 'pending' check (status in ('pending', 'processing', 'complete', 'failed')),
  author text not null, -- the key that made it
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id)
);

create table payouts (
  organization_id bigint not null,
  id bigint generated by default as identity,
  fulfillment_id bigint not null,
  collaborator_id bigint not null,
  currency text not null,
  amount minor not null check (amount >= 0),
  status text not null default 'unpaid' check (status in ('unpaid', 'paid', 'void')),
  review text not null default 'none' check (review in ('none', 'flagged', 'resolved')),
  paid_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, fulfillment_id, collaborator_id),
  foreign key (organization_id, fulfillment_id) references fulfillments,
  foreign key (organization_id, collaborator_id) references collaborators,
  check ((status = 'paid') = (paid_at is not null)),
  check (status <> 'void' or amount = 0)
);
create index payouts_collaborator on payouts (collaborator_id, id, organization_id);

-- Why a payout is looked at by a person: money in it went back. Nothing else has touched it until it is resolved.
create table payout_flags (
  organization_id bigint not null,
  id bigint generated by default as identity,
  payout_id bigint not null,
  obligation_id bigint not null,
  conversion_id bigint not null,
  transaction_id bigint not null,
  amount minor not null check (amount > 0), -- what is paid in it and not owed any more
  reason text not null check (reason in ('refunded', 'partly-refunded', 'rejected')),
  created_at timestamptz not null default now(),
  resolution text check (resolution in ('keep', 'claw-back', 'void')), -- void: its run failed, so there is nothing to decide
  note text,
  author text, -- the key of the reviewer
  resolved_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, payout_id) references payouts,
  check ((resolution is null) = (resolved_at is null))
);
create index payout_flags_payout on payout_flags (payout_id, organization_id);
create index payout_flags_conversion on payout_flags (conversion_id, organization_id);

-- Both are written by the statement that has their parents at hand, and read by the thousand: see docs/decisions/0007.
alter table conversions drop constraint conversions_organization_id_transaction_id_fkey;
alter table obligations
  drop constraint obligations_organization_id_conversion_id_fkey,
  add payout_id bigint,
  add check ((status = 'fulfilled') = (payout_id is not null)),
  add check (amount <> 0),
  add foreign key (organization_id, payout_id) references payouts;
-- One obligation a conversion, and any number of claw-backs; all of them are found by it.
drop index obligations_conversion;
create unique index obligations_conversion on obligations
  (organization_id, conversion_id, (case when amount < 0 then id end)) nulls not distinct;
create index obligations_payout on obligations (payout_id, organization_id) where payout_id is not null;
create index obligations_pending on obligations (collaborator_id, currency, organization_id) where status = 'pending';

-- At commit: a payout is the sum of its obligations, all of its collaborator and currency. The check is the payout's, once
-- for each statement: one for every obligation would add up all of them each time.
create function check_payout() returns trigger language plpgsql as $$
begin
  perform from payouts p
  where p.organization_id = new.organization_id and p.id = new.id and (
    p.amount <> (select coalesce(sum(o.amount), 0) from obligations o
      where o.organization_id = p.organization_id and o.payout_id = p.id)
    or exists (select from obligations o where o.organization_id = p.organization_id and o.payout_id = p.id
      and (o.collaborator_id <> p.collaborator_id or o.currency <> p.currency)));
  if found then
    raise exception 'payout % of organization % is not the sum of its obligations', new.id, new.organization_id
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;

create constraint trigger payouts_add_up after insert or update on payouts
  deferrable initially deferred for each row execute function check_payout();

-- What comes into a payout, leaves it or changes in it has it checked: the touch calls up the check at commit.
-- What joins the rows before and after a statement is planned once, for the few rows of its first call. A nested loop would
-- then be kept for the statement that changes ten thousand [10,000 obligations: beyond a limit of 5 s, instead of 0.4 s].
create function touch_payouts() returns trigger language plpgsql set enable_nestloop = off as $$
declare
  payout_ids bigint[] := array(
    select distinct p.payout_id
    from before o
    join after n on n.organization_id = o.organization_id and n.id = o.id
    cross join lateral (values (o.payout_id), (n.payout_id)) as p (payout_id)
    where p.payout_id is not null and (o.amount, o.collaborator_id, o.currency, o.payout_id)
      is distinct from (n.amount, n.collaborator_id, n.currency, n.payout_id)
    order by 1);
begin
  if cardinality(payout_ids) > 0 then
    -- A statement is of one organization. One that this transaction has made waits for its check already.
    update payouts set updated_at = updated_at
    where organization_id = (select organization_id from after limit 1) and id = any (payout_ids)
      and xmin <> pg_current_xact_id()::xid;
  end if;
  return null;
end $$;

create trigger obligations_touch_payouts after update on obligations
  referencing old table as before new table as after for each statement execute function touch_payouts();

-- ---------------------------------------------------------------------------------------------------------------
-- The ledger. Each entry moves an amount from one account to another, so it balances by its shape: `debit` has so much
-- less for the collaborator, `credit` so much more. No statement writes entries: they follow from what happens to
-- obligations and payouts, so that no path through the code can leave one out.
--
-- Accounts, each per collaborator and currency: expense (what the merchant has spent), draft (not approved), pending
-- (payable, what is to be carried forward included), in-payout (in a run that is not paid), paid.

create sequence ledger_entry_ids;

create table ledger_entries (
  organization_id bigint not null,
  id bigint not null default nextval('ledger_entry_ids'),
  kind text not null check (kind in
    ('award', 'approve', 'reject', 'reduce', 'fulfil', 'release', 'pay', 'unpay', 'claw-back')),
  collaborator_id bigint not null,
  currency text not null,
  amount minor not null check (amount > 0),
  debit text not null check (debit in ('expense', 'draft', 'pending', 'in-payout', 'paid')),
  credit text not null check (credit in ('expense', 'draft', 'pending', 'in-payout', 'paid')),
  obligation_id bigint,
  payout_id bigint,
  occurred_at timestamptz not null default now(),
  xid xid8 not null default pg_current_xact_id(), -- below the oldest running one it can't be followed by an earlier entry
  primary key (organization_id, id),
  check (debit <> credit),
  check (obligation_id is not null or payout_id is not null)
);
create index ledger_entries_collaborator on ledger_entries (collaborator_id, id, organization_id);
create index ledger_entries_obligation on ledger_entries (obligation_id, organization_id) where obligation_id is not null;
create index ledger_entries_payout on ledger_entries (payout_id, organization_id) where payout_id is not null;
create index ledger_entries_unsealed on ledger_entries (xid);

create function ledger_account(status text) returns text language sql immutable as $$
  select case status when 'fulfilled' then 'in-payout' when 'rejected' then 'expense' else status end
$$;

create function record_new_obligations() returns trigger language plpgsql as $$
begin
  insert into ledger_entries (organization_id, kind, collaborator_id, currency, amount, debit, credit, obligation_id)
  select organization_id, case when amount < 0 then 'claw-back' else 'award' end, collaborator_id, currency, abs(amount),
    case when amount < 0 then ledger_account(status) else 'expense' end,
    case when amount < 0 then 'expense' else ledger_account(status) end,
    id
  from made
  where status <> 'rejected'
  order by id;
  return null;
end $$;

create trigger obligations_made after insert on obligations
  referencing new table as made for each statement execute function record_new_obligations();

-- A change of the amount is an entry of its own, before the move to another account.
create function record_changed_obligations() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  insert into ledger_entries
    (organization_id, kind, collaborator_id, currency, amount, debit, credit, obligation_id, payout_id)
  select organization_id, kind, collaborator_id, currency, abs(amount),
    case when amount < 0 then destination else origin end,
    case when amount < 0 then origin else destination end,
    id, payout_id
  from (
    select n.organization_id, n.id, n.collaborator_id, n.currency, coalesce(n.payout_id, o.payout_id) as payout_id,
      1 as step,
      case n.status when 'fulfilled' then 'claw-back' else 'reduce' end as kind,
      o.amount - n.amount as amount, ledger_account(o.status) as origin, 'expense' as destination
    from before o join after n on n.organization_id = o.organization_id and n.id = o.id
    where n.amount <> o.amount and n.status <> 'rejected' and o.status <> 'rejected'
    union all
    select n.organization_id, n.id, n.collaborator_id, n.currency, coalesce(n.payout_id, o.payout_id),
      2,
      case
        when n.status = 'rejected' then case o.status when 'fulfilled' then 'claw-back' else 'reject' end
        when n.status = 'fulfilled' then 'fulfil'
        when o.status = 'fulfilled' then 'release'
        else 'approve'
      end,
      case n.status when 'rejected' then o.amount else n.amount end,
      ledger_account(o.status), ledger_account(n.status)
    from before o join after n on n.organization_id = o.organization_id and n.id = o.id
    where n.status <> o.status
  ) moved
  order by id, step;
  return null;
end $$;

create trigger obligations_changed after update on obligations
  referencing old table as before new table as after for each statement execute function record_changed_obligations();

-- By what the account has to change, so that an amount that changes in a paid payout is an entry too.
create function record_changed_payouts() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  insert into ledger_entries (organization_id, kind, collaborator_id, currency, amount, debit, credit, payout_id)
  select organization_id, case when paid > 0 then 'pay' else 'unpay' end, collaborator_id, currency, abs(paid),
    case when paid > 0 then 'in-payout' else 'paid' end,
    case when paid > 0 then 'paid' else 'in-payout' end,
    id
  from (
    select n.organization_id, n.id, n.collaborator_id, n.currency,
      case n.status when 'paid' then n.amount else 0 end - case o.status when 'paid' then o.amount else 0 end as paid
    from before o join after n on n.organization_id = o.organization_id and n.id = o.id
  ) moved
  where paid <> 0
  order by id;
  return null;
end $$;

create trigger payouts_changed after update on payouts
  referencing old table as before new table as after for each statement execute function record_changed_payouts();

-- What is owed already is the book's opening.
insert into ledger_entries (organization_id, kind, collaborator_id, currency, amount, debit, credit, obligation_id, occurred_at)
select organization_id, 'award', collaborator_id, currency, amount, 'expense', ledger_account(status), id, created_at
from obligations where status <> 'rejected' order by id;

-- Links the entries of an organization into a chain of hashes, some at a time: see docs/ledger.md.
create table ledger_seals (
  organization_id bigint not null references organizations,
  number bigint not null check (number > 0),
  entry_ids bigint[] not null check (cardinality(entry_ids) > 0), -- in the order of the chain
  entries bigint not null, -- of the chain up to here
  marks bytea not null, -- the first four bytes of the hash after each entry, so that the one that was changed can be named
  hash bytea not null check (length(hash) = 32), -- after the last entry
  sealed_at timestamptz not null default now(),
  primary key (organization_id, number),
  check (length(marks) = 4 * cardinality(entry_ids))
);

-- One row: entries of transactions below it are sealed. Entries up to after_id are, whatever their transaction's number:
-- they came with a database that was restored into a cluster where these numbers are lower. None above highest_id is.
create table ledger_sealing (
  singleton boolean primary key default true check (singleton),
  sealed_below xid8 not null,
  after_id bigint not null default 0,
  highest_id bigint not null default 0
);
insert into ledger_sealing (sealed_below) values ('0');

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();
create trigger ledger_seals_append_only before update or delete or truncate on ledger_seals
  for each statement execute function refuse_change();
create trigger obligations_stay before delete or truncate on obligations
  for each statement execute function refuse_change();
create trigger payouts_stay before delete or truncate on payouts
  for each statement execute function refuse_change();
