-- In words that a range of the time says as well: a transaction has one exactly where it is refunded.
create index transactions_refunds_by_id on transactions (organization_id, id) where refunded_at is not null and id > 0;
create index transactions_refunds_by_time on transactions (organization_id, occurred_at) where refunded_at is not null and id > 0;
