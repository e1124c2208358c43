import { useQuery } from '@tanstack/react-query';
import type { Conversion, Event } from '@whence/sdk';
import { useApi } from '#ui/shell/api.tsx';

/** The first of each kind that there is; undefined as long as there is none. */
export type Arrivals = {
  readonly visit: Event | undefined;
  readonly sale: Event | undefined;
  readonly reward: Conversion | undefined;
};

/** While somebody waits for them. */
const LOOK_EVERY_MS = 2_000;

/** What has arrived since the shop was connected: looked for until all of it is there. */
export function useArrivals(): Arrivals {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['arrivals'],
    queryFn: async ({ signal }): Promise<Arrivals> => {
      const one = { perPage: 1 } as const;
      const [visits, sales, conversions] = await Promise.all([
        api.events.list({ type: 'SiteVisited', ...one }, { signal }).page(),
        api.events.list({ type: 'SaleTriggered', ...one }, { signal }).page(),
        api.conversions.list(one, { signal }).page(),
      ]);
      return { visit: visits.data[0], sale: sales.data[0], reward: conversions.data[0] };
    },
    refetchInterval: ({ state }) => (state.data?.reward === undefined ? LOOK_EVERY_MS : false),
  });
  return data ?? { visit: undefined, sale: undefined, reward: undefined };
}
