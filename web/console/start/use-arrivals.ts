import { useQuery } from '@tanstack/react-query';
import type { Conversion, Event, Program } from '@whence/sdk';
import { useApi } from '#web/ui/shell/api.tsx';
import { isLeadProgram } from './trial.ts';

/** The newest visit, the newest sale or lead, and the newest commission. Each is undefined until the first exists. */
export type Arrivals = {
  readonly visit: Event | undefined;
  /** The newest sale, or the newest lead if the program pays for leads but not for sales. */
  readonly sale: Event | undefined;
  readonly reward: Conversion | undefined;
};

/** The polling interval until the first commission exists, in milliseconds. */
const LOOK_EVERY_MS = 2_000;

/** Returns the newest visit, the newest sale or lead, and the newest commission. Polls until a commission exists. */
export function useArrivals(program: Program | undefined): Arrivals {
  const api = useApi();
  const type = program !== undefined && isLeadProgram(program) ? 'LeadTriggered' : 'SaleTriggered';
  const { data } = useQuery({
    queryKey: ['arrivals', type],
    queryFn: async ({ signal }): Promise<Arrivals> => {
      const one = { perPage: 1 } as const;
      const [visits, sales] = await Promise.all([
        api.events.list({ type: 'SiteVisited', ...one }, { signal }).page(),
        api.events.list({ type, ...one }, { signal }).page(),
      ]);
      // Query conversions after the sale, so that a decided sale always has its conversions.
      const conversions = await api.conversions.list(one, { signal }).page();
      return { visit: visits.data[0], sale: sales.data[0], reward: conversions.data[0] };
    },
    refetchInterval: ({ state }) => (state.data?.reward === undefined ? LOOK_EVERY_MS : false),
  });
  return data ?? { visit: undefined, sale: undefined, reward: undefined };
}
