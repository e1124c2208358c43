create index obligations_newest on obligations (collaborator_id, id) where id > 0;
-- What was paid lies before all that has come since.
create index obligations_fulfilled on obligations (organization_id, id) where status = 'fulfilled' and id > 0;
