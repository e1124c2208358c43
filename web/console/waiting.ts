import { useQueries } from '@tanstack/react-query';
import type { Whence } from '@whence/sdk';
import { collaboratorMoves, conversionReviews, payoutReviews } from './changes.ts';
import { useApi } from '#web/ui/shell/api.tsx';

/** The kinds of resources that need a decision or a repair by a user. */
export type WaitingKind =
  'conversions' | 'held' | 'payouts' | 'requests' | 'collaborators' | 'webhooks' | 'connectors' | 'events';

/** The page size for webhooks and connectors. An organization has at most this many connectors, and fewer webhooks. */
const MAX_LISTED = 50;
const ONE = { perPage: 1 };
/** The filters for commissions that wait for approval. Held commissions wait for their fraud review instead. */
export const TO_APPROVE = { status: 'pending', review: 'none,resolved' } as const;

/**
 * Functions that load the number of waiting resources of each kind. Except for webhooks and connectors, the number is
 * the estimated count of a list.
 */
const COUNTS: Readonly<Record<WaitingKind, (api: Whence, signal: AbortSignal) => Promise<number>>> = {
  conversions: async (api, signal) =>
    (await api.conversions.list({ ...TO_APPROVE, ...ONE }, { signal }).page()).estimatedCount,
  held: async (api, signal) => {
    const { data, estimatedCount } = await api.conversions.list({ review: 'held', ...ONE }, { signal }).page();
    return data.length === 0 ? 0 : estimatedCount;
  },
  payouts: async (api, signal) =>
    (await api.payouts.list({ review: 'flagged', ...ONE }, { signal }).page()).estimatedCount,
  requests: async (api, signal) => (await api.payoutRequests.list(ONE, { signal }).page()).estimatedCount,
  collaborators: async (api, signal) =>
    (await api.collaborators.list({ status: 'pending', ...ONE }, { signal }).page()).estimatedCount,
  webhooks: async (api, signal) => {
    const { data } = await api.webhooks.list({ perPage: MAX_LISTED }, { signal }).page();
    return data.filter(({ status, failingSince }) => status === 'paused' || failingSince !== null).length;
  },
  connectors: async (api, signal) => {
    const { data } = await api.connectors.list({ perPage: MAX_LISTED }, { signal }).page();
    return data.filter(({ deadLetteredEvents }) => deadLetteredEvents > 0).length;
  },
  events: async (api, signal) => (await api.events.list({ state: 'parked', ...ONE }, { signal }).page()).estimatedCount,
};

export const WAITING_KINDS = Object.keys(COUNTS) as WaitingKind[];

/**
 * Returns the query key of the number of waiting resources. A change to payouts also reloads the number of requests,
 * and a change to commissions also reloads the number of held commissions.
 */
export function waitingKey(kind: WaitingKind): readonly string[] {
  if (kind === 'requests') return ['payouts', 'requests', 'waiting'];
  return kind === 'held' ? ['conversions', 'held', 'waiting'] : [kind, 'waiting'];
}

/**
 * Returns the number of resources of each kind that need a decision or a repair by a user. A number is undefined while
 * it loads. Resources with a change that can still be undone are not counted.
 */
export function useWaitingCounts(): Readonly<Record<WaitingKind, number | undefined>> {
  const api = useApi();
  const counts = useQueries({
    queries: WAITING_KINDS.map((kind) => ({
      queryKey: waitingKey(kind),
      queryFn: ({ signal }: { signal: AbortSignal }) => COUNTS[kind](api, signal),
    })),
  });
  const changingOf = useChanging();
  return Object.fromEntries(
    WAITING_KINDS.map((kind, at) => {
      const { data, dataUpdatedAt = 0 } = counts[at] ?? {};
      return [kind, data && Math.max(0, data - (changingOf[kind]?.(dataUpdatedAt) ?? 0))];
    }),
  ) as Record<WaitingKind, number | undefined>;
}

/**
 * Returns a function for each kind that can be changed. The function returns how many waiting resources are being
 * changed, but are still included in a number that was loaded at `loadedAt`.
 */
function useChanging(): Partial<Record<WaitingKind, (loadedAt: number) => number>> {
  const conversions = conversionReviews.useChangeState();
  const payouts = payoutReviews.useChangeState();
  const collaborators = collaboratorMoves.useChangeState();
  return {
    conversions: (at) =>
      conversions.changingRows(at).filter(({ status, review }) => status === 'pending' && review !== 'held').length,
    held: (at) => conversions.changingRows(at).filter(({ review }) => review === 'held').length,
    payouts: (at) => payouts.changingRows(at).length,
    collaborators: (at) => collaborators.changingRows(at).filter(({ status }) => status === 'pending').length,
  };
}
