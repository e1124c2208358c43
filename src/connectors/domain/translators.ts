import type { ConnectorKind, Translator } from './connector.ts';
import { medusa } from './medusa/translator.ts';
import { paddle } from './paddle/translator.ts';
import { polar } from './polar/translator.ts';
import { shopify } from './shopify/translator.ts';
import { stripe } from './stripe/translator.ts';
import { woocommerce } from './woocommerce/translator.ts';

export const TRANSLATORS: Readonly<Record<ConnectorKind, Translator>> = {
  stripe,
  paddle,
  polar,
  shopify,
  woocommerce,
  medusa,
};
