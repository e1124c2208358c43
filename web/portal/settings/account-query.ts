import { queryOptions } from '@tanstack/react-query';
import type { Whence } from '@whence/sdk';

export function accountQuery(api: Whence) {
  return queryOptions({ queryKey: ['portal', 'account'], queryFn: ({ signal }) => api.portal.getAccount({ signal }) });
}
