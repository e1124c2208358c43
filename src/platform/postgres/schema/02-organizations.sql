-- Organizations, their portal settings and the audit log.

create table organizations (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 255),
  tier text not null default 'essentials' check (tier in ('lite', 'essentials')),
  mode text not null default 'live' check (mode in ('live', 'test')), -- never changes; the mode of its connectors
  time_zone text not null default 'UTC' check (length(time_zone) <= 64), -- determines the days in figures and on pages
  reporting_currency text, -- null: figures have no converted amounts
  -- The key that encrypts the ids of opportunities into numbers that can't be guessed. The key never changes, because
  -- browsers store the numbers.
  opportunity_key bytea not null check (length(opportunity_key) = 16),
  -- Incremented by each change of a program, group, enrollment, fraud list, alias or collaborator that affects
  -- decisions.
  config_version bigint not null default 0,
  demo boolean not null default false, -- set by `npm run demo`: the data is generated, and pages say so
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create function refuse_mode_change() returns trigger language plpgsql as $$
begin
  raise exception 'the mode of an organization can''t be changed' using errcode = 'restrict_violation';
end $$;
-- Test orders and live orders would be mixed in one organization if its mode could be changed.
create trigger organizations_keep_mode before update of mode on organizations
  for each statement execute function refuse_mode_change();

-- The settings of portals. An organization without a row has the default settings, and its portal is closed.
create table portals (
  organization_id bigint not null references organizations,
  slug text check (length(slug) between 1 and 63), -- null: the portal is closed
  name text check (length(name) between 1 and 255), -- null: the organization's name
  accent text not null default '#4f46e5' check (accent ~ '^#[0-9a-f]{6}$'),
  logo_type text check (logo_type in ('image/png', 'image/svg+xml', 'image/webp')),
  logo bytea check (length(logo) <= 65536),
  support_email text,
  terms_url text,
  landing_url text, -- the target of partner links
  ref_parameter text not null default 'ref',
  embed_origins text[] not null default '{}',
  link_origins text[] not null default '{}', -- the origins whose pages links can open, in addition to landing_url's
  link_domain text check (length(link_domain) <= 253), -- the host of short links; null: no short links
  portal_domain text check (length(portal_domain) <= 253), -- the portal's own host; null: it has none
  updated_at timestamptz not null default now(),
  primary key (organization_id),
  check ((logo is null) = (logo_type is null)),
  check (slug is null or landing_url is not null),
  check (link_domain is null or landing_url is not null),
  check (link_domain <> portal_domain)
);

-- The organization of each slug. Slugs are unique in the whole installation, because a portal's address doesn't include
-- the organization.
create table portal_slugs (
  slug text primary key,
  organization_id bigint not null
);

-- The organization of each merchant's domain. Domains are unique in the whole installation, because a request doesn't
-- include the organization.
create table domains (
  domain text primary key,
  organization_id bigint not null
);

-- The audit log: one row for each call or command that changed something, except reports. Some reads have a row too,
-- such as the download of a payment file. A row is written in the transaction of its change. The only later update is
-- the erasure of personal values (15-privacy.sql).
create table audit_entries (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  author text not null,
  operation text not null,
  path text not null,
  -- `json` keeps numbers and the order of members as they were written. `jsonb` would change both, and refuse some
  -- text.
  request json,
  before json,
  after json,
  primary key (organization_id, id)
);
create index audit_entries_path on audit_entries (path, id, organization_id);
create index audit_entries_by_time on audit_entries (organization_id, at) where id > 0;
create index audit_entries_operation on audit_entries (organization_id, operation, id) where id > 0;
create index audit_entries_author on audit_entries (organization_id, author, id) where id > 0;

create trigger audit_entries_append_only before delete or truncate on audit_entries
  for each statement execute function refuse_change();
