-- As those of conversions before it.
create index obligations_collaborator_by_time on obligations (collaborator_id, created_at) where id > 0;
create index obligations_collaborator_by_change on obligations (collaborator_id, updated_at) where id > 0;
