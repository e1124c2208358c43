import { useQuery } from '@tanstack/react-query';
import type { Conversion, Event, Program } from '@whence/sdk';
import { useApi } from '#ui/shell/api.tsx';
import { paysLeads } from './trial.ts';

/** The newest of each kind; undefined as long as there is none. */
export type Arrivals = {
  readonly visit: Event | undefined;
  /** Or a lead, where that is what the program pays for. */
  readonly sale: Event | undefined;
  readonly reward: Conversion | undefined;
};

/** While somebody waits for them. */
const LOOK_EVERY_MS = 2_000;

/** What has arrived since the shop was connected: looked for until all of it is there. */
export function useArrivals(program: Program | undefined): Arrivals {
  const api = useApi();
  const type = program !== undefined && paysLeads(program) ? 'LeadTriggered' : 'SaleTriggered';
  const { data } = useQuery({
    queryKey: ['arrivals', type],
    queryFn: async ({ signal }): Promise<Arrivals> => {
      const one = { perPage: 1 } as const;
      const [visits, sales] = await Promise.all([
        api.events.list({ type: 'SiteVisited', ...one }, { signal }).page(),
        api.events.list({ type, ...one }, { signal }).page(),
      ]);
      // After the sale: of one that is decided it has to be known whether anything came of it.
      const conversions = await api.conversions.list(one, { signal }).page();
      return { visit: visits.data[0], sale: sales.data[0], reward: conversions.data[0] };
    },
    refetchInterval: ({ state }) => (state.data?.reward === undefined ? LOOK_EVERY_MS : false),
  });
  return data ?? { visit: undefined, sale: undefined, reward: undefined };
}
