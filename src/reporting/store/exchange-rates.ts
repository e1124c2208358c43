import type { ExchangeRate } from '../domain/exchange-rate.ts';
import { CURRENCIES } from '#core/currency.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/** Returns the rate of each currency that applies on a day, sorted by currency. */
export async function readExchangeRates({ connection, organizationId }: Tenant, day: string): Promise<ExchangeRate[]> {
  const { rows } = await connection.query<ExchangeRate>(
    `select c.currency, e.day::text as day, trim_scale(e.rate)::text as rate
     from unnest($3::text[]) c (currency)
     cross join lateral (
       select day, rate from exchange_rates
       where organization_id = $1 and currency = c.currency and day <= $2 order by day desc limit 1
     ) e
     order by c.currency collate "C"`,
    [organizationId, day, [...CURRENCIES]],
  );
  return rows;
}

/** The maximum number of rates that one statement saves. */
const RATES_A_STATEMENT = 10_000;

/**
 * Saves rates, and returns the number of rates that changed. There must be at most one rate for each currency and day.
 * The rows are locked in order, so that concurrent calls don't deadlock.
 */
export async function saveRates(
  { connection, organizationId }: Tenant,
  rates: readonly ExchangeRate[],
): Promise<number> {
  const sorted = rates.toSorted(compareKeys);
  let changed = 0;
  for (let at = 0; at < sorted.length; at += RATES_A_STATEMENT) {
    const some = sorted.slice(at, at + RATES_A_STATEMENT);
    const { rowCount } = await connection.query(
      `insert into exchange_rates as e (organization_id, currency, day, rate)
       select $1, r.* from unnest($2::text[], $3::date[], $4::numeric[]) r (currency, day, rate)
       on conflict (organization_id, currency, day) do update set rate = excluded.rate where e.rate <> excluded.rate`,
      [organizationId, some.map((each) => each.currency), some.map((each) => each.day), some.map((each) => each.rate)],
    );
    changed += rowCount ?? 0;
  }
  return changed;
}

/** Removes rates, and returns the number of rates that existed. */
export async function removeRates(
  { connection, organizationId }: Tenant,
  rates: readonly Omit<ExchangeRate, 'rate'>[],
): Promise<number> {
  const { rowCount } = await connection.query(
    `delete from exchange_rates e using unnest($2::text[], $3::date[]) r (currency, day)
     where e.organization_id = $1 and e.currency = r.currency and e.day = r.day`,
    [organizationId, rates.map(({ currency }) => currency), rates.map(({ day }) => day)],
  );
  return rowCount ?? 0;
}

/** Compares rates by currency and then by day. Builds no keys, because a file has up to 200,000 rates. */
function compareKeys(a: ExchangeRate, b: ExchangeRate): number {
  if (a.currency !== b.currency) return a.currency < b.currency ? -1 : 1;
  return a.day < b.day ? -1 : 1;
}

/** Returns the key of a rate, which is unique in an organization. */
export function keyOf({ currency, day }: Omit<ExchangeRate, 'rate'>): string {
  return `${currency} ${day}`;
}
