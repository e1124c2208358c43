import { field, object, optional, refusal } from './fields.ts';
import { operation } from './operation.ts';
import { saleExternalId, saleSource } from './sale-report.ts';

/** What a partial refund would say: to take it for a full one would be wrong money, so it is refused by name. */
const partial = optional(
  field<never>({}, { description: 'Partial refunds are not supported yet: a request with this is refused.' }, () =>
    refusal('not-supported', 'Partial refunds are not supported yet.'),
  ),
);

export const reportRefund = operation({
  method: 'POST',
  path: '/v1/event/refund',
  tag: 'Events',
  summary: 'Report a refund',
  description:
    'Reports that an order was reversed. From the answer on nothing makes its money payable: conversions are rejected, ' +
    'obligations cleaned up. A repeat answers 200 and changes nothing.',
  scope: 'events:write',
  keys: ['secret'],
  tier: 'essentials',
  body: object({
    source: saleSource,
    externalId: saleExternalId,
    amount: partial,
    items: partial,
  }),
  success: { status: 200, description: 'The refund is recorded, durably.' },
  problems: ['tier-required', 'sale-not-found'],
});
