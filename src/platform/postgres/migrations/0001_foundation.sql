-- The memory of Whence. Every table but organizations leads its keys with organization_id, so that the rows of one
-- organization lie together and a database that is spread over machines can distribute on that column.
-- An index that is no key begins with its own column: to a planner that believes a table empty, every index that begins
-- with the organization looks as good as the primary key, also to the look-ups of foreign keys.
-- Amounts are integers in the smallest unit, within ±(2^53−1), with their currency beside them.

create domain minor as bigint check (value between -9007199254740991 and 9007199254740991);

-- One clock tick for all that is reported. A report draws its id after it has locked its opportunity, so the order of
-- the ids of one opportunity is the order of their commits. Cache 1: a cached block would break that.
create sequence event_ids cache 1;
create sequence opportunity_ids;
create sequence engagement_ids;
create sequence transaction_ids;

-- ---------------------------------------------------------------------------------------------------------------
-- The organization and its keys

create table organizations (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 255),
  tier text not null default 'essentials' check (tier in ('lite', 'essentials')),
  -- Turns the ids of opportunities into numbers that can't be guessed. Never changes: browsers hold those numbers.
  opportunity_key bytea not null check (length(opportunity_key) = 16),
  -- Counts every change of what decides: programs, enrolments, aliases, collaborators.
  config_version bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table api_keys (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  kind text not null check (kind in ('secret', 'publishable')),
  label text not null check (length(label) between 1 and 255),
  hash bytea not null check (length(hash) = 32), -- SHA-256 of the key; the key itself is nowhere
  prefix text not null,
  scopes text[] not null,
  origins text[] not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (organization_id, id)
);
-- The only look-up that comes before the organization is known. Not unique: that would be a key without the organization.
create index api_keys_hash on api_keys (hash);

-- ---------------------------------------------------------------------------------------------------------------
-- What decides. Each change raises organizations.config_version by one and is kept under that number, so that an event
-- is decided by the configuration that it saw, however late.

create table collaborators (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  name text not null check (length(name) between 1 and 255),
  email text,
  nickname text,
  status text not null check (status in ('pending', 'active', 'inactive', 'rejected', 'deleted')),
  user_id bigint check (user_id > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id)
);

create table collaborator_versions (
  organization_id bigint not null,
  collaborator_id bigint not null,
  config_version bigint not null,
  status text not null,
  user_id bigint,
  primary key (organization_id, collaborator_id, config_version),
  foreign key (organization_id, collaborator_id) references collaborators
);

create table aliases (
  organization_id bigint not null,
  id bigint generated always as identity,
  collaborator_id bigint not null,
  type text not null check (length(type) between 1 and 64),
  code text not null check (length(code) between 1 and 255),
  code_key text not null collate "C", -- the code as it is compared: see domain/alias.ts
  from_version bigint not null,
  until_version bigint,
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, collaborator_id) references collaborators
);
create unique index aliases_current on aliases (organization_id, type, code_key) where until_version is null;
create index aliases_collaborator on aliases (collaborator_id, organization_id);

create table programs (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  version integer not null, -- the newest of program_versions
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);

create table program_versions (
  organization_id bigint not null,
  program_id bigint not null,
  version integer not null check (version > 0),
  config_version bigint not null,
  name text not null check (length(name) between 1 and 255),
  description text,
  status text not null check (status in ('draft', 'active', 'inactive', 'deleted')),
  currency text not null,
  window_days integer not null check (window_days between 1 and 3650),
  attribution text not null check (attribution in ('last-touch', 'first-touch', 'linear', 'weighted', 'top-score')),
  reward jsonb not null,
  counted_lines text[] not null,
  triggers jsonb not null,
  pays text[] not null,
  auto_approve boolean not null,
  approve_after_days integer check (approve_after_days between 0 and 3650),
  enrollment text not null check (enrollment in ('everyone', 'selected')),
  credits_per text not null check (credits_per in ('sale', 'opportunity')),
  created_at timestamptz not null default now(),
  primary key (organization_id, program_id, version),
  unique (organization_id, program_id, config_version),
  foreign key (organization_id, program_id) references programs,
  check (not (auto_approve and approve_after_days is not null))
);

