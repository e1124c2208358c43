-- API keys, people, sessions and all other credentials. This file follows the collaborators' file because collaborators
-- have sessions and passkeys too.
--
-- Tokens are stored as SHA-256 only, and are looked up before the organization is known. The indexes of their hashes
-- aren't unique, because a unique key must start with the organization.

create table api_keys (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  kind text not null check (kind in ('secret', 'publishable')),
  label text not null check (length(label) between 1 and 255),
  hash bytea not null check (length(hash) = 32), -- SHA-256 of the key
  prefix text not null,
  scopes text[] not null,
  origins text[] not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  replaced_by bigint, -- the key that a rotation created in its place
  primary key (organization_id, id),
  foreign key (organization_id, replaced_by) references api_keys
);
create index api_keys_hash on api_keys (hash);

-- A person who uses the console of one organization. The row stays after the person is removed, because the audit log
-- refers to it.
create table people (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  email text not null check (length(email) between 3 and 254), -- in lower case
  name text not null check (length(name) between 1 and 255),
  role text not null check (role in ('owner', 'manager', 'viewer')),
  status text not null default 'active' check (status in ('active', 'removed')),
  password text not null, -- argon2id with its parameters and salt; empty once the person is removed
  totp_secret bytea, -- encrypted: platform/crypto/secret-box.ts
  totp_since timestamptz, -- when the first code confirmed the secret; codes aren't required before that
  confirmed_at timestamptz, -- when the person followed a link from an email to the address
  created_at timestamptz not null default now(),
  last_seen_at timestamptz,
  primary key (organization_id, id),
  check (totp_since is null or totp_secret is not null)
);

-- The addresses of active people. An address is unique within its organization only. If it were unique in the whole
-- installation, an organization could block an address that another organization's person uses.
create table people_addresses (
  organization_id bigint not null,
  address text not null,
  person_id bigint not null,
  primary key (organization_id, address)
);
-- Finds people by address alone, because a login request doesn't say which organization it is for.
create index people_addresses_address on people_addresses (address);

-- One row for each browser in which a person or a collaborator is logged in, and for each preview of the portal.
create table sessions (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  hash bytea not null check (length(hash) = 32), -- SHA-256 of the cookie's token
  person_id bigint,
  collaborator_id bigint,
  previewed_from bigint, -- for a preview of the portal: the session of the person who opened it
  user_agent text check (length(user_agent) <= 255),
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(), -- precise to the minute
  idle_until timestamptz not null, -- when the session ends if it isn't used
  expires_at timestamptz not null, -- when the session ends even if it is used
  primary key (organization_id, id),
  foreign key (organization_id, person_id) references people,
  foreign key (organization_id, collaborator_id) references collaborators,
  foreign key (organization_id, previewed_from) references sessions on delete cascade,
  check (num_nonnulls(person_id, collaborator_id) = 1),
  check (previewed_from is null or collaborator_id is not null),
  check (idle_until <= expires_at)
);
create index sessions_hash on sessions (hash);
create index sessions_person on sessions (organization_id, person_id) where person_id is not null;
create index sessions_collaborator on sessions (organization_id, collaborator_id) where collaborator_id is not null;
create index sessions_previews on sessions (organization_id, previewed_from) where previewed_from is not null;
create index sessions_idle on sessions (idle_until);

create table invitations (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  email text check (length(email) between 3 and 254), -- null: a link for the first owner, who enters an address
  role text not null check (role in ('owner', 'manager', 'viewer')),
  status text not null default 'open' check (status in ('open', 'accepted', 'revoked')),
  hash bytea not null check (length(hash) = 32), -- SHA-256 of the link's token
  -- SHA-256 of the token in the email. Accepting the invitation with this token proves that the address receives
  -- emails.
  emailed_hash bytea check (length(emailed_hash) = 32),
  invited_by text not null, -- an author, as in audit_entries
  person_id bigint, -- the person who was created when the invitation was accepted
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, person_id) references people,
  check ((status = 'accepted') = (person_id is not null)),
  check ((status = 'accepted') = (accepted_at is not null)),
  check (email is not null or role = 'owner')
);
create index invitations_hash on invitations (hash);
create index invitations_emailed_hash on invitations (emailed_hash) where emailed_hash is not null;
create index invitations_open on invitations (organization_id, email) where status = 'open';

-- Links for setting a new password. A person has at most one link that was requested by email, and at most one link
-- that was created on the server. Once a link is used, all links of the person are deleted.
create table password_resets (
  organization_id bigint not null references organizations,
  person_id bigint not null,
  hash bytea not null check (length(hash) = 32),
  lifts_totp boolean not null default false, -- created on the server; using it also removes the second factor
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  begun_at timestamptz, -- when a reset last began with this link, or with a link that it replaced
  primary key (organization_id, person_id, lifts_totp),
  foreign key (organization_id, person_id) references people
);
create index password_resets_hash on password_resets (hash);

create table recovery_codes (
  organization_id bigint not null references organizations,
  person_id bigint not null,
  hash bytea not null check (length(hash) = 32), -- SHA-256 is enough, because a code has at least 80 random bits
  primary key (organization_id, person_id, hash),
  foreign key (organization_id, person_id) references people
);

create table passkeys (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  person_id bigint,
  collaborator_id bigint,
  name text not null check (length(name) between 1 and 255),
  credential bytea not null check (length(credential) between 1 and 1023), -- the id that the authenticator assigned
  public_key bytea not null, -- a COSE key
  counter bigint not null, -- 0 if the authenticator has no counter
  transports text[] not null default '{}',
  user_handle bytea not null check (length(user_handle) = 32), -- random; identifies the account in authenticators
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, credential),
  foreign key (organization_id, person_id) references people,
  foreign key (organization_id, collaborator_id) references collaborators,
  check (num_nonnulls(person_id, collaborator_id) = 1)
);
create index passkeys_credential on passkeys (credential);
create index passkeys_person on passkeys (organization_id, person_id) where person_id is not null;
create index passkeys_collaborator on passkeys (organization_id, collaborator_id) where collaborator_id is not null;

-- Hashes of answered passkey challenges and of used codes of authenticator apps, so that none is accepted twice.
-- Challenges without an answer aren't stored. Each challenge contains its own expiry. Rows are deleted after an hour.
create table spent_challenges (
  organization_id bigint not null references organizations,
  hash bytea not null check (length(hash) = 32),
  spent_at timestamptz not null default now(),
  primary key (organization_id, hash)
);
create index spent_challenges_old on spent_challenges (spent_at);

-- The response to a POST with an Idempotency-Key, written in the transaction of its change. Deleted after a day.
create table idempotency_answers (
  organization_id bigint not null references organizations,
  key_hash bytea not null check (length(key_hash) = 32), -- SHA-256, because the key is the caller's own text
  fingerprint bytea not null check (length(fingerprint) = 32), -- SHA-256 of the request
  answer bytea not null, -- JSON
  sealed boolean not null, -- whether the answer contains a secret and is encrypted: platform/crypto/secret-box.ts
  created_at timestamptz not null default now(),
  primary key (organization_id, key_hash)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index idempotency_answers_old on idempotency_answers (created_at);
