-- The portal: the partner agreement, sign-ups of collaborators, and their login links. The portal's settings are in
-- 02-organizations.sql.

-- The sign-up settings of programs. A program without a row accepts no sign-ups.
create table program_sign_ups (
  organization_id bigint not null references organizations,
  program_id bigint not null,
  mode text not null check (mode in ('closed', 'approval', 'open')),
  headline text,
  fields jsonb not null default '[]', -- the application form: portal/domain/application-form.ts
  -- With the mode `approval`: applicants with a confirmed address in one of these domains are accepted at once.
  accepted_domains text[] not null default '{}' check (cardinality(accepted_domains) <= 100),
  -- This number of applicants from one network within 7 days, or more, is a fraud signal. Null: off.
  sign_ups_from_network smallint default 3 check (sign_ups_from_network between 2 and 100),
  updated_at timestamptz not null default now(),
  primary key (organization_id, program_id),
  foreign key (organization_id, program_id) references programs
);

-- Login and sign-up links. Each has a code for a recipient who can't open the link. A link is deleted once it is used,
-- or an hour after it expires.
create table entry_links (
  organization_id bigint not null references organizations,
  hash bytea not null check (length(hash) = 32), -- SHA-256 of the link's token
  code bytea not null, -- encrypted: a hash of a short code could be reversed
  address text not null, -- in lower case
  collaborator_id bigint, -- the collaborator who logs in with the link
  -- The requested sign-up: program, name, answers and requested code. If this column and collaborator_id are both null,
  -- the link has no effect.
  sign_up json,
  -- HMAC of the network that requested the code. Wrong codes from that network are counted separately, so that
  -- strangers can't void a code by guessing.
  asked_from bytea check (length(asked_from) = 32),
  own_wrong_codes integer not null default 0, -- wrong codes entered from that network
  wrong_codes integer not null default 0, -- wrong codes entered for this address from other networks
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (organization_id, hash),
  foreign key (organization_id, collaborator_id) references collaborators,
  check (num_nonnulls(collaborator_id, sign_up) <= 1)
);
create index entry_links_address on entry_links (address, organization_id);
create index entry_links_ended on entry_links (expires_at);

-- Applications to programs, written once the address is confirmed.
create table sign_ups (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  collaborator_id bigint not null,
  program_id bigint not null,
  answers jsonb not null default '[]', -- each with its label as the applicant saw it
  created_at timestamptz not null default now(),
  -- HMAC of the organization and the applicant's network: portal/domain/sign-up-network.ts. Deleted after 30 days.
  network bytea check (length(network) = 32),
  -- The highest number of applicants from the network within 7 days, at most 100. 0: the network is not known.
  applicants_from_network smallint not null default 0,
  primary key (organization_id, id),
  unique (organization_id, collaborator_id, program_id),
  foreign key (organization_id, collaborator_id) references collaborators,
  foreign key (organization_id, program_id) references programs
);
create index sign_ups_network on sign_ups (organization_id, network, created_at) where network is not null;
create index sign_ups_with_network on sign_ups (created_at) where network is not null;

-- The partner agreement of an organization. Each published text is a version, and the newest version is in force.
create table agreement_versions (
  organization_id bigint not null references organizations,
  version integer not null check (version > 0),
  text text check (length(text) between 1 and 50000), -- null: this version withdraws the agreement
  author text not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, version)
);

create trigger agreement_versions_append_only before update or delete or truncate on agreement_versions
  for each statement execute function refuse_change();

-- The versions of the agreement that collaborators accepted, in the portal or with a confirmed sign-up.
create table agreement_acceptances (
  organization_id bigint not null,
  collaborator_id bigint not null,
  version integer not null,
  accepted_at timestamptz not null default now(),
  primary key (organization_id, collaborator_id, version),
  foreign key (organization_id, collaborator_id) references collaborators,
  foreign key (organization_id, version) references agreement_versions
);

-- Links with which partners join a program without a review. The merchant can copy a link again, so its token is stored
-- in plain text.
create table invitation_links (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  token text not null check (length(token) = 43),
  program_id bigint not null,
  note text check (length(note) between 1 and 255),
  tags text[] not null default '{}' check (cardinality(tags) <= 20), -- added to partners who join with it
  max_uses integer check (max_uses > 0), -- null: no limit
  reward jsonb, -- the custom rate of partners who join with it, as in program_versions; null: the program's rate
  author text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, token),
  foreign key (organization_id, program_id) references programs
);

-- The collaborators who joined with an invitation link. A collaborator uses a link at most once.
create table invitation_uses (
  organization_id bigint not null,
  link_id bigint not null,
  collaborator_id bigint not null,
  used_at timestamptz not null default now(),
  primary key (organization_id, link_id, collaborator_id),
  foreign key (organization_id, link_id) references invitation_links,
  foreign key (organization_id, collaborator_id) references collaborators
);
