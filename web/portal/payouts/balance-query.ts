import { queryOptions } from '@tanstack/react-query';
import type { Whence } from '@whence/sdk';

/** Returns the query for the partner's balance in each currency with earnings, past or present. */
export function balanceQuery(api: Whence) {
  return queryOptions({ queryKey: ['portal', 'balance'], queryFn: ({ signal }) => api.portal.getBalance({ signal }) });
}

/** Returns the query for the partner's open payout requests, and for the minimum of a request. */
export function requestsQuery(api: Whence) {
  return queryOptions({
    queryKey: ['portal', 'payout-requests'],
    queryFn: ({ signal }) => api.portal.getPayoutRequests({ signal }),
  });
}
