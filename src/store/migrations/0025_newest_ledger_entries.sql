-- The entries of a collaborator lie all over the table: a page in the order of their keys reads no others, and they are counted in it alone.
create index ledger_entries_newest on ledger_entries (collaborator_id, id) where id > 0;
