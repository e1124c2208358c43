-- Keys that follow others, and what rate limits tell each other.

-- The key that took over, when this one was rotated.
alter table api_keys add column replaced_by bigint;
alter table api_keys add foreign key (organization_id, replaced_by) references api_keys;

-- How many requests of a limited key (and address) each process has let through, so that several processes let through
-- about the limit together. Only what is busy at this moment has rows; each process writes its own, once a second.
-- Unlogged: after a crash of the database it is empty, and right again a second later.
create unlogged table rate_usage (
  organization_id bigint not null,
  bucket bytea not null check (length(bucket) = 16), -- half the SHA-256 of key and address; the address itself is nowhere
  process uuid not null,
  taken bigint not null, -- since the process began to count
  lately integer not null, -- of these, in its last second
  told_at timestamptz not null,
  primary key (organization_id, bucket, process)
) with (fillfactor = 50);
