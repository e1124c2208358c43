-- Conversions that a person is to look at before they are paid: see docs/decisions/0037-holds.md. Every new column is null
-- or false where nothing is held. Conversions are read once, for their index; nothing is rewritten.

alter table program_versions add holds jsonb;

-- Which visit of its hour it was, where a program of the organization asks: from its address, and of its collaborator.
alter table visits add nth_from_address integer, add nth_of_collaborator integer;

-- What these numbers are drawn from, for two hours. An address is kept as a keyed hash; an empty one stands for all.
create table visit_counts (
  organization_id bigint not null,
  collaborator_id bigint not null,
  address bytea not null check (length(address) in (0, 16)),
  hour timestamptz not null,
  visits integer not null check (visits > 0),
  primary key (organization_id, collaborator_id, address, hour)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index visit_counts_old on visit_counts (hour);

alter table conversions
  add hold_reasons text[] check (cardinality(hold_reasons) > 0), -- why it was held when it was decided
  add released_tick bigint, -- when a person has let it go, in the order of events
  add by_coupon boolean not null default false, -- the collaborator's coupon was among the touches, where the program asks
  add check (released_tick is null or hold_reasons is not null);
create index conversions_held on conversions (organization_id, id)
  where hold_reasons is not null and released_tick is null and status = 'pending' and id > 0;
create index conversions_resolved on conversions (organization_id, id)
  where hold_reasons is not null and (released_tick is not null or status <> 'pending') and id > 0;

-- Who approves what is held has let it go, whatever code does it.
create function release_approved() returns trigger language plpgsql as $$
begin
  new.released_tick := nextval('event_ids');
  return new;
end $$;
create trigger conversions_release before update on conversions for each row
  when (new.status = 'approved' and new.hold_reasons is not null and new.released_tick is null)
  execute function release_approved();
