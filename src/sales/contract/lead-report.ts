import { externalId, object, optional } from '#core/contract/fields.ts';
import { operation } from '#core/contract/operation.ts';
import { opportunityHeader, source, trackingId, occurredAt } from '#tracking/contract/report-fields.ts';

/**
 * The operation that reports a lead. `trackingId` is the public number, which the route converts into the opportunity's
 * id.
 */
export const reportLead = operation({
  method: 'POST',
  path: '/v1/event/lead',
  tag: 'Events',
  summary: 'Report a lead',
  description:
    'A visitor became a lead: programs that pay leads award their fixed amount. An opportunity is one lead, unless you ' +
    'name each by a source and externalId of its own. The same report again answers as the first did and changes ' +
    'nothing; a source and externalId that were used for something else are a conflict. A refund of the source and ' +
    'externalId takes the lead back.',
  scope: 'events:write',
  keys: ['secret'],
  tier: 'essentials',
  example: { trackingId: 5214909912345678, source: 'crm', externalId: 'lead-77' },
  body: object({
    trackingId,
    source: optional(
      source({ description: 'The system that the lead comes from. Compared exactly.', example: 'crm' }),
      'lead',
    ),
    externalId: optional(
      externalId({
        description: 'The lead’s id in that system; without it, the digits of `trackingId`.',
        example: 'lead-77',
      }),
    ),
    occurredAt,
  }),
  repeats: 'binding',
  success: {
    status: 200,
    description: 'The lead is recorded, durably.',
    serviceHeaders: opportunityHeader('The opportunity that the lead belongs to.'),
  },
  problems: ['tier-required', 'sale-conflict'],
});
