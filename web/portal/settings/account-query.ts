import { queryOptions } from '@tanstack/react-query';
import type { Whence } from '@whence/sdk';

/** Returns the logged-in partner's own account data. */
export function accountQuery(api: Whence) {
  return queryOptions({ queryKey: ['portal', 'account'], queryFn: ({ signal }) => api.portal.getAccount({ signal }) });
}
