-- Each organization's news are a queue of their own, by the primary key, so that a flood of one holds up no other. News
-- that can't be told wait apart, and hold up nothing.

drop index webhook_news_queue;

create table webhook_news_stuck (
  organization_id bigint not null,
  id bigint not null, -- the news' number, which its message has once it is told
  type text not null,
  resource_id bigint not null,
  occurred_at timestamptz not null,
  tries integer not null check (tries > 0),
  error text not null, -- of the last try
  due_at timestamptz not null,
  primary key (organization_id, id)
);
create index webhook_news_stuck_due on webhook_news_stuck (due_at);
