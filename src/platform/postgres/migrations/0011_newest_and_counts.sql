-- What the list of a collaborator counts is counted by the index alone: all that the list says is in it. A count that looks
-- at the rows reads as many pages, which lie anywhere [10,000 engagements: 500 ms from disk, 2 ms by the index].
drop index engagements_collaborator;
create index engagements_collaborator on engagements (collaborator_id, organization_id) where copy_of is null and id > 0;
drop index obligations_collaborator;
create index obligations_collaborator on obligations (collaborator_id, organization_id) where id > 0;

-- What a payout has taken lies together, far back in the list, where the planner thinks that it lies anywhere: with the id
-- the index has it in the order of the list [the newest of 25,000 entries among a million: 0.3 s before].
drop index obligations_payout;
create index obligations_payout on obligations (payout_id, id) where payout_id is not null;
drop index ledger_entries_payout;
create index ledger_entries_payout on ledger_entries (payout_id, id) where payout_id is not null;

-- The newest engagements of a program or a collaborator, and the newest refunded sales: some ten thousand rows that lie far
-- from each other would be read and sorted for a page [40 ms].
drop index engagements_program;
create index engagements_program on engagements (program_id, id) where id > 0;
create index engagements_newest on engagements (collaborator_id, id) where copy_of is null and id > 0;
create index transactions_refunds on transactions (organization_id, id) where status = 'refunded' and id > 0;
