import type { ConnectorKind, Verify } from '../domain/connector.ts';
import { verifyPaddle } from './verify-paddle.ts';
import { verifyShopify } from './verify-shopify.ts';
import { verifyStripe } from './verify-stripe.ts';
import { verifyWooCommerce } from './verify-woocommerce.ts';

/** The signature verifier for each kind of connector. */
export const VERIFIERS: Readonly<Record<ConnectorKind, Verify>> = {
  stripe: verifyStripe,
  paddle: verifyPaddle,
  shopify: verifyShopify,
  woocommerce: verifyWooCommerce,
};
