-- The platform's own tables: counters of attempts, and outgoing email.

-- Counts of attempts, such as logins, across all processes. A row stores the time at which its attempts stop counting.
-- Each attempt moves that time later.
create table throttles (
  -- HMAC-SHA-256 of the name of the limit and of the counted address or person, so that no address is stored.
  bucket bytea primary key check (length(bucket) = 32),
  full_at timestamptz not null
);
create index throttles_full on throttles (full_at);

-- Outgoing emails, written in the transaction of the change that they report. A row is deleted once the email is sent
-- or has expired.
create table outgoing_emails (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  message bytea not null, -- encrypted: address, subject and text, which may contain login links
  tries integer not null default 0,
  due_at timestamptz not null default now(), -- when to try next; during a try, when the try counts as lost
  expires_at timestamptz not null, -- when it is too late to send it
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create index outgoing_emails_due on outgoing_emails (due_at);
create index outgoing_emails_by_expiry on outgoing_emails (organization_id, expires_at, id, due_at);
