import type { ConnectorKind, Verify } from '../domain/connector.ts';
import { verifyMedusa } from './verify-medusa.ts';
import { verifyPaddle } from './verify-paddle.ts';
import { verifyPolar } from './verify-polar.ts';
import { verifyShopify } from './verify-shopify.ts';
import { verifyStripe } from './verify-stripe.ts';
import { verifyWooCommerce } from './verify-woocommerce.ts';

export const VERIFIERS: Readonly<Record<ConnectorKind, Verify>> = {
  stripe: verifyStripe,
  paddle: verifyPaddle,
  polar: verifyPolar,
  shopify: verifyShopify,
  woocommerce: verifyWooCommerce,
  medusa: verifyMedusa,
};
