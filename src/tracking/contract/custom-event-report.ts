import type { OpportunityId } from '#core/ids.ts';
import { z } from 'zod';
import { id, object, optional, text } from '#core/contract/fields.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { addFault } from '#core/contract/parse.ts';
import { MAX_ENGAGED } from '../domain/visit.ts';
import { occurredAt, opportunityHeader, trackingId } from './report-fields.ts';
import { guestOrUser } from '#core/contract/user-fields.ts';
import { collaboratorReference } from './visit-report.ts';

const operation = operationsOf('Events');

export const reportCustomEvent = operation({
  method: 'POST',
  path: '/v1/event/custom',
  summary: 'Report a custom event',
  description:
    'Reports a visitor’s action, named by the slug of one of your custom events. Like a visit, the event creates or ' +
    'updates engagements, in programs with the slug as a trigger. It counts for the collaborator in the request. Without ' +
    'a collaborator, it counts for each collaborator with an engagement on the opportunity, even a completed engagement, ' +
    `but at most for the ${MAX_ENGAGED} collaborators with the newest touches. It has no effect on an opportunity that is ` +
    'invalid or was removed.',
  scope: 'events:write',
  tier: 'essentials',
  body: object({
    event: text(1, 64, { description: 'The slug of the custom event.', example: 'newsletter-signup' }),
    trackingId,
    collaboratorId: optional(collaboratorReference),
    occurredAt,
  }),
  repeats: 'event-row',
  success: { description: 'The report is durably recorded.', serviceHeaders: opportunityHeader('The opportunity.') },
  problems: ['tier-required', 'event-not-found'],
});

export const reportEvent = operation({
  method: 'POST',
  path: '/v1/event/{slug}',
  summary: 'Report a custom event with its slug in the path',
  description:
    'Reports a custom event like `POST /v1/event/custom`, with the slug in the path. The call also accepts `userId` ' +
    'instead of `trackingId`. The event then belongs to that user’s opportunity. If the user has no opportunity, ' +
    'the event is accepted and has no effect. The slugs of built-in reports are reserved, so that the meaning of ' +
    'their paths never changes.',
  scope: 'events:write',
  tier: 'essentials',
  params: z.object({ slug: text(1, 64, { description: 'The slug of the custom event.', example: 'quiz-done' }) }),
  example: { userId: 42 },
  body: object({
    trackingId: optional(
      id<OpportunityId>({
        description: 'The opportunity, from the response header of the visit. Required without `userId`.',
        example: 5214909912345678,
      }),
    ),
    userId: guestOrUser({
      description: 'The visitor’s user id in your platform, an integer or any text. Used only without `trackingId`.',
      example: 42,
    }),
    collaboratorId: optional(collaboratorReference),
    occurredAt,
  }).superRefine(({ trackingId: number, userId }, context) => {
    if (number === undefined && userId === undefined) addFault(context, ['trackingId'], 'required', NOBODY);
  }),
  repeats: 'event-row',
  success: {
    description: 'The event is durably recorded.',
    serviceHeaders: opportunityHeader('The opportunity. Absent if the user has none.', 'sometimes'),
  },
  problems: ['tier-required', 'event-not-found'],
});

const NOBODY = 'This field is required. If only the user is known, send userId.';
