-- What a collaborator has, by the time or the id of it: see docs/decisions/0029-lists-of-millions.md. These indexes don't say
-- whose organization it is: a collaborator is of one, so that their rows are still counted in an index alone.

-- The newest by id were to be had, while a walk by time passed by all that others have had since.
drop index engagements_collaborator;
create index engagements_collaborator on engagements (collaborator_id, first_at) where copy_of is null and id > 0;

-- What a span of a program's limit has is found by it too.
drop index conversions_collaborator;
create index conversions_collaborator on conversions (collaborator_id, id);

drop index obligations_collaborator;
create index obligations_collaborator on obligations (collaborator_id, id) where id > 0;

-- In words that a range of the time says as well: a transaction has one exactly where it is refunded.
drop index transactions_refunds;
create index transactions_refunds on transactions (organization_id, id) where refunded_at is not null and id > 0;
create index transactions_refunds_by_time on transactions (organization_id, occurred_at) where refunded_at is not null and id > 0;

-- What is frequent is not always what is newest: of a program that rests, and of what was paid before the last pending ones.
drop index conversions_program;
create index conversions_program on conversions (program_id, id) where id > 0;
create index obligations_fulfilled on obligations (organization_id, id) where status = 'fulfilled' and id > 0;
