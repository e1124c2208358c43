-- A report may say that it occurred earlier. `occurred_at` is then that moment, and `reported_at` that of the report; null,
-- which takes no room, where both are the same. Ids are drawn at the report, so the order of events stays that of reports.
alter table visits add reported_at timestamptz;
alter table transactions add reported_at timestamptz;
alter table events add reported_at timestamptz;

-- The touches of the engagement did not come in the order in which they occurred: a decision counts them again.
alter table engagements add reordered boolean not null default false;
