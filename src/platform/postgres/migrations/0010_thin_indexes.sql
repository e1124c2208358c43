-- The indexes of 0009 made small, and those dropped that another one can stand in for: see docs/decisions/0029-lists-of-millions.md.
-- Two columns at most begin with the organization. A page of an index that is full splits where rows are added in turn for
-- several organizations: PostgreSQL leaves it full as long as an entry is no wider than two numbers, and half empty above.
-- So an index by time ends with the time: rows of the same moment lie together, and are sorted by their ids when they are read.

drop index opportunities_by_time;
create index opportunities_by_time on opportunities (organization_id, created_at) where id > 0;

-- Visits of one opportunity are few, and all of them are read. What continues one takes six bytes.
drop index visits_by_time;
create index visits_by_time on visits (organization_id, occurred_at) where id > 0;
drop index visits_opportunity;
create index visits_opportunity on visits (opportunity_id, organization_id);

drop index engagements_by_time;
create index engagements_by_time on engagements (organization_id, first_at) where id > 0;

-- A statement that writes a transaction writes its one event, which the transaction names.
drop index events_reported;
drop index events_by_time;
create index events_by_time on events (organization_id, occurred_at) where id > 0;

-- None by amount: lists are sorted by it up to a limit.
drop index transactions_by_time;
create index transactions_by_time on transactions (organization_id, occurred_at) where id > 0;
drop index transactions_by_total;

drop index conversions_by_time;
create index conversions_by_time on conversions (organization_id, created_at) where id > 0;
drop index conversions_by_change;
create index conversions_by_change on conversions (organization_id, updated_at) where id > 0;
drop index conversions_by_amount;
drop index conversions_collaborator;
create index conversions_collaborator on conversions (collaborator_id, organization_id);
-- A conversion is of the opportunity of its transaction.
drop index conversions_opportunity;
drop index conversions_engagement;
create index conversions_engagement on conversions (engagement_id) where engagement_id is not null;
drop index conversions_open;
create index conversions_pending on conversions (organization_id, id) where status = 'pending' and id > 0;
create index conversions_rejected on conversions (organization_id, id) where status = 'rejected' and id > 0;

drop index obligations_by_time;
create index obligations_by_time on obligations (organization_id, created_at) where id > 0;
drop index obligations_by_change;
create index obligations_by_change on obligations (organization_id, updated_at) where id > 0;
drop index obligations_by_amount;
drop index obligations_collaborator;
create index obligations_collaborator on obligations (collaborator_id, organization_id);
drop index obligations_open;
drop index obligations_pending;
create index obligations_pending on obligations (organization_id, id) where status = 'pending' and id > 0;
create index obligations_draft on obligations (organization_id, id) where status = 'draft' and id > 0;
create index obligations_rejected on obligations (organization_id, id) where status = 'rejected' and id > 0;
-- One obligation a conversion, and any number of claw-backs, which are few.
drop index obligations_conversion;
create unique index obligations_conversion on obligations (organization_id, conversion_id) where amount >= 0;
create index obligations_clawed_back on obligations (conversion_id, organization_id) where amount < 0;
create index obligations_owing on obligations (collaborator_id, organization_id) where amount < 0 and status = 'pending';

-- A statement reads all entries of its span.
drop index ledger_entries_collaborator;
create index ledger_entries_collaborator on ledger_entries (collaborator_id, occurred_at);
drop index ledger_entries_by_time;
create index ledger_entries_by_time on ledger_entries (organization_id, occurred_at) where id > 0;
drop index ledger_entries_obligation;
create index ledger_entries_obligation on ledger_entries (obligation_id) where obligation_id is not null;
-- Awards are met on the way through the key. What a run or a review writes, it writes all at once.
drop index ledger_entries_kind;
create index ledger_entries_fulfilled on ledger_entries (organization_id, id) where kind = 'fulfil' and id > 0;
create index ledger_entries_approved on ledger_entries (organization_id, id) where kind = 'approve' and id > 0;
create index ledger_entries_rare on ledger_entries (organization_id, kind, id)
  where kind not in ('award', 'approve', 'fulfil') and id > 0;
