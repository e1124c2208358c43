import type { Amount } from '#web/ui/controls/money.tsx';

/** Returns the total per currency, sorted by currency. */
export function totalsOf(rows: readonly { readonly amount: number; readonly currency: string }[]): Amount[] {
  const totals = new Map<string, bigint>();
  for (const { amount, currency } of rows) totals.set(currency, (totals.get(currency) ?? 0n) + BigInt(amount));
  return [...totals].sort(([a], [b]) => (a < b ? -1 : 1)).map(([currency, minor]) => ({ currency, minor }));
}
