-- Opportunities, visits and engagements. Their volume is high, so they have no foreign keys. The statement that writes
-- a row has read or created the rows to which it refers, and `whence verify` checks the references (decision 7). Ids
-- only grow, so new index entries are added at the end. Nullable columns that are usually null take no space.

create sequence opportunity_ids;
create sequence engagement_ids;

create table opportunities (
  organization_id bigint not null,
  id bigint not null, -- from opportunity_ids
  user_id bigint,
  user_since bigint, -- the decision sequence number at which user_id was set
  merged_into bigint, -- the surviving opportunity; null if this opportunity isn't merged
  merged_by bigint, -- the decision sequence number of the merge
  invalidated_at timestamptz, -- set if the opportunity is invalid
  created_at timestamptz not null,
  primary key (organization_id, id),
  check ((merged_into is null) = (merged_by is null)),
  check ((user_id is null) = (user_since is null)),
  check (merged_into < id) -- The older opportunity survives a merge, so these references can't form a cycle.
) with (fillfactor = 90);
create unique index opportunities_user on opportunities (organization_id, user_id)
  where user_id is not null and merged_into is null and invalidated_at is null;
-- Finds the merged and invalid opportunities of a user, which opportunities_user omits.
create index opportunities_left_users on opportunities (organization_id, user_id)
  where user_id is not null and (merged_into is not null or invalidated_at is not null);
create index opportunities_merged on opportunities (organization_id, merged_into) where merged_into is not null;
create index opportunities_by_time on opportunities (organization_id, created_at) where id > 0;
create index opportunities_invalid on opportunities (organization_id, id) where invalidated_at is not null;

-- Returns the surviving opportunity at the end of a chain of merges, or the opportunity itself if it isn't merged.
-- Returns null if the opportunity doesn't exist. Most chains have one or two steps.
create function survivor_of(organization bigint, opportunity bigint) returns bigint
language sql stable as $$
  with recursive chain (id, merged_into) as (
    select o.id, o.merged_into from opportunities o where o.organization_id = $1 and o.id = $2
    union all
    select o.id, o.merged_into from chain c join opportunities o on o.organization_id = $1 and o.id = c.merged_into
  )
  select id from chain where merged_into is null
$$;

-- Visits and other touches. Only an erasure changes them. They are partitioned by ranges of ids, so that old visits are
-- deleted by dropping a whole partition (decision 27).
create table visits (
  organization_id bigint not null,
  id bigint not null, -- from event_ids, because a visit is an event
  opportunity_id bigint not null, -- the reported opportunity, or its survivor if it was merged before the visit
  collaborator_id bigint not null,
  config_version bigint not null,
  occurred_at timestamptz not null,
  reported_at timestamptz, -- null if the report didn't state occurred_at
  alias_id bigint, -- the alias that was used, if any
  user_id bigint, -- the visitor's user, if known at the time of the visit
  reason text, -- why the visit belongs to no engagement; null if it belongs to one
  trigger text, -- null for a visit to the site; otherwise coupon-applied or a custom event
  -- The number of this visit within its hour: among its collaborator's visits from the same address, and among all of
  -- its collaborator's visits. Set only if a program of the organization limits visits.
  nth_from_address integer,
  nth_of_collaborator integer,
  -- The host of the page with the link. Set only if a program of the organization checks referrers.
  referrer text,
  denied_by bigint, -- the deny list entry that matches the visit, if any
  primary key (organization_id, id)
) partition by range (id);
create index visits_opportunity on visits (opportunity_id, organization_id);
create index visits_unengaged on visits (opportunity_id, organization_id) where reason is not null;
create index visits_signals on visits (id, organization_id) where trigger is not null;
create index visits_by_time on visits (organization_id, occurred_at) where id > 0;
-- Finds visits whose report stated occurred_at. Figures add these visits in the order of their reports.
create index visits_late on visits (organization_id, reported_at) where reported_at is not null and id > 0;

