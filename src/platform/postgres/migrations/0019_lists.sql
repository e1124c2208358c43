-- Lists of collaborators and of the audit that are as long as those of sales: see docs/decisions/0029-lists-of-millions.md.

create index collaborators_by_name on collaborators (organization_id, name, id) where id > 0;
create index collaborators_by_time on collaborators (organization_id, created_at) where id > 0;
create index collaborators_by_change on collaborators (organization_id, updated_at) where id > 0;
create index collaborators_rare on collaborators (organization_id, status, id) where status <> 'active' and id > 0;
create index collaborators_email on collaborators (organization_id, email) where email is not null and id > 0;
create index collaborators_nickname on collaborators (organization_id, nickname) where nickname is not null and id > 0;
create index collaborators_user on collaborators (organization_id, user_id) where user_id is not null and id > 0;

create index audit_entries_by_time on audit_entries (organization_id, at) where id > 0;
create index audit_entries_operation on audit_entries (organization_id, operation, id) where id > 0;
create index audit_entries_author on audit_entries (organization_id, author, id) where id > 0;

-- Every three letters that stand beside each other, with whose they are: what holds a text holds all of its threes, so a
-- part of a name is found by an index, without an extension that a server may lack. Shorter texts have none. The cost keeps
-- the planner from working them out row by row.
create function search_threes(organization_id bigint, words text) returns text[]
language sql immutable parallel safe cost 1000
return array(
  select organization_id || ':' || substr(words, place, 3) from generate_series(1, length(words) - 2) as place
);

-- Only a search says these words, so they need no `where id > 0`; and of partial indexes the planner keeps no statistics,
-- which tell how many have a text. Without a list of what is new, which each search would read.
create index collaborators_search on collaborators using gin (search_threes(
  organization_id, lower(name || chr(10) || coalesce(nickname, '') || chr(10) || coalesce(email, ''))
)) with (fastupdate = off);
create index aliases_search on aliases using gin (search_threes(organization_id, lower(code))) with (fastupdate = off);
