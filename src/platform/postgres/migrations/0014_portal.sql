-- The portal: how an organization shows itself to its collaborators, how they sign up and log in, and how they are paid.

-- Without a row an organization has what a row has by default, and its portal is closed.
create table portals (
  organization_id bigint not null references organizations,
  slug text check (length(slug) between 1 and 63), -- null: closed
  name text check (length(name) between 1 and 255), -- null: the organization's
  accent text not null default '#4f46e5' check (accent ~ '^#[0-9a-f]{6}$'),
  logo_type text check (logo_type in ('image/png', 'image/svg+xml', 'image/webp')),
  logo bytea check (length(logo) <= 65536),
  support_email text,
  terms_url text,
  landing_url text, -- where links lead
  ref_parameter text not null default 'ref',
  embed_origins text[] not null default '{}',
  updated_at timestamptz not null default now(),
  primary key (organization_id),
  check ((logo is null) = (logo_type is null)),
  check (slug is null or landing_url is not null)
);

-- Whose a slug is, over the whole installation: who comes by it gives no organization.
create table portal_slugs (
  slug text primary key,
  organization_id bigint not null
);

-- A program without a row is closed.
create table program_sign_ups (
  organization_id bigint not null references organizations,
  program_id bigint not null,
  mode text not null check (mode in ('closed', 'approval', 'open')),
  headline text,
  question text,
  updated_at timestamptz not null default now(),
  primary key (organization_id, program_id),
  foreign key (organization_id, program_id) references programs
);

-- Links that let somebody in, and codes for who can't follow one. Gone once used, and a while after their end.
create table entry_links (
  organization_id bigint not null references organizations,
  hash bytea not null check (length(hash) = 32), -- SHA-256 of the link's token
  code bytea not null, -- sealed: a code is short, so a hash of it would tell it
  wrong_codes integer not null default 0, -- that were tried for its address since it was made
  address text not null, -- in lower case
  collaborator_id bigint, -- whom it lets in
  sign_up json, -- or what is asked for by following it: program, name, answer, wished code; neither: it lets nobody in
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (organization_id, hash),
  foreign key (organization_id, collaborator_id) references collaborators,
  check (num_nonnulls(collaborator_id, sign_up) <= 1)
);
create index entry_links_address on entry_links (address, organization_id);
create index entry_links_ended on entry_links (expires_at);

-- What was signed up for, once the address was confirmed.
create table sign_ups (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  collaborator_id bigint not null,
  program_id bigint not null,
  question text, -- as it was asked
  answer text,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, collaborator_id, program_id),
  foreign key (organization_id, collaborator_id) references collaborators,
  foreign key (organization_id, program_id) references programs
);

-- How a collaborator wants to be paid: method, holder, account.
create table payout_details (
  organization_id bigint not null references organizations,
  collaborator_id bigint not null,
  details bytea not null, -- JSON, sealed
  updated_at timestamptz not null default now(),
  primary key (organization_id, collaborator_id),
  foreign key (organization_id, collaborator_id) references collaborators
);

-- Whoever asks for a link gives an address.
create index collaborators_address on collaborators (organization_id, lower(email)) where id > 0 and email is not null;

-- Whoever signs up gets a code that nobody else has had: its links may still be about.
create index aliases_codes on aliases (organization_id, code_key) where id > 0;
