import { MAX_MINOR } from '#domain/money.ts';
import { currencyCode, externalId, majorAmount, object, optional } from './fields.ts';
import { operation } from './operation.ts';
import { opportunityHeader, saleItems, saleSource, source } from './report-fields.ts';

export const reportRenewal = operation({
  method: 'POST',
  path: '/v1/event/renewal',
  tag: 'Events',
  summary: 'Report a renewal',
  description:
    'A subscription that began with a sale was renewed. Those who have earned from the sale earn again, in the programs ' +
    'that pay renewals; no new visit counts. The renewal has a source and externalId of its own, by which it is refunded. ' +
    'Repeats and conflicts are as for a sale.',
  scope: 'events:write',
  keys: ['secret'],
  tier: 'essentials',
  body: object({
    source: saleSource,
    externalId: externalId({
      description: 'The renewal’s id in that system: a string, or an integer, which is read as its digits.',
      example: 'invoice-2002',
    }),
    saleExternalId: externalId({ description: 'The `externalId` of the sale that is renewed.', example: 'order-1001' }),
    saleSource: optional(
      source({
        description: 'The `source` of the sale that is renewed; without it, that of the renewal.',
        example: 'shop',
      }),
    ),
    total: majorAmount(0n, MAX_MINOR, { description: 'The renewal’s total in major units.', example: 49.99 }),
    currency: optional(currencyCode({ description: 'ISO 4217, in any case; without it, that of the sale.' })),
    items: saleItems,
  }),
  repeats: 'binding',
  success: {
    status: 200,
    description: 'The renewal is recorded, durably.',
    serviceHeaders: opportunityHeader('The opportunity that the sale belongs to.'),
  },
  problems: ['tier-required', 'sale-conflict', 'sale-not-found'],
});
