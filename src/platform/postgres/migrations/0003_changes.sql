-- What people change by the interface: the answers that are kept for those who send a POST again, and who changed what.

-- The answer to a POST under its Idempotency-Key, written in the transaction of what it did. Goes away after a day.
create table idempotency_answers (
  organization_id bigint not null references organizations,
  key_hash bytea not null check (length(key_hash) = 32), -- SHA-256 of the key: it may be a word of the caller's own
  fingerprint bytea not null check (length(fingerprint) = 32), -- SHA-256 of the request
  answer bytea not null, -- JSON
  sealed boolean not null, -- because it shows a secret: see store/secret-box.ts
  created_at timestamptz not null default now(),
  primary key (organization_id, key_hash)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index idempotency_answers_old on idempotency_answers (created_at);

-- One row for each call that changed something, written in the transaction of the change.
create table audit_entries (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  author text not null,
  operation text not null,
  path text not null,
  -- As JSON was written, with its numbers and its order: `jsonb` would change both, and refuse some text.
  request json,
  before json,
  after json,
  primary key (organization_id, id)
);
create index audit_entries_path on audit_entries (path, id, organization_id);

create trigger audit_entries_append_only before update or delete or truncate on audit_entries
  for each statement execute function refuse_change();
