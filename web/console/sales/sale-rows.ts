import type { Conversion, Transaction, Whence } from '@whence/sdk';
import { NO_CURRENCY } from '#web/ui/formats/money.ts';
import { type ListPage, listPage, type ListQuery } from '#web/ui/table/list-query.ts';
import type { ListTotal } from '#web/ui/table/list-totals.tsx';
import { sales as texts } from './sales-texts.ts';

/** A sale, lead or renewal with its conversions. */
export type SaleRow = Transaction & { readonly conversions: readonly Conversion[] };

/** The maximum number of conversions that a page of sales loads. */
const MOST = 500;

/** Loads a page of sales with their conversions. */
export async function loadSales(api: Whence, query: ListQuery, signal: AbortSignal): Promise<ListPage<SaleRow>> {
  const page = listPage(await api.transactions.list(query as object, { signal }).page());
  const found = await conversionsOf(api, page.rows, signal);
  return { ...page, rows: page.rows.map((sale) => ({ ...sale, conversions: found.get(sale.id) ?? [] })) };
}

async function conversionsOf(
  api: Whence,
  sales: readonly Transaction[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, readonly Conversion[]>> {
  const found = new Map<number, Conversion[]>();
  if (sales.length === 0) return found;
  const transactionIds = sales.map(({ id }) => id).join();
  let count = 0;
  for await (const conversion of api.conversions.list({ transactionIds, sort: 'id' }, { signal })) {
    const before = found.get(conversion.transactionId) ?? [];
    found.set(conversion.transactionId, [...before, conversion]);
    count += 1;
    if (count === MOST) break;
  }
  return found;
}

/** Loads the totals of all sales that match the filters. Leads have no total. */
export async function loadSaleTotals(api: Whence, query: ListQuery, signal: AbortSignal): Promise<ListTotal[]> {
  const { totals } = await api.transactions.total(query as object, { signal });
  const sold = totals.filter(({ currency }) => currency !== NO_CURRENCY);
  const refunded = sold.filter(({ refundedAmount }) => refundedAmount !== 0);
  return [
    { label: texts.columns.total, of: sold.map(({ currency, total }) => ({ currency, minor: total })) },
    {
      label: texts.columns.refunded,
      of: refunded.map(({ currency, refundedAmount }) => ({ currency, minor: refundedAmount })),
    },
  ].flatMap(({ label, of }) => (of.length === 0 ? [] : [{ label, amounts: of }]));
}
