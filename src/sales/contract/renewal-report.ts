import { currencyCode, externalId, object, optional } from '#core/contract/fields.ts';
import { BESIDE_OTHER_FAULTS } from '#core/contract/given-amount.ts';
import { operation } from '#core/contract/operation.ts';
import {
  occurredAt,
  opportunityHeader,
  refuseHugeSale,
  requireTotal,
  saleItems,
  saleSource,
  saleTotal,
  soleTotal,
  source,
  WITH_SOUND_AMOUNTS,
} from '#tracking/contract/report-fields.ts';

export const reportRenewal = operation({
  method: 'POST',
  path: '/v1/event/renewal',
  tag: 'Events',
  summary: 'Report a renewal',
  description:
    'Reports that a subscription that began with a sale was renewed. The collaborators who earned from the sale ' +
    'earn again, in the programs that pay for renewals. Visits after the sale don’t count. The renewal has its own ' +
    'source and externalId, which refunds use. Amounts, repeats and conflicts work as for a sale.',
  scope: 'events:write',
  fresh: true,
  tier: 'essentials',
  example: { source: 'shop', externalId: 'invoice-2002', saleExternalId: 'order-1001', total: 49.99 },
  body: object({
    source: saleSource,
    externalId: externalId({
      description: 'The renewal’s id in that system: a string, or an integer, which is read as its digits.',
      example: 'invoice-2002',
    }),
    saleExternalId: externalId({ description: 'The `externalId` of the sale that is renewed.', example: 'order-1001' }),
    saleSource: optional(
      source({
        description: 'The `source` of the renewed sale. The default is the `source` of the renewal.',
        example: 'shop',
      }),
    ),
    ...saleTotal,
    currency: optional(
      currencyCode({ description: 'An ISO 4217 code in any case. The default is the currency of the sale.' }),
    ),
    items: saleItems,
    occurredAt,
  })
    .superRefine(requireTotal, BESIDE_OTHER_FAULTS)
    .superRefine(refuseHugeSale, WITH_SOUND_AMOUNTS)
    .transform(soleTotal),
  repeats: 'binding',
  success: {
    description: 'The renewal is durably recorded.',
    serviceHeaders: opportunityHeader('The opportunity of the sale. Absent if the sale has none.', 'sometimes'),
  },
  problems: ['tier-required', 'sale-conflict', 'sale-not-found'],
});
