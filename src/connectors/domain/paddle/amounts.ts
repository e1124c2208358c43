import { isCurrency, toHundredths } from '#core/currency.ts';
import type { Minor } from '#core/money.ts';
import type { JsonObject } from '../connector.ts';
import { textIn } from '../json.ts';

/** Returns the currency of a transaction or adjustment, or undefined if it is unknown. */
export function currencyIn(from: JsonObject): string | undefined {
  const code = textIn(from, 'currency_code');
  return code !== undefined && isCurrency(code) ? code : undefined;
}

/**
 * Returns an amount in hundredths. Paddle writes amounts as text, in the currency's smallest unit according to ISO
 * 4217. Returns undefined if the field isn't such an amount.
 */
export function amountIn(from: JsonObject, name: string, currency: string): Minor | undefined {
  const units = Number(textIn(from, name) ?? Number.NaN);
  return Number.isSafeInteger(units) ? toHundredths(BigInt(units), currency) : undefined;
}
