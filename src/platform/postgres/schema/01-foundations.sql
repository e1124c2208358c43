-- The baseline schema: these files in the order of their names create everything on an empty database. Each table is
-- below the tables that it refers to. Later changes are migrations.
--
-- Every table except organizations leads its keys with organization_id. So the rows of one organization lie together,
-- and a database that is spread over machines can distribute on that column.
--
-- Other indexes begin with their own column. While tables are empty, the planner considers every index that begins with
-- the organization as good as the primary key, and plans made then are kept. Indexes of lists do begin with the
-- organization, so that the list of a small one doesn't walk through the rows of a large one. They are partial instead,
-- on a condition that is always true and that only lists state: `id > 0`. No other statement can use them. See
-- decision 54.
--
-- Most of these indexes have two columns. A full page of an index splits where rows are added in turn for several
-- organizations. PostgreSQL leaves it full if an entry is no wider than two numbers, and half empty otherwise. So an
-- index by time ends with the time, and rows of the same moment are sorted by id when they are read.

-- An amount: an integer in the smallest unit of its currency, which is in a column beside it. Within ±(2^53 − 1).
create domain minor as bigint check (value between -9007199254740991 and 9007199254740991);

-- The decision sequence, which is also the source of all event ids. A report draws its id after it has locked its
-- opportunity, so within an opportunity the order of ids is the order of commits. A cached block of numbers would break
-- that order.
create sequence event_ids cache 1;

-- Returns an event id up to which all reports of an organization are committed or have failed. Each statement that
-- writes a report holds the shared lock from before it draws the id of its event until its transaction ends. The
-- exclusive lock waits for those statements, and is released at once with the block that is rolled back.
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

-- The trigger function of append-only tables.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

-- Returns every three adjacent letters of a text, prefixed with the organization. A text that contains another one
-- contains all of its threes, so an index finds part of a name without an extension that a server may lack. Texts of
-- one or two letters have none. The cost keeps the planner from computing them row by row.
create function search_threes(organization_id bigint, words text) returns text[]
language sql immutable parallel safe cost 1000
return array(
  select organization_id || ':' || substr(words, place, 3) from generate_series(1, length(words) - 2) as place
);
