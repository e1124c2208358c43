import { type Award, awardsOf } from './earnings.ts';
import type { Order, Part } from './order.ts';
import type { Deed, Step } from './story.ts';

/** What is known of a report: that it counts, that it was refused, or nothing, since no answer came until the end. */
export type Outcome = 'accepted' | 'refused' | 'unknown';

/** An order as far as it has come; without an outcome it was not sent. */
export type Placed = {
  readonly order: Order;
  /** By the visits before it. */
  readonly awards: readonly Award[];
  sold?: Outcome;
  part?: Part;
  partRefunded?: Outcome;
  refunded?: Outcome;
};

/** A shopper at some point of the story. */
export type Shopper = {
  readonly number: number;
  readonly steps: readonly Step[];
  /** The next step. */
  at: number;
  /** The number that each device holds, once it has one. */
  readonly opportunities: (number | undefined)[];
  /** The referrers of all visits so far, in order. */
  readonly visits: number[];
  readonly placed: Map<string, Placed>;
  /** Nothing more is done: a report was refused, or never answered. */
  hasLeft: boolean;
  /** Reports that are not answered yet. */
  underWay: number;
  /** What the newest report waits for, as do those beside it. */
  before: Promise<unknown>;
  /** The end of all reports so far. */
  last: Promise<unknown>;
};

/** At the beginning of a story. */
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

/** One report after the other, as one person sends them; what is beside goes off together with the one before it. */
export function inTurn(shopper: Shopper, isBeside: boolean, send: () => Promise<void>): Promise<void> {
  if (!isBeside) shopper.before = shopper.last;
  const sent = shopper.before.then(send);
  shopper.last = Promise.all([shopper.last, sent]);
  return sent;
}

/** The order, noted down when it is first sent: what comes later changes nothing of who earns by it. */
export function place(shopper: Shopper, order: Order): Placed {
  const known = shopper.placed.get(order.externalId);
  if (known !== undefined) return known;
  const placed = { order, awards: awardsOf(order, shopper.visits) };
  shopper.placed.set(order.externalId, placed);
  return placed;
}

/** Notes down what came of a deed. Of two reports of the same, that one was accepted stands. */
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
