import { queryOptions } from '@tanstack/react-query';
import type { Whence } from '@whence/sdk';

/** Returns the query for the partner agreement and the version that the partner accepted. */
export function agreementQuery(api: Whence) {
  return queryOptions({
    queryKey: ['portal', 'agreement'],
    queryFn: ({ signal }) => api.portal.getAgreement({ signal }),
  });
}
