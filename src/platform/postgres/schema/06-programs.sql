-- Programs, groups, enrollments, custom-event definitions and fraud lists. Programs, groups and enrollments affect
-- decisions, so each change of them is stored under a new organizations.config_version.

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

create table programs (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  version integer not null, -- the latest version in program_versions
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);

-- The versions of a program's terms. Rows never change.
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
  group_id bigint,
  triggers jsonb not null,
  enrollment text not null check (enrollment in ('everyone', 'selected')),
  credits_per text not null check (credits_per in ('sale', 'opportunity')),
  pays text[] not null,
  reward jsonb not null,
  tiers jsonb,
  collaborator_rewards jsonb,
  renewal_limit jsonb,
  renewal_rewards jsonb,
  counted_lines text[] not null,
  line_filter jsonb,
  minimum_order minor check (minimum_order > 0),
  cap_per_order minor check (cap_per_order > 0),
  cap_per_period jsonb,
  holds jsonb, -- fraud settings
  auto_approve boolean not null,
  approve_after_days integer check (approve_after_days between 0 and 3650),
  -- Whether the reward depends on earlier decisions. If it does for any program, the organization's events are decided
  -- one after another.
  decided_in_order boolean not null generated always as
    (credits_per = 'opportunity' or tiers is not null or cap_per_period is not null) stored,
  created_at timestamptz not null default now(),
  primary key (organization_id, program_id, version),
  unique (organization_id, program_id, config_version),
  foreign key (organization_id, program_id) references programs,
  foreign key (organization_id, group_id) references program_groups,
  check (not (auto_approve and approve_after_days is not null))
);
create index program_versions_in_order on program_versions (organization_id) where decided_in_order;

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

-- The merchant's own events, by slug. A program can use such an event as a trigger.
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

-- The merchant's allow list and deny list for fraud signals. A deleted entry stays, because decisions refer to it.
create table fraud_list_entries (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  list text not null check (list in ('allow', 'deny')),
  kind text not null check (kind in ('email-domain', 'network', 'referrer')),
  -- The value in the form that `readListValue` in programs/domain/fraud-list.ts returns.
  value text not null collate "C" check (length(value) between 1 and 255),
  note text check (length(note) between 1 and 255),
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (organization_id, id)
);
-- A value is on one list at most.
create unique index fraud_list_entries_value on fraud_list_entries (organization_id, kind, value)
  where deleted_at is null;
create index fraud_list_entries_deny on fraud_list_entries (organization_id) where list = 'deny';
