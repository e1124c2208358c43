-- Webhooks. Triggers write changes to an outbox (webhook_outbox). The worker turns outbox rows into messages, which
-- contain the resource as the API shows it. The worker delivers each message to every webhook that is subscribed to the
-- message's type.

create table webhooks (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  url text not null check (length(url) between 1 and 2048),
  description text check (length(description) <= 255),
  events text[], -- the subscribed types; null: all
  status text not null default 'active' check (status in ('active', 'paused', 'deleted')),
  paused_reason text check (paused_reason in ('by-hand', 'failing', 'gone')),
  paused_at timestamptz,
  failing_since timestamptz, -- the first failure since the last success
  secret bytea not null, -- encrypted: platform/crypto/secret-box.ts
  previous_secret bytea, -- also signs until previous_until, so that a receiver can switch
  previous_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  check ((status = 'paused') = (paused_reason is not null)),
  check ((paused_reason is null) = (paused_at is null)),
  check ((previous_secret is null) = (previous_until is null))
);
create index webhooks_active on webhooks (id) where status = 'active';
create index webhooks_kept on webhooks (organization_id) where status <> 'deleted';

create sequence webhook_outbox_ids;

-- The outbox: changes that have no message yet. The id is drawn while the resource's row is locked. So if two rows are
-- about the same resource, the later row has the higher id. The primary key makes each organization's rows a separate
-- queue, so that many rows of one organization don't delay others.
create table webhook_outbox (
  organization_id bigint not null,
  id bigint not null default nextval('webhook_outbox_ids'),
  type text not null,
  resource_id bigint not null,
  occurred_at timestamptz not null default now(),
  primary key (organization_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- Outbox rows that couldn't be turned into messages. They are retried separately, so they don't delay other rows.
create table webhook_outbox_stuck (
  organization_id bigint not null,
  id bigint not null, -- the id of the outbox row, and of the later message
  type text not null,
  resource_id bigint not null,
  occurred_at timestamptz not null,
  tries integer not null check (tries > 0),
  error text not null, -- the error of the last try
  due_at timestamptz not null,
  primary key (organization_id, id)
);
create index webhook_outbox_stuck_due on webhook_outbox_stuck (due_at);

create table webhook_messages (
  organization_id bigint not null,
  id bigint not null, -- the id of the outbox row
  type text not null,
  resource_id bigint not null, -- as in the API; for an opportunity, its public number
  occurred_at timestamptz not null,
  data text not null, -- the resource in JSON, as the API showed it when the message was created
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
  -- The number of all attempts. An attempt records its outcome only if it is still the latest attempt.
  attempts integer not null default 0,
  tries integer not null default 0, -- attempts since the delivery was requested; a redelivery resets it to 0
  due_at timestamptz default now(), -- when to attempt next; during an attempt, when it counts as lost
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
create index webhook_deliveries_log on webhook_deliveries (webhook_id, id, organization_id);
create index webhook_deliveries_failed on webhook_deliveries (webhook_id, id, organization_id) where status = 'failed';

create table webhook_attempts (
  organization_id bigint not null,
  delivery_id bigint not null,
  number integer not null check (number > 0),
  started_at timestamptz not null,
  duration_ms integer not null,
  status_code integer, -- null: no response
  error text, -- why there was no response, or why the response counts as a failure
  response text, -- the beginning of the response
  primary key (organization_id, delivery_id, number),
  foreign key (organization_id, delivery_id) references webhook_deliveries on delete cascade
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Triggers write the outbox, as they write the ledger, so that no code path can omit a row (decision 21). The arguments
-- of a trigger are the types that it writes. If no webhook is subscribed, a trigger costs one lookup per statement. The
-- lookup takes 18 µs in the functions for reports, which query webhooks directly, and 28 µs with wanted_types. All rows
-- of a statement belong to one organization. Checking that would cost more than the lookup.
--
-- There are two kinds of types. A webhook without a list of types gets all of Whence's own types. Names for clients of
-- other implementations of this API (docs/reference/webhooks.md) are written only if a webhook lists them. Names of
-- visits, engagements and opportunities are written by row triggers with a condition, so they add no cost to a visit.

-- Returns the subset of Whence's own `types` to which a webhook of the organization is subscribed. It is in PL/pgSQL,
-- because SQL functions are planned at every call.
create function wanted_types(organization bigint, types text[]) returns text[] language plpgsql as $$
begin
  return array(
    select t.type from unnest(types) with ordinality as t (type, n)
    where exists (
      select from webhooks w
      where w.organization_id = organization and w.status <> 'deleted'
        and (w.events is null or t.type = any (w.events)))
    order by t.n);
end $$;

-- Returns the subset of the names `types` that a webhook of the organization lists.
create function wanted_names(organization bigint, types text[]) returns text[] language plpgsql as $$
begin
  return array(
    select t.type from unnest(types) with ordinality as t (type, n)
    where exists (
      select from webhooks w
      where w.organization_id = organization and w.status <> 'deleted' and t.type = any (w.events))
    order by t.n);
end $$;

-- Writes the outbox rows for created rows with a status: noun.created, and noun.<first status> if that type exists.
create function outbox_created_with_status() returns trigger language plpgsql as $$
declare
  wanted text[] := wanted_types((select organization_id from after limit 1), tg_argv);
begin
  if cardinality(wanted) > 0 then
    insert into webhook_outbox (organization_id, type, resource_id)
    select a.organization_id, t.type, a.id
    from after a join unnest(wanted) with ordinality as t (type, n) on split_part(t.type, '.', 2) in ('created', a.status)
    order by a.id, t.n;
  end if;
  return null;
end $$;

-- Writes the outbox rows for created rows without a status.
create function outbox_created() returns trigger language plpgsql as $$
begin
  if exists (
    select from webhooks w
    where w.organization_id = (select organization_id from after limit 1) and w.status <> 'deleted'
      and (w.events is null or tg_argv[0] = any (w.events))
  ) then
    insert into webhook_outbox (organization_id, type, resource_id)
    select organization_id, tg_argv[0], id from after order by id;
  end if;
  return null;
end $$;

-- Writes the outbox rows for created rows with a type that exists only as a name for clients of other implementations.
create function outbox_registered() returns trigger language plpgsql as $$
begin
  if cardinality(wanted_names((select organization_id from after limit 1), tg_argv)) > 0 then
    insert into webhook_outbox (organization_id, type, resource_id)
    select organization_id, tg_argv[0], id from after order by id;
  end if;
  return null;
end $$;

-- Writes the outbox rows for created engagements, except copies of reopened engagements.
create function outbox_engagements() returns trigger language plpgsql as $$
begin
  if exists (
    select from webhooks w
    where w.organization_id = (select organization_id from after limit 1) and w.status <> 'deleted'
      and (w.events is null or tg_argv[0] = any (w.events))
  ) then
    insert into webhook_outbox (organization_id, type, resource_id)
    select organization_id, tg_argv[0], id from after where copy_of is null order by id;
  end if;
  return null;
end $$;

-- Writes the outbox rows for rows with a new status. Nested loops are off, for the same reason as in touch_payouts.
create function outbox_status() returns trigger language plpgsql set enable_nestloop = off as $$
declare
  wanted text[] := wanted_types((select organization_id from after limit 1), tg_argv);
begin
  if cardinality(wanted) > 0 then
    insert into webhook_outbox (organization_id, type, resource_id)
    select a.organization_id, t.type, a.id
    from before b
    join after a on a.organization_id = b.organization_id and a.id = b.id
    join unnest(wanted) as t (type) on split_part(t.type, '.', 2) = a.status
    where a.status <> b.status
    order by a.id;
  end if;
  return null;
end $$;

-- Writes the outbox rows for rows with any changed column.
create function outbox_updated() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  if cardinality(wanted_types((select organization_id from after limit 1), tg_argv)) > 0 then
    insert into webhook_outbox (organization_id, type, resource_id)
    select a.organization_id, tg_argv[0], a.id
    from before b join after a on a.organization_id = b.organization_id and a.id = b.id
    where a is distinct from b
    order by a.id;
  end if;
  return null;
end $$;

create function outbox_merged() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  if cardinality(wanted_types((select organization_id from after limit 1), tg_argv)) > 0 then
    insert into webhook_outbox (organization_id, type, resource_id)
    select a.organization_id, tg_argv[0], a.id
    from before b join after a on a.organization_id = b.organization_id and a.id = b.id
    where a.merged_into is not null and b.merged_into is null
    order by a.id;
  end if;
  return null;
end $$;

-- Writes the outbox rows for transactions. The first argument is Whence's own type. All further arguments are names.
create function outbox_transactions() returns trigger language plpgsql as $$
declare
  organization bigint := (select organization_id from after limit 1);
begin
  if exists (
    select from webhooks w
    where w.organization_id = organization and w.status <> 'deleted' and (w.events is null or w.events && tg_argv)
  ) then
    insert into webhook_outbox (organization_id, type, resource_id)
    select a.organization_id, t.type, a.id
    from after a
    join unnest(wanted_types(organization, tg_argv[0:0]) || wanted_names(organization, tg_argv[1:]))
      with ordinality as t (type, n)
      on t.type in ('transaction.created', 'transaction.completed', a.type || '.created')
    order by a.id, t.n;
  end if;
  return null;
end $$;

-- Writes an outbox row for each refund, reversal and correction of a transaction. Several refunds in one statement have
-- a row each. The first three arguments are Whence's own types. All further arguments are names.
create function outbox_refunds() returns trigger language plpgsql as $$
declare
  organization bigint := (select organization_id from after limit 1);
begin
  if exists (
    select from webhooks w
    where w.organization_id = organization and w.status <> 'deleted' and (w.events is null or w.events && tg_argv)
  ) then
    insert into webhook_outbox (organization_id, type, resource_id)
    select a.organization_id, t.type, a.transaction_id
    from after a
    cross join unnest(wanted_types(organization, tg_argv[0:2]) || wanted_names(organization, tg_argv[3:]))
      with ordinality as t (type, n)
    where a.type = case t.type when 'transaction.restored' then 'RefundReversed'
      when 'transaction.corrected' then 'SaleCorrected' else 'RefundTriggered' end
    order by a.id, t.n;
  end if;
  return null;
end $$;

create function outbox_awards() returns trigger language plpgsql as $$
declare
  named text[] := wanted_names((select organization_id from after limit 1), tg_argv);
begin
  if cardinality(named) > 0 then
    insert into webhook_outbox (organization_id, type, resource_id)
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

create function outbox_resolved() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  if cardinality(wanted_types((select organization_id from after limit 1), tg_argv)) > 0 then
    insert into webhook_outbox (organization_id, type, resource_id)
    select a.organization_id, tg_argv[0], a.id
    from before b join after a on a.organization_id = b.organization_id and a.id = b.id
    where a.review = 'resolved' and b.review <> 'resolved'
    order by a.id;
  end if;
  return null;
end $$;

-- Writes an outbox row for each payout with new reasons for a review, even if the payout is already flagged.
create function outbox_flagged() returns trigger language plpgsql as $$
begin
  if cardinality(wanted_types((select organization_id from after limit 1), tg_argv)) > 0 then
    insert into webhook_outbox (organization_id, type, resource_id)
    select distinct organization_id, tg_argv[0], payout_id from after order by payout_id;
  end if;
  return null;
end $$;

-- Writes the outbox rows for the obligations of newly paid payouts. Nested loops are off, as in outbox_status. An index
-- finds the obligations.
create function outbox_paid_obligations() returns trigger language plpgsql set enable_nestloop = off as $$
declare
  organization bigint := (select organization_id from after limit 1);
  paid bigint[];
begin
  if cardinality(wanted_names(organization, tg_argv)) > 0 then
    paid := array(
      select a.id from before b join after a on a.organization_id = b.organization_id and a.id = b.id
      where a.status = 'paid' and b.status <> 'paid');
    insert into webhook_outbox (organization_id, type, resource_id)
    select o.organization_id, tg_argv[0], o.id from obligations o
    where o.organization_id = organization and o.payout_id = any (paid)
    order by o.id;
  end if;
  return null;
end $$;

-- Writes the outbox rows for the collaborators of changed aliases, because the API shows a collaborator with their
-- codes. The first codes are created in the collaborator's own transaction and don't count as an update.
create function outbox_codes() returns trigger language plpgsql as $$
begin
  if cardinality(wanted_types((select organization_id from after limit 1), tg_argv)) > 0 then
    insert into webhook_outbox (organization_id, type, resource_id)
    select distinct c.organization_id, tg_argv[0], c.id
    from after a join collaborators c on c.organization_id = a.organization_id and c.id = a.collaborator_id
    where c.created_at <> now()
    order by c.id;
  end if;
  return null;
end $$;

-- Writes the outbox row for one row that matches the condition of its trigger.
create function outbox_row() returns trigger language plpgsql as $$
begin
  if cardinality(wanted_names(new.organization_id, tg_argv)) > 0 then
    insert into webhook_outbox (organization_id, type, resource_id) values (new.organization_id, tg_argv[0], new.id);
  end if;
  return null;
end $$;

create trigger collaborators_created_outbox after insert on collaborators
  referencing new table as after for each statement execute function outbox_created('collaborator.created');
create trigger collaborators_registered_outbox after insert on collaborators
  referencing new table as after for each statement execute function outbox_registered('collaborator.registered');
create trigger collaborators_updated_outbox after update on collaborators
  referencing old table as before new table as after for each statement execute function outbox_updated('collaborator.updated');
create trigger aliases_created_outbox after insert on aliases
  referencing new table as after for each statement execute function outbox_codes('collaborator.updated');
create trigger aliases_updated_outbox after update on aliases
  referencing new table as after for each statement execute function outbox_codes('collaborator.updated');
create trigger programs_created_outbox after insert on programs
  referencing new table as after for each statement execute function outbox_created('program.created');
create trigger programs_updated_outbox after update on programs
  referencing old table as before new table as after for each statement execute function outbox_updated('program.updated');
create trigger opportunities_created_outbox after insert on opportunities
  referencing new table as after for each statement execute function outbox_created('opportunity.created');
create trigger opportunities_merged_outbox after update on opportunities
  referencing old table as before new table as after for each statement execute function outbox_merged('opportunity.merged');
create trigger opportunities_invalidated_outbox after update of invalidated_at on opportunities
  for each row when (new.invalidated_at is not null and old.invalidated_at is null)
  execute function outbox_row('opportunity.invalidated');
create trigger visits_applied_outbox after insert on visits
  for each row when (new.trigger = 'coupon-applied') execute function outbox_row('coupon.applied');
create trigger engagements_created_outbox after insert on engagements
  referencing new table as after for each statement execute function outbox_engagements('engagement.created');
create trigger engagements_completed_outbox after update of status on engagements
  for each row when (new.status = 'complete' and old.status <> 'complete') execute function outbox_row('engagement.completed');
create trigger transactions_created_outbox after insert on transactions
  referencing new table as after for each statement
  execute function outbox_transactions(
    'transaction.created', 'transaction.completed', 'sale.created', 'lead.created', 'renewal.created');
create trigger events_refunded_outbox after insert on events
  referencing new table as after for each statement execute function outbox_refunds(
    'transaction.refunded', 'transaction.restored', 'transaction.corrected', 'refund.created');
create trigger conversions_created_outbox after insert on conversions
  referencing new table as after for each statement
  execute function outbox_created_with_status('conversion.created', 'conversion.approved', 'conversion.rejected');
create trigger conversions_awarded_outbox after insert on conversions
  referencing new table as after for each statement
  execute function outbox_awards('engagement.awarded', 'conversion.renewed');
create trigger conversions_entered_outbox after update on conversions
  referencing old table as before new table as after for each statement
  execute function outbox_status('conversion.approved', 'conversion.rejected');
create trigger obligations_created_outbox after insert on obligations
  referencing new table as after for each statement
  execute function outbox_created_with_status('obligation.created', 'obligation.pending', 'obligation.fulfilled', 'obligation.rejected');
create trigger obligations_entered_outbox after update on obligations
  referencing old table as before new table as after for each statement
  execute function outbox_status('obligation.pending', 'obligation.fulfilled', 'obligation.rejected');
create trigger fulfillments_created_outbox after insert on fulfillments
  referencing new table as after for each statement execute function outbox_created('fulfillment.created');
create trigger fulfillments_updated_outbox after update on fulfillments
  referencing old table as before new table as after for each statement execute function outbox_updated('fulfillment.updated');
create trigger payouts_created_outbox after insert on payouts
  referencing new table as after for each statement execute function outbox_created_with_status('payout.created', 'payout.paid');
create trigger payouts_entered_outbox after update on payouts
  referencing old table as before new table as after for each statement execute function outbox_status('payout.paid', 'payout.void');
create trigger payouts_resolved_outbox after update on payouts
  referencing old table as before new table as after for each statement execute function outbox_resolved('payout.resolved');
create trigger payouts_settled_outbox after update on payouts
  referencing old table as before new table as after for each statement
  execute function outbox_paid_obligations('obligation.completed');
create trigger payout_flags_outbox after insert on payout_flags
  referencing new table as after for each statement execute function outbox_flagged('payout.flagged');
create trigger webhooks_paused_outbox after update on webhooks
  referencing old table as before new table as after for each statement execute function outbox_status('webhook.paused');
