-- News for other systems: what happens is noted by triggers (webhook_news), made into messages that hold the resource as
-- the API shows it, and delivered to every endpoint that wants its type, each at its own pace.

create table webhooks (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  url text not null check (length(url) between 1 and 2048),
  description text check (length(description) <= 255),
  events text[], -- the types that it wants; null: all
  status text not null default 'active' check (status in ('active', 'paused', 'deleted')),
  paused_reason text check (paused_reason in ('by-hand', 'failing', 'gone')),
  paused_at timestamptz,
  failing_since timestamptz, -- the first failure since the last success
  secret bytea not null, -- sealed: see store/secret-box.ts
  previous_secret bytea, -- signs as well until previous_until, so that a receiver can change over
  previous_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  check ((status = 'paused') = (paused_reason is not null)),
  check ((paused_reason is null) = (paused_at is null)),
  check ((previous_secret is null) = (previous_until is null))
);
create index webhooks_kept on webhooks (organization_id) where status <> 'deleted';

create sequence webhook_news_ids;

-- What has happened and is not yet a message. Its number is drawn while the resource's row is locked: for one resource,
-- higher is later.
create table webhook_news (
  organization_id bigint not null,
  id bigint not null default nextval('webhook_news_ids'),
  type text not null,
  resource_id bigint not null,
  occurred_at timestamptz not null default now(),
  primary key (organization_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
create index webhook_news_queue on webhook_news (id, organization_id);

create table webhook_messages (
  organization_id bigint not null,
  id bigint not null, -- the news' number
  type text not null,
  resource_id bigint not null, -- as the API shows it: of an opportunity its public number
  occurred_at timestamptz not null,
  data text not null, -- JSON: the resource as the API showed it when the message was made
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create index webhook_messages_old on webhook_messages (created_at);

create table webhook_deliveries (
  organization_id bigint not null,
  id bigint generated always as identity,
  webhook_id bigint not null,
  message_id bigint not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0, -- all of them: who writes down what came of one shows that it is still the last
  tries integer not null default 0, -- since it was asked for: a redelivery begins anew
  due_at timestamptz default now(), -- of the next attempt; while one is under way, when it is taken for lost
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, message_id, webhook_id),
  foreign key (organization_id, webhook_id) references webhooks,
  foreign key (organization_id, message_id) references webhook_messages on delete cascade,
  check ((status = 'delivered') = (delivered_at is not null)),
  check ((status = 'pending') = (due_at is not null))
);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at, organization_id) where status = 'pending';

-- The log of one webhook, and what of it went wrong.
create index webhook_deliveries_log on webhook_deliveries (webhook_id, id, organization_id);
create index webhook_deliveries_failed on webhook_deliveries (webhook_id, id, organization_id) where status = 'failed';

create table webhook_attempts (
  organization_id bigint not null,
  delivery_id bigint not null,
  number integer not null check (number > 0),
  started_at timestamptz not null,
  duration_ms integer not null,
  status_code integer, -- null: no answer came
  error text, -- why there was none, or why it counts as a failure
  response text, -- how the answer began
  primary key (organization_id, delivery_id, number),
  foreign key (organization_id, delivery_id) references webhook_deliveries on delete cascade
);

-- ---------------------------------------------------------------------------------------------------------------
-- News are noted by the database, as the ledger is, so that no path through the code can leave one out: a note is
-- committed with what it tells, or not at all. The arguments of a trigger are the types that it tells. Where nobody has
-- asked for one of them, it costs a look-up for each statement, whatever the number of its rows: 18 µs where reports come
-- in, which look for themselves; 28 by wanted_news. A statement is of one organization; to find out whether it is of
-- several would cost more than the look-up.

-- Those of `types` that a webhook of the organization wants. Not in SQL: that would be planned at every call.
create function wanted_news(organization bigint, types text[]) returns text[] language plpgsql as $$
begin
  return array(
    select t.type from unnest(types) with ordinality as t (type, n)
    where exists (
      select from webhooks w
      where w.organization_id = organization and w.status <> 'deleted'
        and (w.events is null or t.type = any (w.events)))
    order by t.n);
end $$;

-- Rows that have come: noun.created, and where there is such a type noun.<the state that they were born in>.
create function note_born() returns trigger language plpgsql as $$
declare
  wanted text[] := wanted_news((select organization_id from after limit 1), tg_argv);
begin
  if cardinality(wanted) > 0 then
    insert into webhook_news (organization_id, type, resource_id)
    select a.organization_id, t.type, a.id
    from after a join unnest(wanted) with ordinality as t (type, n) on split_part(t.type, '.', 2) in ('created', a.status)
    order by a.id, t.n;
  end if;
  return null;
end $$;

-- The same of what has no state.
create function note_created() returns trigger language plpgsql as $$
begin
  if exists (
    select from webhooks w
    where w.organization_id = (select organization_id from after limit 1) and w.status <> 'deleted'
      and (w.events is null or tg_argv[0] = any (w.events))
  ) then
    insert into webhook_news (organization_id, type, resource_id)
    select organization_id, tg_argv[0], id from after order by id;
  end if;
  return null;
end $$;

-- A copy of what an engagement was is none.
create function note_engaged() returns trigger language plpgsql as $$
begin
  if exists (
    select from webhooks w
    where w.organization_id = (select organization_id from after limit 1) and w.status <> 'deleted'
      and (w.events is null or tg_argv[0] = any (w.events))
  ) then
    insert into webhook_news (organization_id, type, resource_id)
    select organization_id, tg_argv[0], id from after where copy_of is null order by id;
  end if;
  return null;
end $$;

-- Rows that have come into another state. Hashed, whatever the plan of the first call was: see touch_payouts.
create function note_entered() returns trigger language plpgsql set enable_nestloop = off as $$
declare
  wanted text[] := wanted_news((select organization_id from after limit 1), tg_argv);
begin
  if cardinality(wanted) > 0 then
    insert into webhook_news (organization_id, type, resource_id)
    select a.organization_id, t.type, a.id
    from before b
    join after a on a.organization_id = b.organization_id and a.id = b.id
    join unnest(wanted) as t (type) on split_part(t.type, '.', 2) = a.status
    where a.status <> b.status
    order by a.id;
  end if;
  return null;
end $$;

-- Rows of which anything has changed.
create function note_updated() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  if cardinality(wanted_news((select organization_id from after limit 1), tg_argv)) > 0 then
    insert into webhook_news (organization_id, type, resource_id)
    select a.organization_id, tg_argv[0], a.id
    from before b join after a on a.organization_id = b.organization_id and a.id = b.id
    where a is distinct from b
    order by a.id;
  end if;
  return null;
end $$;

create function note_merged() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  if cardinality(wanted_news((select organization_id from after limit 1), tg_argv)) > 0 then
    insert into webhook_news (organization_id, type, resource_id)
    select a.organization_id, tg_argv[0], a.id
    from before b join after a on a.organization_id = b.organization_id and a.id = b.id
    where a.merged_into is not null and b.merged_into is null
    order by a.id;
  end if;
  return null;
end $$;

create function note_resolved() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  if cardinality(wanted_news((select organization_id from after limit 1), tg_argv)) > 0 then
    insert into webhook_news (organization_id, type, resource_id)
    select a.organization_id, tg_argv[0], a.id
    from before b join after a on a.organization_id = b.organization_id and a.id = b.id
    where a.review = 'resolved' and b.review <> 'resolved'
    order by a.id;
  end if;
  return null;
end $$;

-- A payout is told each time that a reason to look at it comes, also while it is flagged already.
create function note_flagged() returns trigger language plpgsql as $$
begin
  if cardinality(wanted_news((select organization_id from after limit 1), tg_argv)) > 0 then
    insert into webhook_news (organization_id, type, resource_id)
    select distinct organization_id, tg_argv[0], payout_id from after order by payout_id;
  end if;
  return null;
end $$;

-- Each refund of a transaction, not only the one that makes it full.
create function note_refunded() returns trigger language plpgsql as $$
begin
  if exists (
    select from webhooks w
    where w.organization_id = (select organization_id from after limit 1) and w.status <> 'deleted'
      and (w.events is null or tg_argv[0] = any (w.events))
  ) then
    insert into webhook_news (organization_id, type, resource_id)
    select organization_id, tg_argv[0], transaction_id from after where type = 'RefundTriggered' order by id;
  end if;
  return null;
end $$;

-- A collaborator is shown with their codes. The first ones come with the collaborator, in one transaction.
create function note_recoded() returns trigger language plpgsql as $$
begin
  if cardinality(wanted_news((select organization_id from after limit 1), tg_argv)) > 0 then
    insert into webhook_news (organization_id, type, resource_id)
    select distinct c.organization_id, tg_argv[0], c.id
    from after a join collaborators c on c.organization_id = a.organization_id and c.id = a.collaborator_id
    where c.created_at <> now()
    order by c.id;
  end if;
  return null;
end $$;

create trigger opportunities_created_news after insert on opportunities
  referencing new table as after for each statement execute function note_created('opportunity.created');
create trigger opportunities_merged_news after update on opportunities
  referencing old table as before new table as after for each statement execute function note_merged('opportunity.merged');
create trigger engagements_created_news after insert on engagements
  referencing new table as after for each statement execute function note_engaged('engagement.created');
create trigger transactions_created_news after insert on transactions
  referencing new table as after for each statement execute function note_created('transaction.created');
create trigger events_refunded_news after insert on events
  referencing new table as after for each statement execute function note_refunded('transaction.refunded');
create trigger conversions_born_news after insert on conversions
  referencing new table as after for each statement
  execute function note_born('conversion.created', 'conversion.approved', 'conversion.rejected');
create trigger conversions_entered_news after update on conversions
  referencing old table as before new table as after for each statement
  execute function note_entered('conversion.approved', 'conversion.rejected');
create trigger obligations_born_news after insert on obligations
  referencing new table as after for each statement
  execute function note_born('obligation.created', 'obligation.pending', 'obligation.fulfilled', 'obligation.rejected');
create trigger obligations_entered_news after update on obligations
  referencing old table as before new table as after for each statement
  execute function note_entered('obligation.pending', 'obligation.fulfilled', 'obligation.rejected');
create trigger fulfillments_created_news after insert on fulfillments
  referencing new table as after for each statement execute function note_created('fulfillment.created');
create trigger fulfillments_updated_news after update on fulfillments
  referencing old table as before new table as after for each statement execute function note_updated('fulfillment.updated');
create trigger payouts_born_news after insert on payouts
  referencing new table as after for each statement execute function note_born('payout.created', 'payout.paid');
create trigger payouts_entered_news after update on payouts
  referencing old table as before new table as after for each statement execute function note_entered('payout.paid');
create trigger payouts_resolved_news after update on payouts
  referencing old table as before new table as after for each statement execute function note_resolved('payout.resolved');
create trigger payout_flags_news after insert on payout_flags
  referencing new table as after for each statement execute function note_flagged('payout.flagged');
create trigger collaborators_created_news after insert on collaborators
  referencing new table as after for each statement execute function note_created('collaborator.created');
create trigger collaborators_updated_news after update on collaborators
  referencing old table as before new table as after for each statement execute function note_updated('collaborator.updated');
create trigger aliases_begun_news after insert on aliases
  referencing new table as after for each statement execute function note_recoded('collaborator.updated');
create trigger aliases_ended_news after update on aliases
  referencing new table as after for each statement execute function note_recoded('collaborator.updated');
create trigger programs_created_news after insert on programs
  referencing new table as after for each statement execute function note_created('program.created');
create trigger programs_updated_news after update on programs
  referencing old table as before new table as after for each statement execute function note_updated('program.updated');
create trigger webhooks_paused_news after update on webhooks
  referencing old table as before new table as after for each statement execute function note_entered('webhook.paused');
