import { externalId, object, optional } from '#core/contract/fields.ts';
import { operation } from '#core/contract/operation.ts';
import { opportunityHeader, source, trackingId, occurredAt } from '#tracking/contract/report-fields.ts';

/** Reports a lead. `trackingId` is the public number, which the route converts to the opportunity's id. */
export const reportLead = operation({
  method: 'POST',
  path: '/v1/event/lead',
  tag: 'Events',
  summary: 'Report a lead',
  description:
    'A visitor became a lead. Programs that pay leads award their fixed amount. An opportunity is one lead, unless you ' +
    'name each lead with a source and externalId of its own. A repeat returns the same response and changes ' +
    'nothing. A source and externalId that were used for something else are a conflict. Refund the source and ' +
    'externalId to reverse the lead.',
  scope: 'events:write',
  keys: ['secret'],
  tier: 'essentials',
  example: { trackingId: 5214909912345678, source: 'crm', externalId: 'lead-77' },
  body: object({
    trackingId,
    source: optional(
      source({ description: 'The system of the lead. It is compared exactly.', example: 'crm' }),
      'lead',
    ),
    externalId: optional(
      externalId({
        description: 'The lead’s id in that system. The default is the digits of `trackingId`.',
        example: 'lead-77',
      }),
    ),
    occurredAt,
  }),
  repeats: 'binding',
  success: {
    status: 200,
    description: 'The lead is durably recorded.',
    serviceHeaders: opportunityHeader('The opportunity that the lead belongs to.'),
  },
  problems: ['tier-required', 'sale-conflict'],
});
