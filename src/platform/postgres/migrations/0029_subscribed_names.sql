-- Names under which clients of other implementations of this interface subscribe to webhooks (docs/webhooks.md). A name is
-- noted only where a webhook lists it: a webhook without a list gets the same facts under our own types.
--
-- The functions of transactions and events, through which reports are written, look for a webhook once per statement as
-- before. Names of visits, engagements and opportunities are noted by triggers of rows with a condition, so that a visit
-- pays nothing for them.

create function named_news(organization bigint, types text[]) returns text[] language plpgsql as $$
begin
  return array(
    select t.type from unnest(types) with ordinality as t (type, n)
    where exists (
      select from webhooks w
      where w.organization_id = organization and w.status <> 'deleted' and t.type = any (w.events))
    order by t.n);
end $$;

-- The first argument is our own type, the others are names.
create function note_reported() returns trigger language plpgsql as $$
declare
  organization bigint := (select organization_id from after limit 1);
begin
  if exists (
    select from webhooks w
    where w.organization_id = organization and w.status <> 'deleted' and (w.events is null or w.events && tg_argv)
  ) then
    insert into webhook_news (organization_id, type, resource_id)
    select a.organization_id, t.type, a.id
    from after a
    join unnest(wanted_news(organization, tg_argv[0:0]) || named_news(organization, tg_argv[1:]))
      with ordinality as t (type, n)
      on t.type in ('transaction.created', 'transaction.completed', a.type || '.created')
    order by a.id, t.n;
  end if;
  return null;
end $$;

create or replace function note_refunded() returns trigger language plpgsql as $$
declare
  organization bigint := (select organization_id from after limit 1);
begin
  if exists (
    select from webhooks w
    where w.organization_id = organization and w.status <> 'deleted' and (w.events is null or w.events && tg_argv)
  ) then
    insert into webhook_news (organization_id, type, resource_id)
    select a.organization_id, t.type, a.transaction_id
    from after a
    cross join unnest(wanted_news(organization, tg_argv[0:0]) || named_news(organization, tg_argv[1:]))
      with ordinality as t (type, n)
    where a.type = 'RefundTriggered'
    order by a.id, t.n;
  end if;
  return null;
end $$;

create function note_awarded() returns trigger language plpgsql as $$
declare
  named text[] := named_news((select organization_id from after limit 1), tg_argv);
begin
  if cardinality(named) > 0 then
    insert into webhook_news (organization_id, type, resource_id)
    select a.organization_id, t.type, t.resource_id
    from after a
    cross join lateral (values
      ('engagement.awarded', a.engagement_id),
      ('conversion.renewed', case when a.type = 'renewal' then a.id end)
    ) as t (type, resource_id)
    where t.type = any (named) and t.resource_id is not null
    order by a.id, t.type;
  end if;
  return null;
end $$;

-- The obligations of payouts that are paid now. Hashed, as in note_entered; the obligations are found by their index.
create function note_settled() returns trigger language plpgsql set enable_nestloop = off as $$
declare
  organization bigint := (select organization_id from after limit 1);
  paid bigint[];
begin
  if cardinality(named_news(organization, tg_argv)) > 0 then
    paid := array(
      select a.id from before b join after a on a.organization_id = b.organization_id and a.id = b.id
      where a.status = 'paid' and b.status <> 'paid');
    insert into webhook_news (organization_id, type, resource_id)
    select o.organization_id, tg_argv[0], o.id from obligations o
    where o.organization_id = organization and o.payout_id = any (paid)
    order by o.id;
  end if;
  return null;
end $$;

create function note_registered() returns trigger language plpgsql as $$
begin
  if cardinality(named_news((select organization_id from after limit 1), tg_argv)) > 0 then
    insert into webhook_news (organization_id, type, resource_id)
    select organization_id, tg_argv[0], id from after order by id;
  end if;
  return null;
end $$;

-- One row that meets the condition of its trigger.
create function note_row() returns trigger language plpgsql as $$
begin
  if cardinality(named_news(new.organization_id, tg_argv)) > 0 then
    insert into webhook_news (organization_id, type, resource_id) values (new.organization_id, tg_argv[0], new.id);
  end if;
  return null;
end $$;

create or replace trigger transactions_created_news after insert on transactions
  referencing new table as after for each statement
  execute function note_reported(
    'transaction.created', 'transaction.completed', 'sale.created', 'lead.created', 'renewal.created');
create or replace trigger events_refunded_news after insert on events
  referencing new table as after for each statement execute function note_refunded('transaction.refunded', 'refund.created');
create trigger conversions_awarded_news after insert on conversions
  referencing new table as after for each statement
  execute function note_awarded('engagement.awarded', 'conversion.renewed');
create trigger payouts_settled_news after update on payouts
  referencing old table as before new table as after for each statement
  execute function note_settled('obligation.completed');
create trigger collaborators_registered_news after insert on collaborators
  referencing new table as after for each statement execute function note_registered('collaborator.registered');
create trigger visits_applied_news after insert on visits
  for each row when (new.trigger = 'coupon-applied') execute function note_row('coupon.applied');
create trigger engagements_completed_news after update of status on engagements
  for each row when (new.status = 'complete' and old.status <> 'complete') execute function note_row('engagement.completed');
create trigger opportunities_invalidated_news after update of invalidated_at on opportunities
  for each row when (new.invalidated_at is not null and old.invalidated_at is null)
  execute function note_row('opportunity.invalidated');
