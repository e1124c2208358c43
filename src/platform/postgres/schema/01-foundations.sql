-- The baseline schema. These files, in the order of their names, create everything in an empty database. A table is
-- created after the tables that it refers to. Later changes are migrations.
--
-- The primary key of each table with an organization's rows starts with organization_id, except in organizations,
-- portal_slugs and domains. So the rows of one organization are stored together, and a distributed database can use
-- that column as its distribution key.
--
-- Most other indexes start with another column. While tables are empty, the planner considers every index that starts
-- with the organization as good as the primary key, and cached plans keep that choice. Indexes for lists still start
-- with the organization, so that the list of a small organization doesn't scan the rows of a large organization. Most
-- of these indexes have the condition `id > 0`, which is always true, and which only the statements of lists contain.
-- So no other statement can use these indexes. See decision 54.
--
-- Most of the indexes for lists have two columns. A full index page splits when rows of several organizations are added
-- alternately. PostgreSQL leaves the page full if an index entry is no wider than two numbers, and half empty
-- otherwise. So an index by time ends with the time, and rows of the same moment are sorted by id when they are read.

-- An amount: an integer within ±(2^53 − 1), in hundredths of the major unit of its currency. The currency is in a
-- separate column.
create domain minor as bigint check (value between -9007199254740991 and 9007199254740991);

-- The decision sequence, which also supplies all event ids. A report draws its id after it has locked its opportunity.
-- So within an opportunity, the order of ids is the order of commits. A cached block of numbers would break that order.
create sequence event_ids cache 1;

-- Returns an event id up to which all reports of an organization are committed or have failed. A statement that writes
-- a report takes the shared lock before it draws the event's id, and keeps the lock until its transaction ends. The
-- exclusive lock waits for all such statements. It is released immediately, because the exception rolls back the block
-- that took it.
create function last_settled_event(lock_class integer, lock_key integer) returns bigint language plpgsql as $$
declare
  settled bigint;
begin
  settled := coalesce(pg_sequence_last_value('event_ids'::regclass), 0);
  begin
    perform pg_advisory_xact_lock(lock_class, lock_key);
    raise exception sqlstate 'WH001';
  exception when sqlstate 'WH001' then
    return settled;
  end;
end $$;

-- A trigger function that refuses the statement. Its triggers protect append-only tables, and tables whose rows are
-- never deleted.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

-- Returns all sequences of three adjacent characters of a text, each prefixed with the organization. A text that
-- contains another text also contains all sequences of that text. So an index finds a part of a name, without an
-- extension that a server may lack. Texts of one or two characters have no sequences. The high cost keeps the planner
-- from computing the sequences row by row.
create function search_threes(organization_id bigint, words text) returns text[]
language sql immutable parallel safe cost 1000
return array(
  select organization_id || ':' || substr(words, place, 3) from generate_series(1, length(words) - 2) as place
);
