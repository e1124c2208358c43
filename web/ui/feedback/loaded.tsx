import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorPanel } from './error-panel.tsx';
import { Skeleton } from './skeleton.tsx';

type LoadedProps<Data> = {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  /** The number of lines of the skeleton that stands for the data while it loads. */
  readonly lines: number;
  readonly children: (data: Data) => ReactNode;
};

/** Shows the data of a query. If the last attempt to load it has failed, shows the error with a button to retry. */
export function Loaded<Data>({ query: { data, error, refetch }, lines, children }: LoadedProps<Data>) {
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  return data === undefined ? <Skeleton lines={lines} /> : children(data);
}
