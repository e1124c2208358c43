import type { ConnectorKind } from './connector.ts';
import { ORDER_UPDATED } from './medusa/translator.ts';
import { PADDLE_EVENT_TYPES } from './paddle/translator.ts';
import { POLAR_EVENT_TYPES } from './polar/translator.ts';
import { SHOPIFY_TOPICS } from './shopify/translator.ts';
import { STRIPE_EVENT_TYPES } from './stripe/translator.ts';
import { WOOCOMMERCE_TOPICS } from './woocommerce/translator.ts';

/** The types of events to select in the shop or billing system, by kind of connector. */
export const EVENT_TYPES: Readonly<Record<ConnectorKind, readonly string[]>> = {
  stripe: STRIPE_EVENT_TYPES,
  paddle: PADDLE_EVENT_TYPES,
  polar: POLAR_EVENT_TYPES,
  shopify: SHOPIFY_TOPICS,
  woocommerce: WOOCOMMERCE_TOPICS,
  medusa: [ORDER_UPDATED],
};
