import type { Conversion, Transaction, Whence } from '@whence/sdk';
import { type ListPage, listPage, type ListQuery } from '#web/ui/table/list-query.ts';

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
