import { diceOf, type Dice } from './dice.ts';
import { type Order, orderOf, type Part, partOf } from './order.ts';

/** An action of a shopper. `device` is 0 or 1, and `referrer` is 0 … referrers − 1. */
export type Deed =
  | { readonly kind: 'visit'; readonly device: number; readonly referrer: number; readonly isLoggedIn: boolean }
  | { readonly kind: 'sale'; readonly device: number; readonly order: Order }
  /** A refund; without a part, of everything that is left. */
  | { readonly kind: 'refund'; readonly order: Order; readonly part: Part | undefined };

export type Step = {
  readonly deed: Deed;
  /** The pause before the step, in seconds. */
  readonly pause: number;
  /** Whether the step repeats the report before it at the same moment. */
  readonly isBeside: boolean;
};

/** Shares of all shoppers, orders and reports. */
const RETURN = 0.5;
const MOST_SESSIONS = 4;
const MOST_VISITS_OF_A_SESSION = 3;
const HAVE_TWO_DEVICES = 0.1;
const BUY = 0.12;
const BUY_AGAIN = 0.3;
const REFUNDED_IN_PART = 0.15;
const REFUNDED = 0.15;
const SENT_TWICE = 0.15;
/**
 * The share of repeated reports that are sent at the same moment. The others are repeated later, as by a queue with
 * retries.
 */
const AT_ONCE = 0.5;

const BETWEEN_PAGES = { least: 0.2, most: 3 };
const BETWEEN_SESSIONS = { least: 5, most: 30 };
const UNTIL_SENT_AGAIN = { least: 0.5, most: 5 };
const UNTIL_REFUND = { least: 1, most: 20 };
type Pause = typeof BETWEEN_PAGES;

/**
 * Returns the whole story of one shopper. It depends only on the seed, the shopper's number and the number of
 * referrers, never on responses. If a shopper has two devices, a login merges them before anything is bought, because
 * the visits before a sale decide who earns.
 */
export function storyOf(seed: number, shopper: number, referrers: number): Step[] {
  const dice = diceOf(seed, shopper);
  const steps: Step[] = [];
  const hasTwoDevices = dice.chance(HAVE_TWO_DEVICES);
  browse(0);
  if (hasTwoDevices) comeTogether();
  else if (dice.chance(RETURN)) for (let more = dice.roll(MOST_SESSIONS); more > 0; more -= 1) browse(0);
  if (!dice.chance(BUY)) return steps;
  buy(1);
  if (dice.chance(BUY_AGAIN)) {
    browse(device());
    buy(2);
  }
  return steps;

  function browse(device: number): void {
    const referrer = popular(dice, referrers);
    for (let visits = 1 + dice.roll(MOST_VISITS_OF_A_SESSION), n = 0; n < visits; n += 1) {
      visit(device, referrer, n === 0 ? BETWEEN_SESSIONS : BETWEEN_PAGES, false);
    }
  }

  /** Logs in on the first device, visits with the second one, and logs in there. The two opportunities are merged. */
  function comeTogether(): void {
    visit(0, popular(dice, referrers), BETWEEN_PAGES, true);
    browse(1);
    visit(1, popular(dice, referrers), BETWEEN_PAGES, true);
  }

  function visit(device: number, referrer: number, pause: Pause, isLoggedIn: boolean): void {
    const isFirst = steps.length === 0;
    steps.push({
      deed: { kind: 'visit', device, referrer, isLoggedIn },
      pause: isFirst ? 0 : within(pause, dice),
      isBeside: false,
    });
  }

  function buy(count: number): void {
    const order = orderOf(`order-${shopper}-${count}`, dice);
    report({ kind: 'sale', device: device(), order }, BETWEEN_PAGES);
    if (dice.chance(REFUNDED_IN_PART)) report({ kind: 'refund', order, part: partOf(order, dice) }, UNTIL_REFUND);
    if (dice.chance(REFUNDED)) report({ kind: 'refund', order, part: undefined }, UNTIL_REFUND);
  }

  function report(deed: Deed, pause: Pause): void {
    steps.push({ deed, pause: within(pause, dice), isBeside: false });
    if (!dice.chance(SENT_TWICE)) return;
    const isBeside = dice.chance(AT_ONCE);
    steps.push({ deed, pause: isBeside ? 0 : within(UNTIL_SENT_AGAIN, dice), isBeside });
  }

  function device(): number {
    return hasTwoDevices ? 1 : 0;
  }
}

/** Returns a random referrer. The first ones refer most visits, as in reality. */
function popular(dice: Dice, referrers: number): number {
  return Math.floor(referrers * dice.share() ** 2);
}

function within({ least, most }: Pause, dice: Dice): number {
  return least + dice.share() * (most - least);
}
