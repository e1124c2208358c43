-- Collaborators, their referral codes, payout details and tax details.
--
-- The status, user id, fraud review and aliases of a collaborator affect decisions. Each change of these values
-- increments organizations.config_version and is stored under the new number. So an event is always decided with the
-- configuration at the time of the event, even if it is decided late.

create table collaborators (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  name text not null check (length(name) between 1 and 255),
  email text,
  nickname text,
  status text not null check (status in ('pending', 'active', 'inactive', 'rejected', 'deleted')),
  rejection_reason text check (length(rejection_reason) between 1 and 500),
  tags text[] not null default '{}' check (cardinality(tags) <= 20), -- in lower case, without duplicates
  -- A negative number is a user with a text id (see text_user_numbers).
  user_id bigint constraint collaborators_user_id_check check (user_id > 0 or user_id < -4503599627370496),
  fraud_review text not null default 'signals' check (fraud_review in ('signals', 'always', 'never')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create index collaborators_fraud_review on collaborators (organization_id, fraud_review, id) where id > 0;
create index collaborators_by_name on collaborators (organization_id, name, id) where id > 0;
create index collaborators_by_time on collaborators (organization_id, created_at) where id > 0;
create index collaborators_rare on collaborators (organization_id, status, id) where status <> 'active' and id > 0;
create index collaborators_email on collaborators (organization_id, email) where email is not null and id > 0;
create index collaborators_nickname on collaborators (organization_id, nickname) where nickname is not null and id > 0;
create index collaborators_user on collaborators (organization_id, user_id) where user_id is not null and id > 0;
-- Finds the collaborators with the name of a buyer.
create index collaborators_same_name on collaborators (organization_id, lower(name)) where id > 0;
-- Finds collaborators by email address, for requests for login links.
create index collaborators_address on collaborators (organization_id, lower(email)) where id > 0 and email is not null;
-- Only searches use this expression, so the index needs no `where id > 0`. The planner has no statistics of partial
-- indexes, and without statistics, it can't estimate how frequent a text is. `fastupdate` is off, because every search
-- would read the index's list of new rows.
create index collaborators_search on collaborators using gin (search_threes(
  organization_id, lower(name || chr(10) || coalesce(nickname, '') || chr(10) || coalesce(email, ''))
)) with (fastupdate = off);

create table collaborator_versions (
  organization_id bigint not null,
  collaborator_id bigint not null,
  config_version bigint not null,
  status text not null,
  user_id bigint,
  fraud_review text not null default 'signals' check (fraud_review in ('signals', 'always', 'never')),
  primary key (organization_id, collaborator_id, config_version),
  foreign key (organization_id, collaborator_id) references collaborators
);
-- Finds newly rejected applicants, who get an email.
create index collaborator_versions_rejected on collaborator_versions (organization_id, config_version)
  where status = 'rejected';

-- All tables except text_users store a user as a number. An integer id is stored unchanged, and a text id gets its own
-- number below -2^52. Erasures use the numbers from -2^52 to -1 (self_referral_tombstones).
create sequence text_user_numbers maxvalue 4503599627370495; -- 2^52 - 1: user_id stays above -2^53

create table text_users (
  organization_id bigint not null references organizations,
  user_id bigint not null check (user_id < -4503599627370496),
  text text collate "C" not null check (length(text) between 1 and 255), -- compared byte for byte
  primary key (organization_id, user_id),
  unique (organization_id, text)
);

create table aliases (
  organization_id bigint not null,
  id bigint generated always as identity,
  collaborator_id bigint not null,
  type text not null check (length(type) between 1 and 64),
  code text not null check (length(code) between 1 and 255),
  code_key text not null collate "C", -- the code as it is compared: collaborators/domain/alias.ts
  external_id text check (length(external_id) between 1 and 255), -- the id of the code in the shop or billing system
  external_key text collate "C", -- the external id as it is compared with codes of reports
  page_url text, -- the page that a link opens instead of the landing page
  from_version bigint not null,
  until_version bigint,
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, collaborator_id) references collaborators,
  check ((external_id is null) = (external_key is null))
);
create unique index aliases_current on aliases (organization_id, type, code_key) where until_version is null;
create unique index aliases_external on aliases (organization_id, type, external_key)
  where until_version is null and external_key is not null;
create index aliases_collaborator on aliases (collaborator_id, organization_id);
-- A sign-up gets a code that no collaborator has ever had, because old links may still be in use.
create index aliases_codes on aliases (organization_id, code_key) where id > 0;
create index aliases_search on aliases using gin (search_threes(organization_id, lower(code))) with (fastupdate = off);

-- How a collaborator is paid. `method` is not encrypted, so that runs can show it for each payee.
create table payout_details (
  organization_id bigint not null references organizations,
  collaborator_id bigint not null,
  method text not null check (method in ('iban', 'uk', 'us', 'paypal', 'wise', 'other')),
  details bytea not null, -- JSON, encrypted: platform/crypto/secret-box.ts
  updated_at timestamptz not null default now(),
  primary key (organization_id, collaborator_id),
  foreign key (organization_id, collaborator_id) references collaborators
);

-- A collaborator's details for tax reports. Incomplete details are never stored.
create table tax_details (
  organization_id bigint not null references organizations,
  collaborator_id bigint not null,
  details bytea not null, -- JSON, encrypted: platform/crypto/secret-box.ts
  updated_at timestamptz not null default now(),
  primary key (organization_id, collaborator_id),
  foreign key (organization_id, collaborator_id) references collaborators
);

-- Notes about a collaborator, written by people of the merchant. The collaborator never sees the notes.
create table collaborator_notes (
  organization_id bigint not null,
  id bigint generated always as identity,
  collaborator_id bigint not null,
  text text not null check (length(text) between 1 and 5000),
  author text not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, collaborator_id) references collaborators
);
create index collaborator_notes_collaborator on collaborator_notes (organization_id, collaborator_id, id);