create index program_versions_crediting_once on program_versions (organization_id) where credits_per = 'opportunity';

create table enrollments (
  organization_id bigint not null,
  program_id bigint not null,
  collaborator_id bigint not null,
  from_version bigint not null,
  until_version bigint,
  created_at timestamptz not null default now(),
  primary key (organization_id, program_id, collaborator_id, from_version),
  foreign key (organization_id, program_id) references programs,
  foreign key (organization_id, collaborator_id) references collaborators
);
create unique index enrollments_current on enrollments (organization_id, program_id, collaborator_id)
  where until_version is null;
create index enrollments_collaborator on enrollments (collaborator_id, organization_id);

-- ---------------------------------------------------------------------------------------------------------------
-- Visits. High volume: no foreign keys (the statement that writes a row has joined or made its parent, and verify
-- proves it), keys that grow with time, nothing that is null takes room. See docs/decisions/0007.

create table opportunities (
  organization_id bigint not null,
  id bigint not null,
  user_id bigint,
  user_since bigint, -- when user_id came, in the order of events
  merged_into bigint, -- the survivor; state merged
  merged_by bigint, -- when it was merged, in the order of events
  invalidated_at timestamptz, -- state invalid
  created_at timestamptz not null,
  primary key (organization_id, id),
  check ((merged_into is null) = (merged_by is null)),
  check ((user_id is null) = (user_since is null)),
  check (merged_into < id) -- the one created first survives, so pointers can't run in a circle
) with (fillfactor = 90);
create unique index opportunities_user on opportunities (organization_id, user_id)
  where user_id is not null and merged_into is null and invalidated_at is null;
create index opportunities_merged on opportunities (organization_id, merged_into) where merged_into is not null;

create table visits (
  organization_id bigint not null,
  id bigint not null, -- from event_ids: a visit is an event of type SiteVisited
  opportunity_id bigint not null, -- the survivor of what was presented
  collaborator_id bigint not null,
  config_version bigint not null,
  occurred_at timestamptz not null,
  alias_id bigint, -- where it came by an alias
  user_id bigint, -- of the visitor, as known then
  reason text, -- why it made no engagement
  primary key (organization_id, id)
);
create index visits_opportunity on visits (opportunity_id, id, organization_id);
create index visits_unengaged on visits (opportunity_id, organization_id) where reason is not null;

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
  status text not null default 'active' check (status in ('active', 'complete', 'invalid')),
  primary key (organization_id, id),
  check ((status = 'active') = (closed_by is null)),
  check (first_visit_id <= last_visit_id)
) with (fillfactor = 80); -- a further visit updates in place
-- At most one is active for each triple; the nulls of closed_by count as equal.
create unique index engagements_triple on engagements
  (organization_id, opportunity_id, program_id, collaborator_id, closed_by) nulls not distinct;
create index engagements_collaborator on engagements (collaborator_id, organization_id);

-- ---------------------------------------------------------------------------------------------------------------
-- Sales and refunds

create table transactions (
  organization_id bigint not null,
  id bigint not null,
  -- The binding <source>_order / externalId is a unique key of the sale itself: see docs/decisions/0008.
  source text not null collate "C" check (length(source) between 1 and 64),
  external_id text not null collate "C" check (length(external_id) between 1 and 255),
  event_id bigint not null,
  opportunity_id bigint not null, -- the survivor of what was reported
  reported_opportunity_id bigint not null,
  opportunity_state text not null check (opportunity_state in ('active', 'invalid', 'removed')),
  total minor not null check (total >= 0),
  refunded_amount minor not null default 0 check (refunded_amount between 0 and total),
  currency text not null,
  status text not null default 'complete' check (status in ('complete', 'refunded', 'cancelled')),
  content_hash bytea not null check (length(content_hash) = 32), -- what makes a repeat a repeat
  occurred_at timestamptz not null,
  refunded_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, source, external_id),
  check ((status = 'refunded') = (refunded_at is not null))
) with (fillfactor = 90);
create index transactions_opportunity on transactions (opportunity_id, organization_id);

