-- The people who work with the console, and what lets people and collaborators in: sessions, invitations, passkeys, second
-- factors, links to new passwords; what slows those down who guess; and the mails that tell of it.

-- Belongs to one organization. One who was removed stays, since the audit names them.
create table people (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  email text not null check (length(email) between 3 and 254), -- in lower case
  name text not null check (length(name) between 1 and 255),
  role text not null check (role in ('owner', 'manager', 'viewer')),
  status text not null default 'active' check (status in ('active', 'removed')),
  password text not null, -- argon2id with its parameters and its salt; of one who was removed empty
  totp_secret bytea, -- sealed: see store/secret-box.ts
  totp_since timestamptz, -- when the first code proved it; before, it asks for nothing
  totp_step bigint, -- of the last code that counted: none counts twice
  created_at timestamptz not null default now(),
  last_seen_at timestamptz,
  primary key (organization_id, id),
  check (totp_since is null or totp_secret is not null)
);

-- Whose an address is, over the whole installation: who logs in gives no organization. Of active people only.
create table people_addresses (
  address text primary key,
  organization_id bigint not null,
  person_id bigint not null
);

-- One row for each browser that is logged in, of a person or of a collaborator.
create table sessions (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  hash bytea not null check (length(hash) = 32), -- SHA-256 of what the cookie holds; that itself is nowhere
  person_id bigint,
  collaborator_id bigint,
  user_agent text check (length(user_agent) <= 255),
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(), -- to the minute
  idle_until timestamptz not null, -- it ends then unless it is used before
  expires_at timestamptz not null, -- it ends then in any case
  primary key (organization_id, id),
  foreign key (organization_id, person_id) references people,
  foreign key (organization_id, collaborator_id) references collaborators,
  check (num_nonnulls(person_id, collaborator_id) = 1),
  check (idle_until <= expires_at)
);
-- Comes before the organization is known, as with keys. Not unique: that would be a key without the organization.
create index sessions_hash on sessions (hash);
create index sessions_person on sessions (organization_id, person_id) where person_id is not null;
create index sessions_collaborator on sessions (organization_id, collaborator_id) where collaborator_id is not null;
create index sessions_idle on sessions (idle_until);

create table invitations (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  email text check (length(email) between 3 and 254), -- null: the link that makes the first owner, who names one
  role text not null check (role in ('owner', 'manager', 'viewer')),
  status text not null default 'open' check (status in ('open', 'accepted', 'revoked')),
  hash bytea not null check (length(hash) = 32), -- SHA-256 of the link's token
  invited_by text not null, -- an author, as the audit has them
  person_id bigint, -- who accepted it
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
create index invitations_open on invitations (organization_id, email) where status = 'open';

-- Links to a new password, one at a time for each person; gone once used.
create table password_resets (
  organization_id bigint not null references organizations,
  person_id bigint not null,
  hash bytea not null check (length(hash) = 32),
  lifts_totp boolean not null default false, -- made on the server, for who has lost their second factor as well
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (organization_id, person_id),
  foreign key (organization_id, person_id) references people
);
create index password_resets_hash on password_resets (hash);

create table recovery_codes (
  organization_id bigint not null references organizations,
  person_id bigint not null,
  hash bytea not null check (length(hash) = 32), -- SHA-256: a code has 80 random bits
  primary key (organization_id, person_id, hash),
  foreign key (organization_id, person_id) references people
);

create table passkeys (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  person_id bigint,
  collaborator_id bigint,
  name text not null check (length(name) between 1 and 255),
  credential bytea not null check (length(credential) between 1 and 1023), -- the id that the authenticator gave it
  public_key bytea not null, -- COSE
  counter bigint not null, -- of authenticators that count; 0 of others
  transports text[] not null default '{}',
  user_handle bytea not null check (length(user_handle) = 32), -- under which authenticators keep the account: says nothing
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

-- Challenges that were answered: none counts twice. What is not answered is nowhere; it tells by itself until when it holds.
create table spent_challenges (
  organization_id bigint not null references organizations,
  hash bytea not null check (length(hash) = 32),
  spent_at timestamptz not null default now(),
  primary key (organization_id, hash)
);
create index spent_challenges_old on spent_challenges (spent_at);

-- How often something was tried of late, for all processes. A bucket is the time when nothing of what was taken counts any
-- more: each try puts it later.
create table throttles (
  bucket bytea primary key check (length(bucket) = 32), -- SHA-256 of what is counted: addresses are nowhere
  full_at timestamptz not null
);
create index throttles_full on throttles (full_at);

-- Mails that are to be sent: written by what they tell of, in its transaction, and gone once sent.
create table mails (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  message bytea not null, -- sealed: address, subject and text, with links that let somebody in
  tries integer not null default 0,
  due_at timestamptz not null default now(), -- of the next try; while one is under way, when it is taken for lost
  expires_at timestamptz not null, -- it tells nothing after that
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create index mails_due on mails (due_at);
