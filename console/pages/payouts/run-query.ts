import { queryOptions } from '@tanstack/react-query';
import type { Fulfillment, Whence } from '@whence/sdk';

export function runQuery(api: Whence, id: string) {
  return queryOptions({
    queryKey: ['fulfillments', 'one', id],
    queryFn: ({ signal }) => api.fulfillments.get(id, { signal }),
  });
}

/** While it is so, its payouts can be marked. */
export function isOpen({ status }: Fulfillment): boolean {
  return status === 'pending' || status === 'processing';
}

/** How many payouts of a run are how. */
export type RunCounts = {
  readonly paid: number;
  readonly unpaid: number;
  readonly flagged: number;
  /** Unpaid and flagged: they can't be paid now. */
  readonly blocked: number;
};

export function countsQuery(api: Whence, fulfillmentId: number) {
  return queryOptions({
    queryKey: ['payouts', 'counts', fulfillmentId],
    queryFn: async ({ signal }): Promise<RunCounts> => {
      const count = async (filter: object): Promise<number> =>
        (await api.payouts.list({ fulfillmentId, perPage: 1, ...filter }, { signal }).page()).estimatedCount;
      const [paid, unpaid, flagged, blocked] = await Promise.all([
        count({ status: 'paid' }),
        count({ status: 'unpaid' }),
        count({ review: 'flagged' }),
        count({ review: 'flagged', status: 'unpaid' }),
      ]);
      return { paid, unpaid, flagged, blocked };
    },
  });
}
