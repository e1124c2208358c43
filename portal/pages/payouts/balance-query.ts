import { queryOptions } from '@tanstack/react-query';
import type { Whence } from '@whence/sdk';

/** What whoever has signed in has, in each currency in which they ever earned. */
export function balanceQuery(api: Whence) {
  return queryOptions({ queryKey: ['portal', 'balance'], queryFn: ({ signal }) => api.portal.getBalance({ signal }) });
}
