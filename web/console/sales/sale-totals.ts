import type { Whence } from '@whence/sdk';
import { sales as texts } from './sales-texts.ts';
import { NO_CURRENCY } from '#web/ui/formats/money.ts';
import type { ListQuery } from '#web/ui/table/list-query.ts';
import type { ListTotal } from '#web/ui/table/list-totals.tsx';

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
