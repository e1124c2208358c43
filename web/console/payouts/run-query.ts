import { queryOptions } from '@tanstack/react-query';
import type { Fulfillment, Whence } from '@whence/sdk';

export function runQuery(api: Whence, id: string) {
  return queryOptions({
    queryKey: ['fulfillments', 'one', id],
    queryFn: ({ signal }) => api.fulfillments.get(id, { signal }),
  });
}

export function paymentFilesQuery(api: Whence, id: number) {
  return queryOptions({
    queryKey: ['payouts', 'files', id],
    queryFn: ({ signal }) => api.fulfillments.listPaymentFiles(id, { signal }),
    staleTime: 0,
  });
}

/** Returns whether a run is open. Payouts can be marked only while their run is open. */
export function isOpen({ status }: Fulfillment): boolean {
  return status === 'pending' || status === 'processing';
}

/** The estimated number of payouts of a run, by state. */
export type RunCounts = {
  readonly paid: number;
  readonly unpaid: number;
  readonly flagged: number;
  /** The number of unpaid, flagged payouts, which can't be paid now. */
  readonly blocked: number;
  /** The number of unpaid payouts to partners without payout details. */
  readonly withoutDetails: number;
};

export function countsQuery(api: Whence, fulfillmentId: number) {
  return queryOptions({
    queryKey: ['payouts', 'counts', fulfillmentId],
    queryFn: async ({ signal }): Promise<RunCounts> => {
      const count = async (filter: object): Promise<number> =>
        (await api.payouts.list({ fulfillmentId, perPage: 1, ...filter }, { signal }).page()).estimatedCount;
      const [paid, unpaid, flagged, blocked, withoutDetails] = await Promise.all([
        count({ status: 'paid' }),
        count({ status: 'unpaid' }),
        count({ review: 'flagged' }),
        count({ review: 'flagged', status: 'unpaid' }),
        count({ payoutMethod: 'none', status: 'unpaid' }),
      ]);
      return { paid, unpaid, flagged, blocked, withoutDetails };
    },
  });
}
