import type { Backtest, Whence } from '@whence/sdk';

export type DraftResult = NonNullable<Backtest['drafts'][number]['result']>;
export type Total = DraftResult['totals'][number];

const POLL_MS = 1_000;

/** Returns whether a backtest is queued or running. */
export function isUnfinished({ status }: Pick<Backtest, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}

export function backtestQuery(api: Whence, id: number) {
  return {
    queryKey: ['backtests', id],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => api.backtests.get(id, { signal }),
    refetchInterval: ({ state: { data } }: { readonly state: { readonly data?: Backtest | undefined } }) =>
      data !== undefined && isUnfinished(data) ? POLL_MS : (false as const),
  };
}