-- The partitions of visits. Partition n is the table visits_<n>. It has the ids from n · 2^32 to (n + 1) · 2^32 - 1.
-- Partitions with lower numbers than the first row were dropped.
create table visit_partitions (
  number bigint primary key check (number >= 0),
  -- When the partition was opened, or null if it isn't open yet. By then, the last id of the previous partition had
  -- been drawn, so every visit in the previous partition is older.
  opened_at timestamptz,
  -- The progress of the search for opportunities without any remaining visit, user, merge or sale. Used for the oldest
  -- remaining partition only.
  swept_organization_id bigint not null default 0,
  swept_opportunity_id bigint not null default 0,
  swept_at timestamptz
);
create table visits_0 partition of visits for values from (0) to (4294967296);
create table visits_1 partition of visits for values from (4294967296) to (8589934592);
insert into visit_partitions (number, opened_at) values (0, now()), (1, null);

-- The Idempotency-Keys of touches, kept for one day. They are in a separate table because a partitioned table can't
-- have a unique key on them. The statement that writes a visit also writes its key. Both hashes are truncated to 16
-- bytes.
create table visit_keys (
  organization_id bigint not null,
  key bytea not null check (length(key) = 16), -- hash of the kind of API key and the Idempotency-Key
  request_hash bytea not null check (length(request_hash) = 16),
  opportunity_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, key)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index visit_keys_old on visit_keys (created_at);

-- The counters of visits.nth_from_address and nth_of_collaborator, kept for two hours. An address is stored as a keyed
-- hash. A row with an empty address counts the visits from all addresses.
create table visit_counts (
  organization_id bigint not null,
  collaborator_id bigint not null,
  address bytea not null check (length(address) in (0, 16)),
  hour timestamptz not null,
  visits integer not null check (visits > 0),
  primary key (organization_id, collaborator_id, address, hour)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index visit_counts_old on visit_counts (hour);

-- The touches of one collaborator for one opportunity in one program. If the refund of a sale reopens an engagement,
-- the engagement's row becomes active again. A copy of the row then preserves the previous state for earlier decisions.
-- The visits of a row start at own_since (null: its first visit) and end before closed_by. A row also includes the
-- visits of the rows in its lineage, which were absorbed into it.
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
  closed_by bigint, -- the event that completed it, or the refund that caused it to be absorbed while active
  closed_seq bigint, -- the decision sequence number at which it was completed
  opened_by bigint, -- the refund that reopened it, or the sale after which its touches start
  opened_seq bigint, -- null if it was opened by its first visit
  absorbed_by bigint, -- the refund that caused it to be absorbed or created as a copy
  absorbed_seq bigint, -- the decision sequence number at which it was absorbed or created as a copy
  own_since bigint,
  copy_of bigint,
  status text not null default 'active' check (status in ('active', 'complete', 'invalid')),
  reordered boolean not null default false, -- whether its touches may have occurred in another order than reported
  lineage bigint[],
  primary key (organization_id, id),
  check ((status = 'active') = (closed_by is null)),
  check (first_visit_id <= last_visit_id),
  check ((status = 'complete') <= (closed_seq is not null)),
  check ((status = 'invalid') = (absorbed_seq is not null))
) with (fillfactor = 80); -- Leaves space in each page, so that further visits update the row in place.
-- Allows one active engagement for each opportunity, program and collaborator, because nulls of closed_by count as
-- equal.
create unique index engagements_triple on engagements
  (organization_id, opportunity_id, program_id, collaborator_id, closed_by) nulls not distinct;
-- Don't index score or last_at. Every visit changes them, and PostgreSQL updates a row in place only if no indexed
-- column changes. The index below is for the list of a collaborator's engagements. It starts with the collaborator, so
-- it doesn't need the organization, and stores a collaborator's rows together.
create index engagements_newest on engagements (collaborator_id, id) where copy_of is null and id > 0;
