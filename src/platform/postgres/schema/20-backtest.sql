-- Backtests and their results (decision 83). The copied reports are in temporary tables.
create table backtests (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  program_id bigint, -- null: the drafts are of a program that doesn't exist yet
  program_version integer, -- the version of the program when the backtest was started
  drafts jsonb not null,
  from_day date not null, -- days in the organization's time zone
  until_day date not null, -- exclusive
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed', 'canceled')),
  attempts integer not null default 0 check (attempts >= 0), -- how often a worker has begun to run it
  progress integer not null default 0 check (progress between 0 and 100), -- in percent
  failure text,
  result jsonb,
  -- the collaborators whose names are in the result's texts, so that an erasure finds the backtest
  named_ids bigint[] not null default '{}',
  author text not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, program_id) references programs,
  check (from_day < until_day),
  check ((program_id is null) = (program_version is null)),
  check ((status = 'succeeded') = (result is not null)),
  check ((status = 'failed') = (failure is not null)),
  check ((status in ('queued', 'running')) = (ended_at is null))
);
create unique index backtests_running on backtests (organization_id) where status = 'running';
create index backtests_waiting on backtests (created_at) where status in ('queued', 'running');
