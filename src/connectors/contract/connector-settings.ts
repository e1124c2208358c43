import { choice, choices, type Field, integer, object, optional } from '#core/contract/fields.ts';
import type { ConnectorKind } from '../domain/connector.ts';
import { DISPUTE_MOMENTS, FOREIGN_CARRIERS } from '../domain/stripe/settings.ts';

const MAX_AWAIT_HOURS = 720;

const stripe = object({
  carriers: optional(
    choices(FOREIGN_CARRIERS, {
      description: 'Other services whose fields in the checkout can contain the tracking id.',
      example: ['rewardful'],
    }),
  ),
  reverseDisputes: optional(
    choice(DISPUTE_MOMENTS, { description: 'When a dispute reverses commissions. The default is `opened`.' }),
  ),
  awaitCheckoutHours: optional(
    integer(0, MAX_AWAIT_HOURS, {
      description: 'How long an invoice without a referral waits for its Checkout Session. The default is 72.',
      example: 72,
    }),
  ),
});

export const CONNECTOR_SETTINGS: Readonly<Record<ConnectorKind, Field<Readonly<Record<string, unknown>>>>> = {
  stripe,
  paddle: object({}),
  polar: object({}),
  shopify: object({}),
  woocommerce: object({}),
  medusa: object({}),
};
