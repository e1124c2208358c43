-- Notification emails to partners, for example about a first click or a paid payout (decision 69). The worker records a
-- notice for each event that a partner is emailed about, then emails a partner's notices together. The kinds are in
-- notifications/domain/partner-email.ts.

-- The kinds of emails that an organization sends to its partners, and how far the worker has searched for new notices.
-- The row is created once the portal is open, or when the kinds are first changed. The search starts at that time, so
-- that no partner is emailed about anything earlier.
create table partner_emails (
  organization_id bigint not null references organizations,
  kinds text[] not null,
  block_number bigint not null, -- the last block of the ledger chain that was searched
  config_version bigint not null, -- the last version that was searched for changed rates and rejected applicants
  clicks_since timestamptz not null default now(), -- earlier clicks cause no email about a first click
  updated_at timestamptz not null default now(),
  primary key (organization_id)
);

-- The kinds of email that a partner doesn't want.
create table partner_email_mutes (
  organization_id bigint not null,
  collaborator_id bigint not null,
  kinds text[] not null,
  primary key (organization_id, collaborator_id),
  foreign key (organization_id, collaborator_id) references collaborators
);

-- One row for each event that a partner is emailed about. The row stays for 90 days after the email, so that no partner
-- is emailed twice about the same event.
create table partner_notices (
  organization_id bigint not null,
  collaborator_id bigint not null,
  kind text not null,
  -- The conversion, payout, configuration version or announcement. For a first click or a rejected application, 0.
  subject_id bigint not null,
  noted_at timestamptz not null default now(),
  sent_at timestamptz, -- also set if the partner does not want the email, or has no address
  primary key (organization_id, collaborator_id, kind, subject_id),
  foreign key (organization_id, collaborator_id) references collaborators
);
create index partner_notices_waiting on partner_notices (organization_id, noted_at) where sent_at is null;
create index partner_notices_old on partner_notices (sent_at) where sent_at is not null;

-- How often a person gets the digest (decision 75), and the last day for which it was sent. A person without a row has
-- the default frequency of the role.
create table person_digests (
  organization_id bigint not null,
  person_id bigint not null,
  frequency text check (frequency in ('never', 'daily', 'weekly')), -- null: the default frequency of the role
  changed_at timestamptz not null default now(), -- when the person chose the frequency
  sent_for date, -- also set if nothing waited, so that no email was sent
  primary key (organization_id, person_id),
  foreign key (organization_id, person_id) references people
);

-- Emails that the merchant wrote to many partners. Each recipient has a notice of the kind `announcement`.
create table announcements (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  program_id bigint, -- null: partners of any program
  tag text, -- null: regardless of their tags
  subject text not null check (length(subject) between 1 and 150),
  text text not null check (length(text) between 1 and 10000),
  recipients integer not null check (recipients > 0),
  author text not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, program_id) references programs
);

create trigger announcements_append_only before update or delete or truncate on announcements
  for each statement execute function refuse_change();
