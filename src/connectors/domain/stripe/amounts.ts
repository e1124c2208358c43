import { decimalsOf, isCurrency } from '#core/currency.ts';
import { divideHalfUp, type Minor } from '#core/money.ts';
import type { JsonObject } from '../connector.ts';
import { integerIn, textIn } from '../json.ts';

/* Converts the amounts of Stripe, and of Polar, which charges through Stripe. */

/** The decimals of Stripe's smallest units that differ from ISO 4217 (docs.stripe.com/currencies, special cases). */
const STRIPE_DECIMALS: ReadonlyMap<string, number> = new Map([
  ['ISK', 2],
  ['MGA', 0],
  ['UGX', 2],
]);

/** Returns the currency in upper case, or undefined if it is unknown. */
export function currencyIn(from: JsonObject): string | undefined {
  const code = textIn(from, 'currency')?.toUpperCase();
  return code !== undefined && isCurrency(code) ? code : undefined;
}

/** Converts an amount in Stripe's smallest unit to hundredths, and rounds halves away from zero. */
export function convertStripeAmount(amount: number, currency: string): Minor {
  const decimals = STRIPE_DECIMALS.get(currency) ?? decimalsOf(currency);
  return divideHalfUp(BigInt(amount) * 100n, 10n ** BigInt(decimals)) as Minor;
}

/** Returns an amount in Stripe's smallest unit. A missing amount is 0. */
export function amountIn(from: JsonObject, name: string): number {
  return integerIn(from, name) ?? 0;
}
