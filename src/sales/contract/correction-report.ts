import { externalId, object } from '#core/contract/fields.ts';
import { BESIDE_OTHER_FAULTS } from '#core/contract/given-amount.ts';
import { operation } from '#core/contract/operation.ts';
import {
  occurredAt,
  opportunityHeader,
  refuseHugeSale,
  requireTotal,
  saleExternalId,
  saleItems,
  saleSource,
  saleTotal,
  soleTotal,
  WITH_SOUND_AMOUNTS,
} from '#tracking/contract/report-fields.ts';

export const reportSaleCorrection = operation({
  method: 'POST',
  path: '/v1/event/sale-correction',
  tag: 'Events',
  summary: 'Report that a sale was corrected',
  description:
    'Reports that an order was edited. Send its new total and all its items, not only the changes. A renewal can be ' +
    'corrected too. The collaborators who earned from the sale earn from the corrected sale, under the programs as ' +
    'they were when the sale was reported. The amounts of their conversions rise or fall. A new obligation is created ' +
    'for an additional amount, and payouts that include too much are flagged. No other collaborator starts to earn. ' +
    'Refunds remain: returned items are matched to the new items with the same `externalId`. A correction that ' +
    'conflicts with the refunds is refused. A repeat returns 200 and changes nothing. The same `correctionId` with ' +
    'other content is a conflict.',
  scope: 'events:write',
  fresh: true,
  tier: 'essentials',
  example: { source: 'shop', externalId: 'order-1001', correctionId: 'edit-1', total: 59.99 },
  body: object({
    source: saleSource,
    externalId: saleExternalId,
    correctionId: externalId({ description: 'The correction’s id in that system.', example: 'edit-1' }),
    ...saleTotal,
    items: saleItems,
    occurredAt,
  })
    .superRefine(requireTotal, BESIDE_OTHER_FAULTS)
    .superRefine(refuseHugeSale, WITH_SOUND_AMOUNTS)
    .transform(soleTotal),
  repeats: 'binding',
  success: {
    description: 'The correction is durably recorded.',
    serviceHeaders: opportunityHeader('The opportunity of the sale. Absent if the order has none.', 'sometimes'),
  },
  problems: ['tier-required', 'sale-not-found', 'correction-conflict', 'correction-refused'],
});
