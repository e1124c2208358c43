-- As 0034, of transactions; and the orders of a list by createdAt, which is when a transaction was reported.
create index transactions_late on transactions (organization_id, reported_at) where reported_at is not null and id > 0;
create index transactions_by_creation on transactions (organization_id, coalesce(reported_at, occurred_at)) where id > 0;
create index transactions_refunds_by_creation on transactions (organization_id, coalesce(reported_at, occurred_at))
  where refunded_at is not null and id > 0;
