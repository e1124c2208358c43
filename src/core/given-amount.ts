import { toHundredths } from './currency.ts';
import type { Minor } from './money.ts';

/** An amount as reported: in hundredths of the major unit, or in the smallest unit of its currency. */
export type GivenAmount =
  { readonly unit: 'hundredth'; readonly amount: Minor } | { readonly unit: 'smallest'; readonly amount: bigint };

/** Returns the amount in hundredths, rounded with halves away from zero. */
export function hundredthsOf(given: GivenAmount, currency: string): Minor {
  return given.unit === 'hundredth' ? given.amount : toHundredths(given.amount, currency);
}
