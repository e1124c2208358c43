import { type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { Whence } from '@whence/sdk';
import { useApi } from './api.tsx';

type Signal = { readonly signal: AbortSignal };

/** Returns a query of the API: `useRead(['webhooks', id], (api, options) => api.webhooks.get(id, options))`. */
export function useRead<Data>(
  queryKey: QueryKey,
  read: (api: Whence, options: Signal) => Promise<Data>,
  options: Omit<UseQueryOptions<Data>, 'queryKey' | 'queryFn'> = {},
) {
  const api = useApi();
  return useQuery({ ...options, queryKey, queryFn: ({ signal }) => read(api, { signal }) });
}
