import { queryOptions } from '@tanstack/react-query';
import type { Whence } from '@whence/sdk';

export const AGREEMENT_KEY = ['partnerAgreement'];

/** Returns the query for the newest version of the partner agreement. */
export function agreementQuery(api: Whence) {
  return queryOptions({
    queryKey: [...AGREEMENT_KEY, 'newest'],
    queryFn: ({ signal }) => api.partnerAgreement.get({ signal }).withResponse(),
  });
}
