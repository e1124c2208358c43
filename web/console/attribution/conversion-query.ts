import { queryOptions } from '@tanstack/react-query';
import type { Conversion, LedgerEntry, Obligation, Whence } from '@whence/sdk';
import { type ListPage, listPage, type ListQuery } from '#web/ui/table/list-query.ts';

/** The obligations of a conversion and their ledger entries, each sorted by id. */
export type ConversionMoney = { readonly obligations: readonly Obligation[]; readonly entries: readonly LedgerEntry[] };

/**
 * The maximum number of matching orders whose conversions a search shows. Only the newest matching orders are included.
 */
const MAX_FOUND_ORDERS = 100;

/** Loads a page of conversions. `search` finds the conversions of orders by any part of their number. */
export async function loadConversions(
  api: Whence,
  { search, ...query }: ListQuery,
  signal: AbortSignal,
): Promise<ListPage<Conversion>> {
  if (search === undefined) return listPage(await api.conversions.list(query as object, { signal }).page());
  const orders = await api.transactions.list({ search, perPage: MAX_FOUND_ORDERS }, { signal }).page();
  if (orders.data.length === 0) return { rows: [], estimatedCount: 0 };
  const transactionIds = orders.data.map(({ id }) => id).join(',');
  return listPage(await api.conversions.list({ ...query, transactionIds } as object, { signal }).page());
}

export function conversionQuery(api: Whence, id: string) {
  return queryOptions({
    queryKey: ['conversions', 'one', id],
    queryFn: ({ signal }) => api.conversions.get(id, { signal }),
  });
}

/**
 * The maximum number of obligations per conversion, and of ledger entries per obligation. Only a conversion with dozens
 * of refunds, each after a separate payout, has more.
 */
const MOST = 100;

export function moneyQuery(api: Whence, conversionId: number) {
  return queryOptions({
    queryKey: ['conversions', 'money', conversionId],
    queryFn: async ({ signal }): Promise<ConversionMoney> => {
      const query = { conversionId, sort: 'id', perPage: MOST } as const;
      const { data: obligations } = await api.obligations.list(query, { signal }).page();
      const entries = await Promise.all(
        obligations.map(({ id }) =>
          api.ledgerEntries.list({ obligationId: id, sort: 'id', perPage: MOST }, { signal }).page(),
        ),
      );
      return { obligations, entries: entries.flatMap(({ data }) => data).sort((a, b) => a.id - b.id) };
    },
  });
}

export function explanationQuery(api: Whence, conversionId: number) {
  return queryOptions({
    queryKey: ['conversions', 'explanation', conversionId],
    queryFn: ({ signal }) => api.conversions.explain(conversionId, { signal }),
  });
}
