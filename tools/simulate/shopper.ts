import { type Award, awardsOf } from './earnings.ts';
import type { Order, Part } from './order.ts';
import type { Deed, Step } from './story.ts';

/** The outcome of a report: it was accepted, it was refused, or it was never answered and its effect is unknown. */
export type Outcome = 'accepted' | 'refused' | 'unknown';

/** The state of an order. A report without an outcome was not sent. */
export type Placed = {
  readonly order: Order;
  /** The awards that follow from the visits before the order. */
  readonly awards: readonly Award[];
  sold?: Outcome;
  part?: Part;
  partRefunded?: Outcome;
  refunded?: Outcome;
};

/** A shopper at some point of their story. */
export type Shopper = {
  readonly number: number;
  readonly steps: readonly Step[];
  /** The index of the next step. */
  at: number;
  /** The opportunity of each device, once it has one. */
  readonly opportunities: (number | undefined)[];
  /** The referrers of all visits so far, in order. */
  readonly visits: number[];
  readonly placed: Map<string, Placed>;
  /** Whether the shopper stops, because a report was refused or never answered. */
  hasLeft: boolean;
  /** The number of reports without a response. */
  underWay: number;
  /** The promise that the newest report, and the reports sent together with it, wait for. */
  before: Promise<unknown>;
  /** The end of all reports so far. */
  last: Promise<unknown>;
};

/** Returns a shopper at the beginning of their story. */
export function newShopper(number: number, steps: readonly Step[]): Shopper {
  const now = Promise.resolve();
  return {
    number,
    steps,
    at: 0,
    opportunities: [],
    visits: [],
    placed: new Map(),
    hasLeft: false,
    underWay: 0,
    before: now,
    last: now,
  };
}

/**
 * Sends reports one after another, as one person does. A report that `isBeside` is sent together with the one before
 * it.
 */
export function inTurn(shopper: Shopper, isBeside: boolean, send: () => Promise<void>): Promise<void> {
  if (!isBeside) shopper.before = shopper.last;
  const sent = shopper.before.then(send);
  shopper.last = Promise.all([shopper.last, sent]);
  return sent;
}

/** Returns the order, which is recorded when it is first sent. Later visits don't change who earns from it. */
export function place(shopper: Shopper, order: Order): Placed {
  const known = shopper.placed.get(order.externalId);
  if (known !== undefined) return known;
  const placed = { order, awards: awardsOf(order, shopper.visits) };
  shopper.placed.set(order.externalId, placed);
  return placed;
}

/** Records the outcome of an action. If the same report was sent twice, one acceptance counts. */
export function note(shopper: Shopper, deed: Deed, outcome: Outcome): void {
  if (outcome !== 'accepted') shopper.hasLeft = true;
  if (deed.kind === 'visit') {
    if (outcome === 'accepted') shopper.visits.push(deed.referrer);
    return;
  }
  const placed = place(shopper, deed.order);
  if (deed.kind === 'sale') placed.sold = together(placed.sold, outcome);
  else if (deed.part === undefined) placed.refunded = together(placed.refunded, outcome);
  else {
    placed.part = deed.part;
    placed.partRefunded = together(placed.partRefunded, outcome);
  }
}

function together(before: Outcome | undefined, now: Outcome): Outcome {
  if (before === undefined || before === now) return now;
  return before === 'accepted' || now === 'accepted' ? 'accepted' : 'unknown';
}
