import { diceOf, type Dice } from './dice.ts';
import { type Order, orderOf, type Part, partOf } from './order.ts';

/** What a shopper does: by `device` (0 or 1) and `referrer` (0 … referrers − 1). */
export type Deed =
  | { readonly kind: 'visit'; readonly device: number; readonly referrer: number; readonly isLoggedIn: boolean }
  | { readonly kind: 'sale'; readonly device: number; readonly order: Order }
  /** Without a part: of all that is left. */
  | { readonly kind: 'refund'; readonly order: Order; readonly part: Part | undefined };

export type Step = {
  readonly deed: Deed;
  /** Before it, in seconds. */
  readonly pause: number;
  /** The same report again, at the same moment as the one before it. */
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
/** Of those that are sent twice: at the same moment. The others come again later, as from a queue that tries again. */
const AT_ONCE = 0.5;

const BETWEEN_PAGES = { least: 0.2, most: 3 };
const BETWEEN_SESSIONS = { least: 5, most: 30 };
const UNTIL_SENT_AGAIN = { least: 0.5, most: 5 };
const UNTIL_REFUND = { least: 1, most: 20 };
type Pause = typeof BETWEEN_PAGES;

/**
 * The whole story of one shopper. It depends on the seed, the shopper's number and the number of referrers alone, never on
 * what is answered. All that is done on two devices comes together by a log-in before anything is bought: who earns by a
 * sale is told by the visits before it.
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

  /** Logs in where they began, comes by the other device, and logs in there: the two opportunities become one. */
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

/** The first bring most, as it is in life. */
function popular(dice: Dice, referrers: number): number {
  return Math.floor(referrers * dice.share() ** 2);
}

function within({ least, most }: Pause, dice: Dice): number {
  return least + dice.share() * (most - least);
}
