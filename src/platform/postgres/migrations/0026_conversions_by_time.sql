-- What a collaborator has earned in a span of time, or has had changed since, without what others have had meanwhile.
create index conversions_collaborator_by_time on conversions (collaborator_id, created_at) where id > 0;
create index conversions_collaborator_by_change on conversions (collaborator_id, updated_at) where id > 0;
