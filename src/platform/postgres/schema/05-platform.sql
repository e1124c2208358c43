-- Rate limits, counters of attempts and outgoing email: tables of the platform that no area owns.

-- How many requests of a limited key (and address) each process has let through, so that several processes together let
-- through about the limit. Only buckets in use have rows, and each process writes its own once a second. Unlogged,
-- because it is rebuilt within a second of a crash.
create unlogged table rate_usage (
  organization_id bigint not null,
  bucket bytea not null check (length(bucket) = 16), -- half of the SHA-256 of key and address
  process uuid not null,
  taken bigint not null, -- since the process began to count
  lately integer not null, -- of these, in its last second
  told_at timestamptz not null,
  primary key (organization_id, bucket, process)
) with (fillfactor = 50);

-- Attempts of all processes, such as logins. A bucket holds the time at which none of its attempts counts any longer.
-- Each attempt moves it later.
create table throttles (
  bucket bytea primary key check (length(bucket) = 32), -- SHA-256 of what is counted, so it holds no address
  full_at timestamptz not null
);
create index throttles_full on throttles (full_at);

-- Outgoing email, written in the transaction of what it reports and deleted once sent.
create table mails (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  message bytea not null, -- encrypted: address, subject and text, which may contain login links
  tries integer not null default 0,
  due_at timestamptz not null default now(), -- of the next try; while one is running, when it counts as lost
  expires_at timestamptz not null, -- when it is no longer worth sending
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create index mails_due on mails (due_at);
