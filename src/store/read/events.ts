import type { EventState, EventType } from '#domain/event.ts';
import type { EventId, OpportunityId, TransactionId } from '#domain/ids.ts';
import type { Relation } from './page.ts';

export type EventResource = {
  readonly id: EventId;
  readonly type: EventType;
  readonly source?: string;
  /** The row's; the door shows its public number. */
  readonly opportunityId: OpportunityId;
  readonly transactionId?: TransactionId;
  readonly state: EventState;
  readonly error?: string;
  readonly occurredAt: Date;
};

type Row = {
  readonly id: EventId;
  readonly type: EventType;
  readonly source: string | null;
  readonly opportunityId: OpportunityId;
  readonly transactionId: TransactionId | null;
  readonly state: EventState;
  readonly error: string | null;
  readonly occurredAt: Date;
};

const VISITS = `
  select organization_id, id, 'SiteVisited' as type, null::text as source, opportunity_id as "opportunityId",
    null::bigint as "transactionId", 'done' as state, null::text as error, occurred_at as "occurredAt"
  from visits`;

/** Its job is looked up for the rows that are shown only, so that both branches are walked by their keys. */
const MONEY_EVENTS = `
  select organization_id, id, type, source, opportunity_id as "opportunityId", transaction_id as "transactionId",
    coalesce((
      select case when j.parked_at is null then 'pending' else 'parked' end from jobs j
      where j.organization_id = e.organization_id and j.event_id = e.id
    ), 'done') as state,
    (select j.error from jobs j where j.organization_id = e.organization_id and j.event_id = e.id) as error,
    occurred_at as "occurredAt"
  from events e`;

/** Few of many: begins with the jobs, not with the events. */
const WAITING_EVENTS = `
  select e.organization_id, e.id, e.type, e.source, e.opportunity_id as "opportunityId",
    e.transaction_id as "transactionId", case when j.parked_at is null then 'pending' else 'parked' end as state,
    j.error, e.occurred_at as "occurredAt"
  from jobs j join events e on e.organization_id = j.organization_id and e.id = j.event_id`;

/** By the transactions of the opportunity, which have an index on it, where events of money have none. */
const OPPORTUNITY_EVENTS = `
  select v.*, v."opportunityId" as member from (${VISITS}) v
  union all
  select e.*, t.opportunity_id as member from (${MONEY_EVENTS}) e
  join transactions t on t.organization_id = e.organization_id and t.id = e."transactionId"`;

/** A visit is an event too: it is decided when it is written, so it has no row of its own among the events. */
export const events: Relation<Row, EventResource> = {
  query: `${VISITS} union all ${MONEY_EVENTS}`,
  key: 'id',
  sorts: { id: 'bigint', occurredAt: 'timestamptz' },
  read: ({ id, type, opportunityId, state, occurredAt, source, transactionId, error }) => ({
    id,
    type,
    opportunityId,
    state,
    occurredAt,
    ...(source === null ? {} : { source }),
    ...(transactionId === null ? {} : { transactionId }),
    ...(error === null ? {} : { error }),
  }),
};

/** To be read within `member`: the opportunities that were merged into one. */
export const opportunityEvents: typeof events = { ...events, query: OPPORTUNITY_EVENTS };

export const waitingEvents: typeof events = { ...events, query: WAITING_EVENTS };
