-- Opportunities, visits and engagements. Their volume is high, so they have no foreign keys: the statement that writes a
-- row has joined or created its parent, and `whence verify` proves it (decision 7). Keys grow with time, and
-- columns that are usually null take no space.

create sequence opportunity_ids;
create sequence engagement_ids;

create table opportunities (
  organization_id bigint not null,
  id bigint not null, -- from opportunity_ids
  user_id bigint,
  user_since bigint, -- when user_id was set, in the decision sequence
  merged_into bigint, -- the survivor; state merged
  merged_by bigint, -- when it was merged, in the decision sequence
  invalidated_at timestamptz, -- state invalid
  created_at timestamptz not null,
  primary key (organization_id, id),
  check ((merged_into is null) = (merged_by is null)),
  check ((user_id is null) = (user_since is null)),
  check (merged_into < id) -- the older one survives, so pointers can't form a circle
) with (fillfactor = 90);
create unique index opportunities_user on opportunities (organization_id, user_id)
  where user_id is not null and merged_into is null and invalidated_at is null;
-- The other opportunities of a user, which opportunities_user omits.
create index opportunities_left_users on opportunities (organization_id, user_id)
  where user_id is not null and (merged_into is not null or invalidated_at is not null);
create index opportunities_merged on opportunities (organization_id, merged_into) where merged_into is not null;
create index opportunities_by_time on opportunities (organization_id, created_at) where id > 0;
create index opportunities_invalid on opportunities (organization_id, id) where invalidated_at is not null;

-- Returns the opportunity into which this one was merged in the end. Only called for merged ones, and a chain has one or
-- two steps.
create function survivor_of(organization bigint, opportunity bigint) returns bigint
language sql stable as $$
  with recursive chain (id, merged_into) as (
    select o.id, o.merged_into from opportunities o where o.organization_id = $1 and o.id = $2
    union all
    select o.id, o.merged_into from chain c join opportunities o on o.organization_id = $1 and o.id = c.merged_into
  )
  select id from chain where merged_into is null
$$;

-- Visits and other touches. They never change, and lie in partitions by ranges of ids, so that old ones are dropped as a
-- whole: decision 27.
create table visits (
  organization_id bigint not null,
  id bigint not null, -- from event_ids: a visit is an event
  opportunity_id bigint not null, -- the survivor of the reported one
  collaborator_id bigint not null,
  config_version bigint not null,
  occurred_at timestamptz not null,
  reported_at timestamptz, -- null if it was reported when it occurred
  alias_id bigint, -- the alias that was used, if any
  user_id bigint, -- of the visitor, as known then
  reason text, -- why it made no engagement
  trigger text, -- null for a visit to the site, else coupon-applied or a custom event
  -- Which visit of its hour it was, from its address and of its collaborator. Set if a program of the organization counts.
  nth_from_address integer,
  nth_of_collaborator integer,
  primary key (organization_id, id)
) partition by range (id);
create index visits_opportunity on visits (opportunity_id, organization_id);
create index visits_unengaged on visits (opportunity_id, organization_id) where reason is not null;
create index visits_signals on visits (id, organization_id) where trigger is not null;
create index visits_by_time on visits (organization_id, occurred_at) where id > 0;
-- Visits that occurred at another moment than they were reported, which figures add in the order of reports.
create index visits_late on visits (organization_id, reported_at) where reported_at is not null and id > 0;

-- Partition n is the table visits_<n> with the ids from n · 2^32 up to (n + 1) · 2^32. A missing number was dropped.
create table visit_partitions (
  number bigint primary key check (number >= 0),
  -- Not before the last id of the previous partition was drawn, so every visit of that one is older. Null: not begun.
  opened_at timestamptz,
  -- In the oldest remaining partition: how far the search for opportunities without any remaining trace has come.
  swept_organization_id bigint not null default 0,
  swept_opportunity_id bigint not null default 0,
  swept_at timestamptz
);
create table visits_0 partition of visits for values from (0) to (4294967296);
create table visits_1 partition of visits for values from (4294967296) to (8589934592);
insert into visit_partitions (number, opened_at) values (0, now()), (1, null);

-- The Idempotency-Keys of touches, for a day. A partitioned table can't have them as a unique key. A row is written by
-- the statement that writes the visit. Both hashes are cut to 16 bytes.
create table visit_keys (
  organization_id bigint not null,
  key bytea not null check (length(key) = 16), -- hash of the caller and the key
  request_hash bytea not null check (length(request_hash) = 16),
  opportunity_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, key)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index visit_keys_old on visit_keys (created_at);

-- The counters of visits.nth_from_address and nth_of_collaborator, for two hours. An address is a keyed hash. An empty
-- one stands for all addresses.
create table visit_counts (
  organization_id bigint not null,
  collaborator_id bigint not null,
  address bytea not null check (length(address) in (0, 16)),
  hour timestamptz not null,
  visits integer not null check (visits > 0),
  primary key (organization_id, collaborator_id, address, hour)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index visit_counts_old on visit_counts (hour);

-- What a collaborator has done for an opportunity in a program. If the refund of its sale reopens an engagement, the
-- same row continues, and a copy keeps what it was until then, which only earlier decisions see. Each row has visits of
-- its own, from own_since (null: its first visit) up to closed_by. It also has those of the rows in its lineage, which
-- were absorbed into it.
create table engagements (
  organization_id bigint not null,
  id bigint not null default nextval('engagement_ids'),
  opportunity_id bigint not null,
  program_id bigint not null,
  collaborator_id bigint not null,
  score bigint not null check (score > 0),
  first_visit_id bigint not null,
  last_visit_id bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  closed_by bigint, -- the event that completed or invalidated it
  closed_seq bigint, -- when it was completed, in the decision sequence
  opened_by bigint, -- the refund that reopened it, or the sale whose later touches it has
  opened_seq bigint, -- null if its first visit opened it
  absorbed_by bigint, -- the refund because of which it was absorbed into another row
  absorbed_seq bigint, -- when it was absorbed; its status is invalid
  own_since bigint,
  copy_of bigint,
  status text not null default 'active' check (status in ('active', 'complete', 'invalid')),
  reordered boolean not null default false, -- its touches weren't reported in the order in which they occurred
  lineage bigint[],
  primary key (organization_id, id),
  check ((status = 'active') = (closed_by is null)),
  check (first_visit_id <= last_visit_id),
  check ((status = 'complete') <= (closed_seq is not null)),
  check ((status = 'invalid') = (absorbed_seq is not null))
) with (fillfactor = 80); -- so that another visit updates the row in place
-- At most one is active for each triple, because nulls of closed_by count as equal.
create unique index engagements_triple on engagements
  (organization_id, opportunity_id, program_id, collaborator_id, closed_by) nulls not distinct;
-- No index has score or last_at. Every further visit changes them, and updates the row in place as long as none has.
-- The lists of a collaborator. An index that begins with the collaborator doesn't need the organization, and has a
-- collaborator's rows together.
create index engagements_newest on engagements (collaborator_id, id) where copy_of is null and id > 0;
