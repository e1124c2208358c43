import { post } from './load.ts';
import { COLLABORATORS } from './processes.ts';

/** The requests of a shop. Later requests use the opportunities in the responses to visits. */
export type Workload = {
  readonly nothing: () => string;
  readonly newVisit: () => string;
  readonly continuingVisit: () => string;
  readonly sale: () => string;
  readonly longSale: () => string;
  /** Returns a request that refunds the oldest unrefunded sale, or undefined if no sale is old enough. */
  readonly refund: () => string | undefined;
  /**
   * Returns the next request of a mix of 95 visits, 4 sales and 1 refund. About four of five visits continue an
   * opportunity. While no sale is old enough to be refunded, returns a sale instead of the refund.
   */
  readonly mix: () => string;
  /** Stores the opportunity in the response to a visit. Must be called with each such response. */
  readonly keep: (answer: { readonly head: string }) => void;
};

/**
 * The maximum number of stored opportunities. It is high enough that callers rarely use the same opportunity
 * concurrently, and low enough for the memory of the generator.
 */
const KEPT_OPPORTUNITIES = 200_000;
/** The number of newest sales that are not refunded, because their reports may still be under way. */
const NEWEST_SALES = 500;
const LONG_SALE = Array.from({ length: 10 }, (_, n) => ({
  externalId: `sku-${n}`,
  name: `Article ${n}`,
  quantity: 1 + (n % 3),
  amount: 9.99,
}));
const LONG_SALE_TOTAL = LONG_SALE.reduce((cents, { quantity }) => cents + quantity * 999, 0) / 100;

/** Returns the requests of a shop. `source` distinguishes the orders of several shops on the same database. */
export function workload(key: string, source = 'bench'): Workload {
  const opportunities: number[] = [];
  let visits = 0;
  let kept = 0;
  let sales = 0;
  let refunds = 0;
  let turn = 0;

  const visitBody = (): unknown => ({ collaboratorId: `tracking:c${(visits += 1) % COLLABORATORS}` });
  const anOpportunity = (n: number): number => opportunities[n % opportunities.length] as number;
  const saleOf = (more: Readonly<Record<string, unknown>>): string =>
    post('/v1/event/sale', key, {
      source,
      externalId: `order-${(sales += 1)}`,
      ...more,
      trackingId: anOpportunity(sales),
    });
  const newVisit = (): string => post('/v1/event/site-visited', key, visitBody());
  const continuingVisit = (): string =>
    post('/v1/event/site-visited', key, visitBody(), `X-Service-OID: ${anOpportunity(visits)}\r\n`);
  const sale = (): string => saleOf({ total: 49.99 });
  const refund = (): string | undefined =>
    refunds < sales - NEWEST_SALES
      ? post('/v1/event/refund', key, { source, externalId: `order-${(refunds += 1)}` })
      : undefined;
  return {
    nothing: () => post('/v1/event/nothing', key, visitBody()),
    newVisit,
    continuingVisit,
    sale,
    longSale: () => saleOf({ total: LONG_SALE_TOTAL, items: LONG_SALE }),
    refund,
    mix: () => {
      const place = (turn += 1) % 100;
      if (place === 0) return refund() ?? sale();
      if (place % 25 === 1) return sale();
      return place % 5 === 2 ? newVisit() : continuingVisit();
    },
    keep: ({ head }) => {
      const number = /\r\nx-service-oid: (\d+)/i.exec(head)?.[1];
      if (number !== undefined) opportunities[(kept += 1) % KEPT_OPPORTUNITIES] = Number(number);
    },
  };
}
