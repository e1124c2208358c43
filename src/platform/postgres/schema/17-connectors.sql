-- Connectors, which receive the signed events of billing and shop systems, and the links between earlier and later
-- events.

create table connectors (
  organization_id bigint not null references organizations,
  id bigint not null, -- random, because it is part of the URL to which the sender posts
  kind text not null check (length(kind) between 1 and 32),
  name text not null check (length(name) between 1 and 255),
  -- The source of all transactions that the connector reports. It never changes, because it identifies the sales of
  -- later refunds.
  source text not null collate "C" check (length(source) between 1 and 64),
  secret bytea, -- encrypted: platform/crypto/secret-box.ts; null until the sender's secret is known
  settings jsonb not null default '{}',
  refused_at timestamptz, -- when a message with an invalid signature last arrived; updated at most once a minute
  first_attributed_order text, -- the externalId of the first sale with a referral
  first_attributed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (organization_id, id)
);
-- Finds a connector by its id alone, because the sender's request doesn't include the organization.
create index connectors_id on connectors (id, organization_id);

create table connector_events (
  organization_id bigint not null,
  id bigint generated always as identity,
  connector_id bigint not null,
  external_id text not null collate "C" check (length(external_id) between 1 and 255), -- the sender's id of the event
  type text not null check (length(type) between 1 and 255),
  payload text, -- the JSON as it was sent; null once it is removed
  occurred_at timestamptz not null, -- as reported by the sender
  received_at timestamptz not null default now(),
  state text not null default 'pending'
    check (state in ('pending', 'processed', 'ignored', 'waiting', 'dead-lettered', 'dismissed')),
  attempts integer not null default 0, -- failed attempts since it was received or last retried
  due_at timestamptz default now(), -- when to attempt next
  reason text, -- why it is ignored, waiting, dead-lettered or dismissed
  waits_for text[] not null default '{}', -- the connector_links that the event waits for, as connector_id/kind:external_id
  waiting_since timestamptz,
  outcome jsonb not null default '[]', -- the reports made from the event: [{verb, source, externalId, outcome}]
  subject text collate "C", -- the customer in the sender's system, to find the payloads of an erased visitor
  order_key text collate "C", -- the externalId of the first report made from the event
  -- Whether the visitor was erased while the event waited. If so, the payload is removed once the event no longer
  -- waits.
  is_erased boolean not null default false,
  settled_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, connector_id, external_id),
  foreign key (organization_id, connector_id) references connectors,
  check ((state in ('pending', 'waiting')) = (due_at is not null)),
  check ((state = 'waiting') = (waiting_since is not null)),
  check ((state in ('pending', 'waiting')) = (settled_at is null))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index connector_events_due on connector_events (due_at) where due_at is not null;
create index connector_events_due_by_organization on connector_events (organization_id, due_at)
  where due_at is not null;
create index connector_events_log on connector_events (connector_id, id, organization_id);
create index connector_events_open on connector_events (connector_id, state, organization_id)
  where state in ('pending', 'waiting', 'dead-lettered');
create index connector_events_waiting on connector_events using gin (waits_for) with (fastupdate = off)
  where waits_for <> '{}';
create index connector_events_old on connector_events (received_at) where payload is not null;
create index connector_events_subject on connector_events (subject, organization_id)
  where payload is not null and subject is not null;
create index connector_events_order on connector_events (order_key, organization_id)
  where order_key is not null;

-- The part of an event's data that later events of the same connector need, such as the order of a customer. `kind` and
-- `external_id` identify the object in the sender's system.
create table connector_links (
  organization_id bigint not null,
  connector_id bigint not null,
  kind text not null check (length(kind) between 1 and 32),
  external_id text not null collate "C" check (length(external_id) between 1 and 255),
  value jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (organization_id, connector_id, kind, external_id),
  foreign key (organization_id, connector_id) references connectors
);
