-- Counters of attempts and outgoing email: tables of the platform that no area owns.

-- Attempts of all processes, such as logins. A bucket holds the time at which none of its attempts counts any longer.
-- Each attempt moves it later.
create table throttles (
  bucket bytea primary key check (length(bucket) = 32), -- SHA-256 of what is counted, so it holds no address
  full_at timestamptz not null
);
create index throttles_full on throttles (full_at);

-- Outgoing email, written in the transaction of what it reports and deleted once sent.
create table outgoing_emails (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  message bytea not null, -- encrypted: address, subject and text, which may contain login links
  tries integer not null default 0,
  due_at timestamptz not null default now(), -- of the next try; while one is running, when it counts as lost
  expires_at timestamptz not null, -- when it is no longer worth sending
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create index outgoing_emails_due on outgoing_emails (due_at);
