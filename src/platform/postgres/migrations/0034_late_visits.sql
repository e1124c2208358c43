-- By when they were reported, those alone that occurred at another moment: figures are added up in that order.
create index visits_late on visits (organization_id, reported_at) where reported_at is not null and id > 0;
