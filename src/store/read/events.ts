import type { EventState, EventType } from '#domain/event.ts';
import type { CollaboratorId, EventId, OpportunityId, TransactionId } from '#domain/ids.ts';
import type { Relation } from './relation.ts';

export type EventResource = {
  readonly id: EventId;
  readonly type: EventType;
  readonly source?: string;
  /** The slug, of a custom event. */
  readonly event?: string;
  /** The row's; the door shows its public number. */
  readonly opportunityId: OpportunityId;
  /** Whom a visit or a signal named. */
  readonly collaboratorId?: CollaboratorId;
  readonly transactionId?: TransactionId;
  readonly state: EventState;
  readonly error?: string;
  readonly occurredAt: Date;
};

type Row = {
  readonly id: EventId;
  readonly type: EventType;
  readonly source: string | null;
  readonly event: string | null;
  readonly opportunityId: OpportunityId;
  readonly collaboratorId: CollaboratorId | null;
  readonly transactionId: TransactionId | null;
  readonly state: EventState;
  readonly error: string | null;
  readonly occurredAt: Date;
};

/** A visit, or a signal: what touched an engagement is told by its trigger. */
const visits = (type: string, event: string) => `
  select organization_id, id, ${type} as type, null::text as source, ${event} as event,
    opportunity_id as "opportunityId", collaborator_id as "collaboratorId", null::bigint as "transactionId", 'done' as state, null::text as error,
    occurred_at as "occurredAt"
  from visits`;

/** Without a condition: a branch of a union that has one is not walked by its key. */
const VISITS = visits(
  `case when trigger is null then 'SiteVisited' when trigger = 'coupon-applied' then 'CouponApplied'
    else 'CustomTriggered' end`,
  `nullif(trigger, 'coupon-applied')`,
);

/** Its job is looked up for the rows that are shown only, so that all branches are walked by their keys. */
const MONEY_EVENTS = `
  select organization_id, id, type, source, null::text as event, opportunity_id as "opportunityId",
    null::bigint as "collaboratorId", transaction_id as "transactionId",
    coalesce((
      select case when j.parked_at is null then 'pending' else 'parked' end from jobs j
      where j.organization_id = e.organization_id and j.event_id = e.id
    ), 'done') as state,
    (select j.error from jobs j where j.organization_id = e.organization_id and j.event_id = e.id) as error,
    occurred_at as "occurredAt"
  from events e`;

/** Few of many: begins with the jobs, not with the events. */
const WAITING_EVENTS = `
  select e.organization_id, e.id, e.type, e.source, null::text as event, e.opportunity_id as "opportunityId",
    null::bigint as "collaboratorId", e.transaction_id as "transactionId",
    case when j.parked_at is null then 'pending' else 'parked' end as state, j.error, e.occurred_at as "occurredAt"
  from jobs j join events e on e.organization_id = j.organization_id and e.id = j.event_id`;

/** A transaction names the event that reported it; those that came after have an index of their own. */
const TRANSACTIONS_EVENTS = `
  select e.*, t.opportunity_id as member from transactions t
  join (${MONEY_EVENTS}) e
    on e.organization_id = t.organization_id and e.id = t.event_id and e."transactionId" = t.id
  union all
  select e.*, t.opportunity_id as member from transactions t
  join (${MONEY_EVENTS} where e.type in ('RefundTriggered', 'CreditGranted')) e
    on e.organization_id = t.organization_id and e."transactionId" = t.id`;

/** By the transactions of the opportunity, which have an index on it, where events of money have none. */
const OPPORTUNITY_EVENTS = `
  select v.*, v."opportunityId" as member from (${VISITS}) v
  union all
  ${TRANSACTIONS_EVENTS}`;

/** A visit is an event too: it is decided when it is written, so it has no row of its own among the events. */
export const events: Relation<Row, EventResource> = {
  query: `${VISITS} union all ${MONEY_EVENTS}`,
  key: 'id',
  sorts: { id: 'bigint', occurredAt: 'timestamptz' },
  read: ({ id, type, opportunityId, state, occurredAt, source, event, collaboratorId, transactionId, error }) => ({
    id,
    type,
    opportunityId,
    state,
    occurredAt,
    ...(source === null ? {} : { source }),
    ...(event === null ? {} : { event }),
    ...(collaboratorId === null ? {} : { collaboratorId }),
    ...(transactionId === null ? {} : { transactionId }),
    ...(error === null ? {} : { error }),
  }),
};

/** To be read with a filter by type: no union, so that the table is walked by its key. */
export function eventsOfType(type: EventType): typeof events {
  switch (type) {
    case 'SiteVisited':
      return { ...events, query: `${visits(`'SiteVisited'`, 'null::text')} where trigger is null` };
    case 'CouponApplied':
      return { ...events, query: `${visits(`'CouponApplied'`, 'null::text')} where trigger = 'coupon-applied'` };
    case 'CustomTriggered':
      return { ...events, query: `${visits(`'CustomTriggered'`, 'trigger')} where trigger <> 'coupon-applied'` };
    case 'SaleTriggered':
    case 'LeadTriggered':
    case 'RenewalTriggered':
    case 'RefundTriggered':
    case 'CreditGranted':
      return { ...events, query: MONEY_EVENTS };
    default:
      return type satisfies never;
  }
}

/** To be read with a filter by transaction. */
export const transactionEvents: typeof events = { ...events, query: TRANSACTIONS_EVENTS };

/** To be read within `member`: the opportunities that were merged into one. */
export const opportunityEvents: typeof events = { ...events, query: OPPORTUNITY_EVENTS };

export const waitingEvents: typeof events = { ...events, query: WAITING_EVENTS };
