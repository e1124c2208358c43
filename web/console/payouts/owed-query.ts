import { queryOptions } from '@tanstack/react-query';
import type { Whence } from '@whence/sdk';

export function owedQuery(api: Whence) {
  return queryOptions({ queryKey: ['owed'], queryFn: ({ signal }) => api.owed.get({ signal }) });
}
