-- What a decision counts is as of its own event, however late it is made: see docs/decisions/0014-ticks-and-replay.md.
-- Every new column is null or false in existing rows, which nothing rewrites. Null stands for a place before all events
-- that are yet to be decided.

alter table conversions
  add event_id bigint, -- what it was awarded for: the report, or the credit
  add rejected_event_id bigint; -- what rejected it: the refund, or the decision sequence's number of a person's rejection

-- By program and collaborator, the conversions that were awarded or rejected last.
create index conversions_by_event on conversions
  (collaborator_id, program_id, greatest(event_id, rejected_event_id))
  where greatest(event_id, rejected_event_id) is not null;

alter table engagements
  add opened_by bigint, -- the refund that opened it again, or the sale whose later touches it has
  add absorbed_by bigint; -- the refund for which it went over into another row

-- Decided as of its event. False: by a release that counted whatever had been decided before.
alter table explanations add as_of_event boolean not null default false;

-- Returns an event id up to which all reports of an organization are committed or have failed. Each statement that
-- writes a report holds the shared lock from before it draws the id of its event until its transaction ends. The
-- exclusive lock waits for those, and is given back at once with the block that is undone.
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
