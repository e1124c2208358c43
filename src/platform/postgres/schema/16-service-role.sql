-- Functions for a service whose role can only read and write rows (decision 42). They run as the owner, so that the
-- service can create and drop partitions, update statistics and lock the ledger. Other roles need a grant to call them.

-- Creates the table of a partition, without its row in visit_partitions. The table is created first and then attached,
-- so that readers and writers of visits aren't blocked.
create function make_visit_partition(number bigint) returns void language plpgsql security definer as $$
begin
  if number < 0 then
    raise exception 'a partition number must not be negative: %', number using errcode = 'invalid_parameter_value';
  end if;
  execute format('create table visits_%s (like visits including defaults including constraints)', number);
  execute format('alter table visits attach partition visits_%s for values from (%s) to (%s)',
    number, number << 32, (number + 1) << 32);
end $$;

-- Drops a past partition. Refuses to drop the current partition and future partitions.
create function drop_visit_partition(number bigint) returns void language plpgsql security definer as $$
begin
  if number < 0 or number >= coalesce(pg_sequence_last_value('event_ids') >> 32, 0) then
    raise exception 'visits_% is in use', number using errcode = 'restrict_violation';
  end if;
  execute format('drop table visits_%s', number);
end $$;

-- Updates the planner's statistics of the given tables. Samples a tenth of the rows that PostgreSQL would sample by
-- default. Skips tables that another process is analyzing.
create function take_statistics(tables regclass[]) returns void language plpgsql security definer
set default_statistics_target = 10 as $$
begin
  execute (select 'analyze (skip_locked) ' || string_agg(t::text, ', ') from unnest(tables) t);
end $$;

-- Prevents other transactions from adding ledger entries until the transaction ends.
create function lock_ledger() returns void language plpgsql security definer as $$
begin
  lock table ledger_entries in share mode;
end $$;

-- Restricts the functions to names in this schema, even if a caller has created objects with the same names elsewhere.
do $$
declare name text;
begin
  foreach name in array '{make_visit_partition(bigint), drop_visit_partition(bigint), take_statistics(regclass[]), lock_ledger()}'::text[]
  loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
    execute format('revoke execute on function %s from public', name);
  end loop;
end $$;
