-- Transactions (sales, leads and renewals), refunds, corrections, and the events that record each report.

create sequence transaction_ids;

create table transactions (
  organization_id bigint not null,
  id bigint not null, -- from transaction_ids
  -- `source` and `external_id` identify a transaction in refunds and repeated reports. They are unique together
  -- (decision 8).
  source text not null collate "C" check (length(source) between 1 and 64),
  external_id text not null collate "C" check (length(external_id) between 1 and 255),
  event_id bigint not null,
  -- The reported opportunity, or its survivor after merges. If no opportunity was reported, the opportunity of the
  -- order's coupon or user, if any.
  opportunity_id bigint,
  reported_opportunity_id bigint, -- null for an order without a referral
  opportunity_state text not null check (opportunity_state in ('active', 'invalid', 'removed')),
  type text not null default 'sale' check (type in ('sale', 'lead', 'renewal')),
  renews bigint, -- the sale, if this is a renewal
  -- The number of this renewal among the renewals of its sale, in the order of their events.
  renewal_number integer check (renewal_number > 0),
  total minor not null check (total >= 0),
  reported_total minor check (reported_total >= 0), -- the total before corrections; null without corrections
  corrections integer not null default 0 check (corrections >= 0), -- the number of corrections
  refunded_amount minor not null default 0 check (refunded_amount between 0 and total),
  currency text not null,
  status text not null default 'complete' check (status in ('complete', 'refunded', 'cancelled')),
  -- Distinguishes an exact repeat of a report from a conflicting report.
  content_hash bytea not null check (length(content_hash) = 32),
  occurred_at timestamptz not null,
  reported_at timestamptz, -- null if the report didn't state occurred_at
  refunded_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, source, external_id),
  check ((status = 'refunded') = (refunded_at is not null)),
  check ((type = 'renewal') = (renews is not null)),
  check ((renews is null) = (renewal_number is null)),
  check ((corrections = 0) = (reported_total is null))
) with (fillfactor = 90);
create index transactions_opportunity on transactions (opportunity_id, organization_id);
create index transactions_renewals on transactions (renews, organization_id) where renews is not null;
create index transactions_by_time on transactions (organization_id, occurred_at) where id > 0;
create index transactions_late on transactions (organization_id, reported_at) where reported_at is not null and id > 0;

-- The lines of a transaction, after corrections.
create table transaction_lines (
  organization_id bigint not null,
  transaction_id bigint not null,
  position integer not null check (position > 0),
  external_id text,
  name text not null check (length(name) between 1 and 255),
  type text not null check (type in ('product', 'shipping', 'tax', 'fee', 'discount')),
  quantity integer not null check (quantity between 1 and 1000000),
  amount minor not null, -- for one unit
  -- The amount of all units, if it isn't amount × quantity. For example, three pieces for 10.00 have no unit price in
  -- hundredths.
  total minor constraint transaction_lines_total check (2 * abs(total - amount * quantity) <= quantity),
  primary key (organization_id, transaction_id, position)
);

-- An order's coupons that belonged to collaborators when the sale was recorded. Other coupons are not stored.
create table sale_coupons (
  organization_id bigint not null,
  alias_id bigint not null,
  transaction_id bigint not null,
  primary key (organization_id, alias_id, transaction_id),
  foreign key (organization_id, alias_id) references aliases,
  foreign key (organization_id, transaction_id) references transactions
);

-- Reports about money, and manual credits. Rows never change and are never deleted.
create table events (
  organization_id bigint not null,
  id bigint not null, -- from event_ids
  type text not null check
    (type in ('SaleTriggered', 'LeadTriggered', 'RenewalTriggered', 'RefundTriggered', 'RefundReversed', 'SaleCorrected',
      'CreditGranted')),
  source text not null collate "C",
  opportunity_id bigint, -- the opportunity as it was reported
  transaction_id bigint not null,
  config_version bigint not null,
  -- The change of the transaction's refunded_amount by this refund, reversal (0 or less) or correction.
  refunded minor,
  corrected minor, -- the change of the transaction's total by a correction
  occurred_at timestamptz not null,
  reported_at timestamptz, -- null if the report didn't state occurred_at
  primary key (organization_id, id),
  check ((type in ('RefundTriggered', 'RefundReversed', 'SaleCorrected')) = (refunded is not null)),
  check ((type = 'SaleCorrected') = (corrected is not null))
);
-- Finds the later events of a transaction. The event that reported it is transactions.event_id.
create index events_after_report on events (transaction_id, organization_id)
  where type in ('RefundTriggered', 'RefundReversed', 'SaleCorrected', 'CreditGranted');
