import { queryOptions } from '@tanstack/react-query';
import { type Whence, WhenceError } from '@whence/sdk';

/** The polling interval until the sale is decided, in milliseconds. */
const AGAIN_MS = 1_000;

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
