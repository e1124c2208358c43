import { EVENT_STATES, EVENT_TYPES } from '../domain/event.ts';
import type { CollaboratorId, EventId } from '#core/ids.ts';
import { z } from 'zod';
import { choice, id, text } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { opportunityNumber } from './opportunity.ts';
import { shownChoice, shownId, shownOpportunity, shownText, shownTime } from '#core/contract/response-fields.ts';

const operation = operationsOf('Events');

export const event = z
  .strictObject({
    id: shownId({
      description: 'The event’s id. Among the events of one visitor, a higher id was reported later.',
      example: 11,
    }),
    type: shownChoice(EVENT_TYPES, {
      description: 'The type. `CreditGranted` is a manual credit.',
    }),
    source: shownText({ description: 'The system that reported the event.', example: 'shop' }).optional(),
    event: shownText({ description: 'The slug of a custom event.', example: 'newsletter-signup' }).optional(),
    opportunityId: shownOpportunity('The opportunity, as reported. Null for an order without a referral.').nullable(),
    collaboratorId: shownId({
      description: 'The collaborator of a visit, coupon or custom event.',
      example: 7,
    }).optional(),
    transactionId: shownId({
      description: 'The transaction. Absent for a visit, coupon or custom event.',
      example: 31,
    }).optional(),
    state: shownChoice(EVENT_STATES, {
      description:
        '`pending`: waits for its decision. `parked`: dead-lettered, because the decision failed repeatedly.',
      example: 'done',
    }),
    error: shownText({
      description: 'The last error, if the event is not done.',
      example: 'connection lost',
    }).optional(),
    occurredAt: shownTime({
      description: 'When it occurred according to the report. The default is the time of the report.',
    }),
  })
  .meta({ id: 'Event', description: 'A stored report, or a manual credit. Events never change.' });

const eventId = z.object({ id: id<EventId>({ description: 'The event’s id.', example: 11 }) });

export const listEvents = operation({
  method: 'GET',
  path: '/v1/events',
  summary: 'List events',
  description:
    'Lists events. An event is a stored report, or a manual credit. `opportunityId` also finds the events of ' +
    'merged opportunities.',
  scope: 'resources:read',
  query: listQuery(['id', 'occurredAt'], {
    type: choice(EVENT_TYPES, { description: 'Events of this type.' }),
    source: text(1, 64, { description: 'Events from this source.' }),
    collaboratorId: id<CollaboratorId>({ description: 'Visits, coupons and custom events of this collaborator.' }),
    opportunityId: opportunityNumber,
    transactionId: id({ description: 'Events of this transaction.' }),
    state: choice(EVENT_STATES, { description: 'Events in this state.' }),
  }),
  mayLag: true,
  success: listSuccess(event, 'Events.'),
});

export const getEvent = operation({
  method: 'GET',
  path: '/v1/events/{id}',
  summary: 'Get an event',
  description: 'Returns an event: a stored report, or a manual credit.',
  scope: 'resources:read',
  params: eventId,
  success: { description: 'The event.', body: event },
});

export const retryEvent = operation({
  method: 'POST',
  path: '/v1/events/{id}/retry',
  reader: getEvent,
  summary: 'Retry a dead-lettered event',
  description:
    'Returns a dead-lettered event to the pipeline. A pending event stays pending. An event that is done can’t be retried.',
  scope: 'resources:write',
  params: eventId,
  success: { description: 'The changed event.', body: event },
  problems: ['invalid-transition'],
});
