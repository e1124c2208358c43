import { queryOptions } from '@tanstack/react-query';
import type { Whence } from '@whence/sdk';

/** Returns the logged-in partner's balance in each currency they ever earned in. */
export function balanceQuery(api: Whence) {
  return queryOptions({ queryKey: ['portal', 'balance'], queryFn: ({ signal }) => api.portal.getBalance({ signal }) });
}
