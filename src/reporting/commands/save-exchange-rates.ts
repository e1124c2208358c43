import type { ExchangeRate } from '../domain/exchange-rate.ts';
import { removeRates, saveRates } from '../store/exchange-rates.ts';
import type { Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';

export type RateChange = Omit<ExchangeRate, 'rate'> & { /** Null removes the rate. */ readonly rate: string | null };

/** Saves and removes rates in one transaction. Returns the number of rates that changed. */
export function saveExchangeRates(tenant: Tenant<Database>, rates: readonly RateChange[]): Promise<number> {
  return inTenantTransaction(tenant, async (tenant) => {
    const saved = await saveRates(
      tenant,
      rates.filter((each): each is ExchangeRate => each.rate !== null),
    );
    return (
      saved +
      (await removeRates(
        tenant,
        rates.filter(({ rate }) => rate === null),
      ))
    );
  });
}
