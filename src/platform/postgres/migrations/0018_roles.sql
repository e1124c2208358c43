-- For a service whose role may read and write rows and nothing else: see docs/decisions/0042-roles-of-the-database.md. What
-- it changes of the schema all the same, and what else takes an owner, it does by these functions, as the owner. Whoever
-- else is let do so by a grant.

-- The table alone, without its row in visit_partitions. Attached, and not made in its place: that would lock out everybody
-- who reads or writes visits.
create function make_visit_partition(number bigint) returns void language plpgsql security definer as $$
begin
  if number < 0 then
    raise exception 'no number of a partition: %', number using errcode = 'invalid_parameter_value';
  end if;
  execute format('create table visits_%s (like visits including defaults including constraints)', number);
  execute format('alter table visits attach partition visits_%s for values from (%s) to (%s)',
    number, number << 32, (number + 1) << 32);
end $$;

-- Never the one in use, nor one that is still to be.
create function drop_visit_partition(number bigint) returns void language plpgsql security definer as $$
begin
  if number < 0 or number >= coalesce(pg_sequence_last_value('event_ids') >> 32, 0) then
    raise exception 'visits_% is in use', number using errcode = 'restrict_violation';
  end if;
  execute format('drop table visits_%s', number);
end $$;

-- Looks at a thirtieth of what PostgreSQL would look at; one that is being looked at already is passed over.
create function take_statistics(tables regclass[]) returns void language plpgsql security definer
set default_statistics_target = 10 as $$
begin
  execute (select 'analyze (skip_locked) ' || string_agg(t::text, ', ') from unnest(tables) t);
end $$;

-- Nobody writes entries until the transaction ends.
create function hold_ledger() returns void language plpgsql security definer as $$
begin
  lock table ledger_entries in share mode;
end $$;

-- Names are looked for here alone, whatever a caller has made under the same name.
do $$
declare name text;
begin
  foreach name in array '{make_visit_partition(bigint), drop_visit_partition(bigint), take_statistics(regclass[]), hold_ledger()}'::text[]
  loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
    execute format('revoke execute on function %s from public', name);
  end loop;
end $$;
