-- What a collaborator has, by the time of it: see docs/decisions/0029-lists-of-millions.md.
--
-- The newest by id were to be had, while a walk by time passed by all that others have had since. That index says no
-- organization, nor does the one by id that now counts alone: a collaborator is of one organization only.

drop index engagements_collaborator;
create index engagements_collaborator on engagements (collaborator_id, first_at) where copy_of is null and id > 0;

-- It counts, and has the order of, a collaborator's conversions; what is awarded in a span of a program's limit is found by it too.
drop index conversions_collaborator;
create index conversions_collaborator on conversions (collaborator_id, id);
