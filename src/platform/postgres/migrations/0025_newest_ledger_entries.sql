-- The entries of a collaborator by their time lie all over the table: the newest few are found without reading the others.
create index ledger_entries_newest on ledger_entries (collaborator_id, id) where id > 0;
