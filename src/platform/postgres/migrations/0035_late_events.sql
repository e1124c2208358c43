-- As 0034, of events.
create index events_late on events (organization_id, reported_at) where reported_at is not null and id > 0;
