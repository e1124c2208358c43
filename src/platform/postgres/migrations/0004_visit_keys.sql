-- The Idempotency-Key of a report that touches stands in the row of its own event (of its first, where it has several):
-- so it is kept if and only if the visit is, and the batch stays one statement. Both columns are hashes, cut to 16 bytes:
-- of who sent the key with the key, and of what was reported. Null, which takes no room, without a key and once it is old.

alter table visits
  add idempotency_key bytea check (length(idempotency_key) = 16),
  add request_hash bytea check (length(request_hash) = 16),
  add check ((idempotency_key is null) = (request_hash is null));
create unique index visits_idempotency on visits (organization_id, idempotency_key) where idempotency_key is not null;
-- The oldest first: keys are let go in the order of their events.
create index visits_keyed on visits (id, organization_id) where idempotency_key is not null;
