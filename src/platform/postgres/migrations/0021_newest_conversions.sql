-- What a span of a program's limit has is found by the first too.
create index conversions_newest on conversions (collaborator_id, id);
-- What is frequent is not always what is newest: a program may rest.
create index conversions_program_newest on conversions (program_id, id) where id > 0;
