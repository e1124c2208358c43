import { externalId, object } from '#core/contract/fields.ts';
import { operation } from '#core/contract/operation.ts';
import { occurredAt, opportunityHeader, saleExternalId, saleSource } from '#tracking/contract/report-fields.ts';

export const reportRefundReversal = operation({
  method: 'POST',
  path: '/v1/event/refund-reversal',
  tag: 'Events',
  summary: 'Report that a refund was reversed',
  description:
    'Reports that a refund failed, or that the dispute behind it was won. The amounts of the conversions are ' +
    'computed again with the remaining refunds. A conversion that the refund had rejected returns to its previous ' +
    'status. A conversion that a person rejected stays rejected. A new obligation is created for an amount that is owed ' +
    'again. Open flags of payouts are withdrawn as far as the amounts are owed again. Only a refund with a `refundId` ' +
    'can be reversed. A repeat returns 200 and changes nothing.',
  scope: 'events:write',
  fresh: true,
  tier: 'essentials',
  body: object({
    source: saleSource,
    externalId: saleExternalId,
    refundId: externalId({ description: 'The id under which the refund was reported.', example: 'refund-1' }),
    occurredAt,
  }),
  repeats: 'binding',
  success: {
    description: 'The reversal is durably recorded.',
    serviceHeaders: opportunityHeader('The opportunity of the sale. Absent if the order has none.', 'sometimes'),
  },
  problems: ['tier-required', 'sale-not-found', 'refund-not-found'],
});
