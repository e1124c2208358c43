import { object, optional, text } from './fields.ts';
import { operation } from './operation.ts';
import { opportunityHeader, trackingId } from './report-fields.ts';
import { collaboratorReference } from './visit-report.ts';

export const reportCustomEvent = operation({
  method: 'POST',
  path: '/v1/event/custom',
  tag: 'Events',
  summary: 'Report an event of your own',
  description:
    'Something that a visitor did, by the slug of one of your custom events. It touches engagements as a visit does, in ' +
    'the programs that have the slug for a trigger: for the collaborator that is named, or else for everyone who has an ' +
    'engagement on the opportunity, also one that a sale has completed. On an opportunity that is invalid or was removed it is without effect.',
  scope: 'events:write',
  keys: ['secret'],
  tier: 'essentials',
  body: object({
    event: text(1, 64, { description: 'The slug of the custom event.', example: 'newsletter-signup' }),
    trackingId,
    collaboratorId: optional(collaboratorReference),
  }),
  repeats: 'event-row',
  success: {
    status: 200,
    description: 'It is recorded, durably.',
    serviceHeaders: opportunityHeader('The opportunity.'),
  },
  problems: ['tier-required', 'event-not-found'],
});
