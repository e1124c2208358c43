import { queryOptions } from '@tanstack/react-query';
import type { Conversion, Journey, LedgerEntry, Opportunity, Payout, Whence } from '@whence/sdk';
import { moneyQuery } from '../attribution/conversion-query.ts';

/** A journey with its conversions, and with the ledger entries and payouts of the first conversions. */
export type WholeJourney = {
  readonly opportunity: Opportunity;
  readonly journey: Journey;
  readonly conversions: readonly Conversion[];
  /**
   * `conversions` is the number of conversions whose ledger entries are loaded, starting with the first. `of` is the
   * estimated number of all conversions.
   */
  readonly followed: { readonly conversions: number; readonly of: number };
  readonly entries: readonly LedgerEntry[];
  /** The payouts in the loaded ledger entries. They have the dates of payment. */
  readonly payouts: readonly Payout[];
};

/** The maximum number of conversions in a journey. Further conversions are not loaded. */
const MOST_CONVERSIONS = 100;
/** The maximum number of conversions whose ledger entries are loaded. Each conversion takes at least two calls. */
const MOST_FOLLOWED = 25;

export function journeyQuery(api: Whence, id: string) {
  return queryOptions({
    queryKey: ['opportunities', 'journey', id],
    queryFn: async ({ signal, client }): Promise<WholeJourney> => {
      const [opportunity, journey, { data: conversions, estimatedCount }] = await Promise.all([
        api.opportunities.get(id, { signal }),
        api.opportunities.getJourney(id, { signal }),
        api.conversions.list({ opportunityId: Number(id), sort: 'id', perPage: MOST_CONVERSIONS }, { signal }).page(),
      ]);
      const moneys = await Promise.all(
        conversions.slice(0, MOST_FOLLOWED).map((conversion) => client.fetchQuery(moneyQuery(api, conversion.id))),
      );
      const entries = moneys.flatMap((money) => money.entries);
      const followed = { conversions: moneys.length, of: estimatedCount };
      return { opportunity, journey, conversions, followed, entries, payouts: await payoutsOf(api, entries, signal) };
    },
  });
}

async function payoutsOf(api: Whence, entries: readonly LedgerEntry[], signal: AbortSignal): Promise<Payout[]> {
  const ids = [...new Set(entries.flatMap(({ payoutId }) => (payoutId === null ? [] : [payoutId])))];
  if (ids.length === 0) return [];
  // Ledger entries are loaded for at most MOST_FOLLOWED conversions, so a hundred payouts are enough.
  const perPage = 100;
  return (await api.payouts.list({ ids: ids.slice(0, perPage).join(','), perPage }, { signal }).page()).data;
}
