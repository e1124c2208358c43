import type { EventState, EventType } from '../../domain/event.ts';
import type { CollaboratorId, EventId, OpportunityId, TransactionId } from '#core/ids.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';

export type EventResource = {
  readonly id: EventId;
  readonly type: EventType;
  readonly source?: string;
  /** The slug of a custom event. */
  readonly event?: string;
  /**
   * The internal id of the opportunity, which the HTTP layer replaces with the public number. Null for an order that
   * was reported without a referral.
   */
  readonly opportunityId: OpportunityId | null;
  /** The collaborator of a visit or a signal. */
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
  readonly opportunityId: OpportunityId | null;
  readonly collaboratorId: CollaboratorId | null;
  readonly transactionId: TransactionId | null;
  readonly state: EventState;
  readonly error: string | null;
  readonly occurredAt: Date;
};

/** Returns SQL for visits, coupons and custom events as events. `type` and `event` are SQL for these columns. */
const visits = (type: string, event: string) => `
  select organization_id, id, ${type} as type, null::text as source, ${event} as event,
    opportunity_id as "opportunityId", collaborator_id as "collaboratorId", null::bigint as "transactionId", 'done' as state, null::text as error,
    occurred_at as "occurredAt"
  from visits`;

/**
 * SQL for all visits, coupons and custom events. It has no condition, because PostgreSQL can't scan a branch of a union
 * by its key if the branch has a condition.
 */
const VISITS = visits(
  `case when trigger is null then 'SiteVisited' when trigger = 'coupon-applied' then 'CouponApplied'
    else 'CustomTriggered' end`,
  `nullif(trigger, 'coupon-applied')`,
);

/**
 * SQL for the events of transactions. Jobs are looked up only for returned rows, so that all branches can be scanned by
 * their keys.
 */
const MONEY_EVENTS = `
  select organization_id, id, type, source, null::text as event, opportunity_id as "opportunityId",
    null::bigint as "collaboratorId", transaction_id as "transactionId",
    coalesce((
      select case when j.dead_lettered_at is null then 'pending' else 'parked' end from jobs j
      where j.organization_id = e.organization_id and j.event_id = e.id
    ), 'done') as state,
    (select j.error from jobs j where j.organization_id = e.organization_id and j.event_id = e.id) as error,
    occurred_at as "occurredAt"
  from events e`;

/** SQL for pending and dead-lettered events. They are few, so the query starts with the jobs instead of the events. */
const WAITING_EVENTS = `
  select e.organization_id, e.id, e.type, e.source, null::text as event, e.opportunity_id as "opportunityId",
    null::bigint as "collaboratorId", e.transaction_id as "transactionId",
    case when j.dead_lettered_at is null then 'pending' else 'parked' end as state, j.error, e.occurred_at as "occurredAt"
  from jobs j join events e on e.organization_id = j.organization_id and e.id = j.event_id`;

/**
 * SQL for the events of transactions, found from the transactions. Each transaction contains the id of the event that
 * reported it. Its later events are found with a separate index.
 */
const TRANSACTIONS_EVENTS = `
  select e.*, t.opportunity_id as member from transactions t
  join (${MONEY_EVENTS}) e
    on e.organization_id = t.organization_id and e.id = t.event_id and e."transactionId" = t.id
  union all
  select e.*, t.opportunity_id as member from transactions t
  join (${MONEY_EVENTS} where e.type in ('RefundTriggered', 'RefundReversed', 'SaleCorrected', 'CreditGranted')) e
    on e.organization_id = t.organization_id and e."transactionId" = t.id`;

/**
 * SQL for the events of opportunities. It finds the events of transactions through `transactions`, which has an index
 * on the opportunity. `events` has no such index.
 */
const OPPORTUNITY_EVENTS = `
  select v.*, v."opportunityId" as member from (${VISITS}) v
  union all
  ${TRANSACTIONS_EVENTS}`;

/** All events. Visits, coupons and custom events have no row in `events`, because they are decided when written. */
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

/** Returns the relation for a list of events of one type. It has no union, so that the table is scanned by its key. */
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
    case 'RefundReversed':
    case 'SaleCorrected':
    case 'CreditGranted':
      return { ...events, query: MONEY_EVENTS };
    default:
      return type satisfies never;
  }
}

/** The relation for a list of the events of a transaction. */
export const transactionEvents: typeof events = { ...events, query: TRANSACTIONS_EVENTS };

/**
 * The relation for a list of the events of an opportunity. Its column `member` is the opportunity of the visit or
 * transaction, which may have been merged since.
 */
export const opportunityEvents: typeof events = { ...events, query: OPPORTUNITY_EVENTS };

export const waitingEvents: typeof events = { ...events, query: WAITING_EVENTS };
