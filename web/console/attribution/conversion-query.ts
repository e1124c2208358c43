import { queryOptions } from '@tanstack/react-query';
import type { Conversion, ConversionTotal, LedgerEntry, Obligation, Whence } from '@whence/sdk';
import { conversions as texts } from './conversions-texts.ts';
import { type ListPage, listPage, type ListQuery } from '#web/ui/table/list-query.ts';
import type { ListTotal } from '#web/ui/table/list-totals.tsx';

/** The obligations of a conversion and their ledger entries, each sorted by id. */
export type ConversionMoney = { readonly obligations: readonly Obligation[]; readonly entries: readonly LedgerEntry[] };

/**
 * The maximum number of matching orders whose conversions a search shows. Only the newest matching orders are included.
 */
const MAX_FOUND_ORDERS = 100;

/**
 * Loads a page of conversions. `search` finds the conversions of orders by any part of the order number, or by a whole
 * coupon code.
 */
export async function loadConversions(
  api: Whence,
  { search, ...query }: ListQuery,
  signal: AbortSignal,
): Promise<ListPage<Conversion>> {
  const found = await findOrders(api, search, signal);
  if (found?.transactionIds === '') return { rows: [], estimatedCount: 0 };
  return listPage(await api.conversions.list({ ...query, ...found } as object, { signal }).page());
}

/** Loads the sums of all conversions that match the filters. Rejected conversions are added up separately. */
export async function loadConversionTotals(
  api: Whence,
  { search, ...query }: ListQuery,
  signal: AbortSignal,
): Promise<ListTotal[]> {
  const found = await findOrders(api, search, signal);
  if (found?.transactionIds === '') return [];
  const { totals } = await api.conversions.total({ ...query, ...found }, { signal });
  const sum = (label: string, of: (total: ConversionTotal) => number): ListTotal[] => {
    const amounts = totals.map((total) => ({ currency: total.currency, minor: of(total) }));
    const shown = amounts.filter(({ minor }) => minor !== 0);
    return shown.length === 0 ? [] : [{ label, amounts: shown }];
  };
  return [
    ...sum(texts.columns.amount, ({ amount, rejectedAmount }) => amount - rejectedAmount),
    ...sum(texts.statuses['rejected'] ?? '', ({ rejectedAmount }) => rejectedAmount),
  ];
}

/** Returns the filter for the conversions of the orders that a search finds. Without a search, returns undefined. */
async function findOrders(
  api: Whence,
  search: string | undefined,
  signal: AbortSignal,
): Promise<{ readonly transactionIds: string } | undefined> {
  if (search === undefined) return undefined;
  const orders = await api.transactions.list({ search, perPage: MAX_FOUND_ORDERS }, { signal }).page();
  return { transactionIds: orders.data.map(({ id }) => id).join(',') };
}

export function conversionQuery(api: Whence, id: string) {
  return queryOptions({
    queryKey: ['conversions', 'one', id],
    queryFn: ({ signal }) => api.conversions.get(id, { signal }),
  });
}

/**
 * The maximum number of obligations per conversion, and of ledger entries per obligation. Few conversions have more,
 * for example a conversion with dozens of refunds, each after a separate payout.
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