create table transaction_lines (
  organization_id bigint not null,
  transaction_id bigint not null,
  position integer not null check (position > 0),
  external_id text,
  name text not null check (length(name) between 1 and 255),
  type text not null check (type in ('product', 'shipping', 'tax', 'fee', 'discount')),
  quantity integer not null check (quantity between 1 and 1000000),
  amount minor not null, -- of one unit
  primary key (organization_id, transaction_id, position)
);

-- What was reported or decided about money. Never changed, never dropped.
create table events (
  organization_id bigint not null,
  id bigint not null, -- from event_ids
  type text not null check (type in ('SaleTriggered', 'RefundTriggered')),
  source text not null collate "C",
  opportunity_id bigint not null, -- as it was reported
  transaction_id bigint not null,
  config_version bigint not null,
  occurred_at timestamptz not null,
  primary key (organization_id, id)
);
create unique index events_transaction on events (organization_id, transaction_id, type);

-- That an event still waits to be decided. A row here is the only thing about an event that goes away.
create table jobs (
  organization_id bigint not null,
  event_id bigint not null,
  transaction_id bigint not null,
  type text not null,
  attempts integer not null default 0,
  run_at timestamptz not null default now(),
  parked_at timestamptz,
  error text,
  primary key (organization_id, event_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- ---------------------------------------------------------------------------------------------------------------
-- What was decided

create table conversions (
  organization_id bigint not null,
  id bigint generated by default as identity,
  type text not null default 'sale' check (type in ('sale')),
  status text not null check (status in ('pending', 'approved', 'rejected')),
  transaction_id bigint not null,
  opportunity_id bigint not null,
  program_id bigint not null,
  program_version integer not null,
  collaborator_id bigint not null,
  engagement_id bigint not null,
  awarded minor not null check (awarded > 0), -- when it was decided
  amount minor not null check (amount between 0 and awarded), -- what it is worth now
  currency text not null,
  reason text, -- of a rejection
  approve_at timestamptz, -- when it is approved without anybody’s word
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  -- Deciding an event twice can't award twice.
  unique (organization_id, transaction_id, program_id, collaborator_id),
  foreign key (organization_id, transaction_id) references transactions,
  foreign key (organization_id, program_id, program_version) references program_versions,
  foreign key (organization_id, collaborator_id) references collaborators,
  check (status <> 'rejected' or reason is not null)
);
create index conversions_due on conversions (approve_at) where status = 'pending' and approve_at is not null;
create index conversions_collaborator on conversions (collaborator_id, id, organization_id);

create table obligations (
  organization_id bigint not null,
  id bigint generated by default as identity,
  conversion_id bigint not null,
  collaborator_id bigint not null,
  amount minor not null,
  currency text not null,
  status text not null check (status in ('draft', 'pending', 'fulfilled', 'rejected')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, conversion_id) references conversions
);
create unique index obligations_conversion on obligations (organization_id, conversion_id) where amount >= 0;
create index obligations_collaborator on obligations (collaborator_id, status, organization_id);

-- Facts and numbers of one decision; the text is made when it is read.
create table explanations (
  organization_id bigint not null,
  transaction_id bigint not null,
  event_id bigint not null,
  decided_at timestamptz not null,
  base minor not null,
  currency text not null,
  reason text, -- of the sale as a whole
  candidates jsonb not null,
  omitted integer not null default 0,
  primary key (organization_id, transaction_id)
);

-- Where a merged opportunity's pointers lead. Called for merged ones only; a chain is a step or two long.
create function survivor_of(organization bigint, opportunity bigint) returns bigint
language sql stable as $$
  with recursive chain (id, merged_into) as (
    select o.id, o.merged_into from opportunities o where o.organization_id = $1 and o.id = $2
    union all
    select o.id, o.merged_into from chain c join opportunities o on o.organization_id = $1 and o.id = c.merged_into
  )
  select id from chain where merged_into is null
$$;
