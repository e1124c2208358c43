import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Whence, WhenceError } from '@whence/sdk';
import { useEffect, useRef } from 'react';
import { useApi } from '#web/ui/shell/api.tsx';

/** The polling interval until the sale and its refunds are decided, in milliseconds. */
const AGAIN_MS = 1_000;

/** Returns the query key of the sale with the id in the URL of its page. */
export function saleKey(id: string | undefined): readonly unknown[] {
  return ['transactions', 'one', id];
}

export function explanationQuery(api: Whence, transactionId: number) {
  return queryOptions({
    queryKey: ['transactions', 'explanation', transactionId],
    queryFn: ({ signal }) => api.transactions.explain(transactionId, { signal }),
    refetchInterval: ({ state }) => (isUndecided(state.error) ? AGAIN_MS : false),
  });
}

export function isUndecided(error: unknown): boolean {
  return error instanceof WhenceError && error.code === 'not-decided';
}

/**
 * Returns whether reports about the sale are pending, such as a refund. Polls until all reports are decided, and then
 * reloads the data that they can change, such as the status of the sale's commissions.
 */
export function useUndecidedReports(transactionId: number): boolean {
  const client = useQueryClient();
  const { data: isPending = false } = useQuery({
    ...undecidedQuery(useApi(), transactionId),
    refetchInterval: ({ state }) => (state.data === true ? AGAIN_MS : false),
  });
  const wasPending = useRef(false);
  useEffect(() => {
    if (wasPending.current && !isPending) void refetchChanged(client);
    wasPending.current = isPending;
  }, [client, isPending]);
  return isPending;
}

function undecidedQuery(api: Whence, transactionId: number) {
  return queryOptions({
    queryKey: ['events', 'undecided', transactionId],
    queryFn: async ({ signal }) => {
      const pending = api.events.list({ transactionId, state: 'pending', perPage: 1 }, { signal });
      return (await pending.page()).data.length > 0;
    },
  });
}

/**
 * Reloads the data that a new report about a sale can change. First checks whether the report is pending: if it is, its
 * decision triggers another reload.
 */
export async function refetchSale(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: ['events'] });
  await refetchChanged(client);
}

async function refetchChanged(client: QueryClient): Promise<void> {
  const changed = ['transactions', 'conversions', 'owed', 'balances', 'payouts'];
  await Promise.all(changed.map((noun) => client.invalidateQueries({ queryKey: [noun] })));
}
