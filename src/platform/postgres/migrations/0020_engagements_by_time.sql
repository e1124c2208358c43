-- What somebody has in the order of a list, where a walk would pass by all that others have had since: see docs/decisions/0029-lists-of-millions.md.
-- One by a collaborator doesn't say whose organization it is: a collaborator is of one, so their rows are counted in it alone.
--
-- This one and the next are of a table each: whoever writes it waits for the build, and holds nothing that another one wants.
-- What they stand in for goes last.

create index engagements_collaborator_by_time on engagements (collaborator_id, first_at) where copy_of is null and id > 0;
