import {
  type QueryKey,
  useMutation,
  type UseMutationOptions,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
} from '@tanstack/react-query';
import type { Whence } from '@whence/sdk';
import { toast } from '../feedback/toast.tsx';
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

/** What happens after a call has succeeded, in the order of the properties. */
type Consequences<Result, Given> = {
  /** The key of the query whose data the result replaces. */
  readonly stores?: QueryKey;
  /** Runs before the queries are loaded again, to clear fields or to show a secret. */
  readonly onAnswer?: (result: Result, given: Given) => void;
  /** The queries to load again: their keys, or the first parts of their keys. */
  readonly reloads?: readonly (string | QueryKey)[] | 'all';
  /** The title of the toast. */
  readonly done?: string | ((result: Result, given: Given) => string);
  readonly onDone?: (result: Result, given: Given) => unknown;
};

type Options<Result, Given> = Consequences<Result, Given> &
  Pick<UseMutationOptions<Result, Error, Given>, 'onError' | 'onSettled'>;

/**
 * Returns a mutation that calls the API when the user asks for it, usually to change something. Changed data is loaded
 * again before the toast appears and `onDone` runs, so that a dialog doesn't close above outdated data.
 */
export function useCall<Result, Given = void>(
  call: (api: Whence, given: Given) => Promise<Result>,
  { stores, onAnswer, reloads = [], done, onDone, ...options }: Options<Result, Given> = {},
) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation<Result, Error, Given>({
    ...options,
    mutationFn: (given) => call(api, given),
    onSuccess: async (result, given) => {
      if (stores !== undefined) queries.setQueryData(stores, result);
      onAnswer?.(result, given);
      if (reloads === 'all') await queries.invalidateQueries();
      else await Promise.all(reloads.map((key) => queries.invalidateQueries({ queryKey: [key].flat() })));
      if (done !== undefined) toast.success(typeof done === 'string' ? done : done(result, given));
      await onDone?.(result, given);
    },
  });
}
