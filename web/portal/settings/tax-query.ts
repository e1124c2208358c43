import { queryOptions } from '@tanstack/react-query';
import type { Whence } from '@whence/sdk';

export function taxQuery(api: Whence) {
  return queryOptions({
    queryKey: ['portal', 'taxDetails'],
    queryFn: ({ signal }) => api.portal.getTaxDetails({ signal }),
  });
}
