import { externalId, object, optional } from '#core/contract/fields.ts';
import { operation } from '#core/contract/operation.ts';
import { opportunityHeader, source, trackingId, occurredAt } from '#tracking/contract/report-fields.ts';

export const reportLead = operation({
  method: 'POST',
  path: '/v1/event/lead',
  tag: 'Events',
  summary: 'Report a lead',
  description:
    'Reports that a visitor became a lead. Programs that pay for leads award their fixed amount. An opportunity ' +
    'counts as one lead, unless you report each lead with its own source and externalId. A repeat returns the same ' +
    'response and changes nothing. A source and externalId that were used for another transaction are a conflict. ' +
    'To reverse a lead, report a refund with its source and externalId.',
  scope: 'events:write',
  fresh: true,
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
    description: 'The lead is durably recorded.',
    serviceHeaders: opportunityHeader('The opportunity that the lead belongs to.'),
  },
  problems: ['tier-required', 'sale-conflict'],
});
