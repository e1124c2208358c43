import type { Amount } from '#ui/money.tsx';

/** What amounts add up to, for each currency, which nobody can add up any further; by currency. */
export function totalsOf(rows: readonly { readonly amount: number; readonly currency: string }[]): Amount[] {
  const totals = new Map<string, bigint>();
  for (const { amount, currency } of rows) totals.set(currency, (totals.get(currency) ?? 0n) + BigInt(amount));
  return [...totals].sort(([a], [b]) => (a < b ? -1 : 1)).map(([currency, minor]) => ({ currency, minor }));
}
