import type { Whence } from '@whence/sdk';
import type { Moment } from './merchant.ts';
import { HOUR, MINUTE } from '#tools/traffic/story.ts';
import type { Span } from './traffic.ts';

export type Suspected = {
  /** A client with the publishable key, as pages use it. */
  readonly pages: Whence;
  readonly whence: Whence;
  readonly settled: () => Promise<void>;
};

/**
 * Sales a few seconds after a click on a link of the collaborator with the given code. `before` is the time of the sale
 * in milliseconds before the end of the span.
 */
const QUICK = [
  { code: 'otto', before: 44 * HOUR, seconds: 3, total: 64, currency: 'EUR' },
  { code: 'juno', before: 21 * HOUR, seconds: 6, total: 38.5, currency: 'USD' },
  { code: 'juno', before: 16 * HOUR, seconds: 2, total: 119, currency: 'USD' },
] as const;

/** The number of clicks from one address in an hour, which exceeds the limit in USUAL_HOLDS. */
const CLICKS = 24;
const FLOOD = { code: 'pepe', before: 15 * HOUR, total: 42, currency: 'EUR' } as const;

/** A sale after a click from a search engine, which is a fraud signal in USUAL_HOLDS. */
const AD = {
  code: 'slow',
  before: 38 * HOUR,
  total: 74,
  currency: 'USD',
  referrer: 'https://www.google.com/',
} as const;

/** A purchase under the collaborator's name with another email address. */
const OWN = {
  code: 'otto',
  before: 30 * HOUR,
  total: 58,
  currency: 'EUR',
  buyer: { name: 'Otto Ofenrohr', email: 'ofen@example.org' },
} as const;

/** A sale after a click from a site on the deny list. */
const DENIED = {
  code: 'tofu',
  before: 26 * HOUR,
  total: 91,
  currency: 'USD',
  referrer: 'https://www.heap-of-deals.example/mugs',
} as const;
const DENY_LIST = {
  list: 'deny',
  kind: 'referrer',
  value: '*.heap-of-deals.example',
  note: 'Copies our texts',
} as const;

/**
 * Returns the actions near the end of a time span that cause fraud reviews: visits, sales, and an entry on the deny
 * list. Omits actions in the first 24 hours of the span.
 */
export function suspectsOf({ from, until }: Span, suspected: Suspected): Moment[] {
  const quick = QUICK.flatMap(({ before, seconds, ...order }, n) => {
    const at = until - before;
    return visitAndSale(suspected, { ...order, externalId: `quick-${n + 1}` }, [at], at + seconds * 1_000);
  });
  // Start at a full hour, because clicks are counted by clock hours.
  const hour = Math.floor((until - FLOOD.before) / HOUR) * HOUR;
  const clicks = Array.from({ length: CLICKS }, (_, n) => hour + n * MINUTE);
  const flood = visitAndSale(suspected, { ...FLOOD, externalId: 'flood-1' }, clicks, hour + 50 * MINUTE);
  const others = [AD, OWN, DENIED].flatMap(({ before, ...order }, n) => {
    const at = until - before;
    return visitAndSale(suspected, { ...order, externalId: `suspect-${n + 1}` }, [at], at + 40 * MINUTE);
  });
  const deny = {
    at: until - DENIED.before - HOUR,
    what: async () => void (await suspected.whence.fraudListEntries.create(DENY_LIST)),
  };
  return [...quick, ...flood, deny, ...others].filter(({ at }) => at > from + 24 * HOUR);
}

type Order = {
  readonly code: string;
  readonly total: number;
  readonly currency: string;
  readonly externalId: string;
  readonly referrer?: string | null;
  readonly buyer?: { readonly name: string; readonly email: string } | null;
};

/** Returns visits by new visitors, and an order by the last visitor. */
function visitAndSale(
  { pages, whence, settled }: Suspected,
  { code, total, currency, externalId, referrer = null, buyer = null }: Order,
  visits: readonly number[],
  soldAt: number,
): Moment[] {
  let trackingId: number | null = null;
  return [
    ...visits.map((at) => ({
      at,
      what: async () => {
        trackingId = await pages.report.visit({ collaboratorId: `tracking:${code}`, referrer });
      },
    })),
    {
      at: soldAt,
      what: async () => {
        await whence.report.sale({ source: 'shop', externalId, total, currency, trackingId, buyer });
        await settled();
      },
    },
  ];
}
