-- Visits pour in and are never changed: they lie in partitions by ranges of their ids, so that old ones go away as a whole.
-- See docs/decisions/0027-partitions.md. The table that there was becomes the first partition as it is; it is read once,
-- for its bounds.

-- The Idempotency-Keys of reports that touch, for a day: a partitioned table can't have them as a unique key. A row is
-- written by the statement that writes the visit. Both hashes are cut to 16 bytes: of who sent the key with the key, and
-- of what was reported.
create table visit_keys (
  organization_id bigint not null,
  key bytea not null check (length(key) = 16),
  request_hash bytea not null check (length(request_hash) = 16),
  opportunity_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, key)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index visit_keys_old on visit_keys (created_at);

insert into visit_keys (organization_id, key, request_hash, opportunity_id, created_at)
select organization_id, idempotency_key, request_hash, opportunity_id, occurred_at from visits
where idempotency_key is not null;

alter table visits drop column idempotency_key, drop column request_hash;
alter table visits rename to visits_0;
alter table visits_0 rename constraint visits_pkey to visits_0_pkey;
alter index visits_opportunity rename to visits_0_opportunity;
alter index visits_unengaged rename to visits_0_unengaged;
alter index visits_signals rename to visits_0_signals;

create table visits (
  organization_id bigint not null,
  id bigint not null, -- from event_ids: a visit is an event
  opportunity_id bigint not null, -- the survivor of what was presented
  collaborator_id bigint not null,
  config_version bigint not null,
  occurred_at timestamptz not null,
  alias_id bigint, -- where it came by an alias
  user_id bigint, -- of the visitor, as known then
  reason text, -- why it made no engagement
  trigger text, -- null is a visit to the site, which takes no room; else coupon-applied or a custom event
  primary key (organization_id, id)
) partition by range (id);
create index visits_opportunity on visits (opportunity_id, id, organization_id);
create index visits_unengaged on visits (opportunity_id, organization_id) where reason is not null;
create index visits_signals on visits (id, organization_id) where trigger is not null;

-- Partition n, the table visits_<n>, has the ids from n · 2^32 up to (n + 1) · 2^32. What is not here any more was dropped.
create table visit_partitions (
  number bigint primary key check (number >= 0),
  -- Not before the last id of the partition before it was drawn: every visit of that one is older. Null: not begun.
  opened_at timestamptz,
  -- Of the oldest one that is left: how far opportunities were looked through for what nothing remembers any more.
  swept_organization_id bigint not null default 0,
  swept_opportunity_id bigint not null default 0,
  swept_at timestamptz
);

alter table visits attach partition visits_0 for values from (0) to (4294967296);
create table visits_1 partition of visits for values from (4294967296) to (8589934592);
insert into visit_partitions (number, opened_at) values (0, now()), (1, null);