create index events_by_time on events (organization_id, occurred_at) where id > 0;
create index events_late on events (organization_id, reported_at) where reported_at is not null and id > 0;

-- An event that waits for its decision. The job is deleted after the decision. Events themselves are never deleted.
create table jobs (
  organization_id bigint not null,
  event_id bigint not null,
  transaction_id bigint not null,
  type text not null,
  attempts integer not null default 0,
  run_at timestamptz not null default now(),
  dead_lettered_at timestamptz,
  error text,
  primary key (organization_id, event_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- Refunds with a refundId, partial or full. A full refund without a refundId has no row here.
create table refunds (
  organization_id bigint not null,
  event_id bigint not null, -- its RefundTriggered event; if without_event, an event id without an event
  transaction_id bigint not null,
  refund_id text not null collate "C" check (length(refund_id) between 1 and 255),
  kind text not null check (kind in ('full', 'amount', 'items')),
  amount minor not null, -- the reported amount; for returned items, amount × quantity
  content_hash bytea not null check (length(content_hash) = 32),
  -- Whether nothing was left to refund when this refund was reported. If so, the refund takes effect once an earlier
  -- refund is reversed.
  without_event boolean not null default false,
  reversed_by bigint, -- the RefundReversed event, if the refund failed or its dispute was won
  occurred_at timestamptz not null,
  primary key (organization_id, event_id),
  unique (organization_id, transaction_id, refund_id)
);

create index refunds_reversed on refunds (organization_id, transaction_id) where reversed_by is not null;

-- The lines that a refund of items returns.
create table refund_lines (
  organization_id bigint not null,
  event_id bigint not null,
  position integer not null, -- the position in transaction_lines
  quantity integer not null check (quantity > 0),
  primary key (organization_id, event_id, position),
  foreign key (organization_id, event_id) references refunds
);

-- Past periods in which a sale was refunded in full: from its full refund until a reversal or a correction ended it. A
-- sale that is currently refunded in full has the status `refunded` instead.
create table reversed_full_refunds (
  organization_id bigint not null,
  transaction_id bigint not null,
  refunded_by bigint not null, -- the RefundTriggered event that made the refund full
  reversed_by bigint not null, -- the RefundReversed or SaleCorrected event that ended the full refund
  primary key (organization_id, refunded_by),
  foreign key (organization_id, transaction_id) references transactions
);
create index reversed_full_refunds_of on reversed_full_refunds (transaction_id, organization_id);

-- Corrections of transactions: a new total and new lines. The transaction has the content of the last correction. Each
-- row stores the replaced content, because the decision and earlier states need it.
create table sale_corrections (
  organization_id bigint not null,
  event_id bigint not null, -- its SaleCorrected event
  transaction_id bigint not null,
  correction_id text not null collate "C" check (length(correction_id) between 1 and 255),
  content_hash bytea not null check (length(content_hash) = 32),
  total minor not null check (total >= 0), -- the new total
  replaced_total minor not null check (replaced_total >= 0),
  replaced_lines jsonb not null, -- the lines before the correction, in their order
  replaced_pieces jsonb not null, -- the refund_lines at that time, as [event_id, position, quantity]
  occurred_at timestamptz not null,
  primary key (organization_id, event_id),
  unique (organization_id, transaction_id, correction_id),
  foreign key (organization_id, transaction_id) references transactions
);

-- Matches of a sale's buyer with collaborators and with the deny list, determined when the sale was recorded. The email
-- address, the name, the card and the address of the buyer are not stored.
create table buyer_signals (
  organization_id bigint not null,
  transaction_id bigint not null,
  collaborator_id bigint not null, -- 0 for the deny list, which concerns every collaborator
  details text[] not null, -- the details that the buyer and the collaborator share: email, name, card, address
  denied_by bigint, -- the entry of the deny list
  primary key (organization_id, transaction_id, collaborator_id),
  check ((collaborator_id = 0) = (denied_by is not null))
);

-- Keyed hashes of the cards and addresses of buyers with a collaborator's email address. With them, the collaborator is
-- recognized even if a later order has another email address.
create table buyer_marks (
  organization_id bigint not null,
  mark bytea not null check (length(mark) = 16),
  collaborator_id bigint not null,
  primary key (organization_id, mark, collaborator_id)
);
create index buyer_marks_collaborator on buyer_marks (organization_id, collaborator_id);
