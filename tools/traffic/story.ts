import { type Order, orderOf, type PartialRefund, drawPartialRefund } from './order.ts';
import type { Dice } from './random.ts';

/** An action of a shopper. `device` is 0 or 1. */
export type Deed =
  | { readonly kind: 'visit'; readonly device: number; readonly link: string; readonly userId: number | undefined }
  | { readonly kind: 'custom-event'; readonly device: number; readonly event: string; readonly link: string }
  | { readonly kind: 'lead'; readonly device: number; readonly externalId: string }
  | { readonly kind: 'sale'; readonly device: number; readonly order: Order; readonly hasOtherTotal: boolean }
  | { readonly kind: 'renewal'; readonly order: Order; readonly externalId: string; readonly cents: number }
  /** A refund without a part refunds the remaining amount. */
  | { readonly kind: 'refund'; readonly order: Order; readonly part: PartialRefund | undefined };

/** A deed and its time since the shopper's arrival, in milliseconds. */
export type Step = { readonly at: number; readonly deed: Deed };

/** A source of visits, such as a collaborator, and the behavior of its visitors. */
export type Referrer = {
  /** The collaborator as visits name it: `tracking:ada`. */
  readonly link: string;
  readonly currency: string;
  readonly coupon?: string | undefined;
  /** The collaborator's own user id. Some visits are by this user, as if collaborators tried their own links. */
  readonly userId?: number | undefined;
  /** The share of visitors who buy, or request an offer if `asksForOffers`. */
  readonly buyers: number;
  readonly couponUsers?: number;
  readonly asksForOffers?: boolean;
  /** The share of orders that are renewed each month, for a year. */
  readonly subscribers?: number;
};

/** The behavior of the shoppers of a shop. All numbers except `firstUser` are shares from 0 to 1. */
export type Habits = {
  /** Picks the referrer of a visit. */
  readonly referrer: (dice: Dice) => Referrer;
  readonly returning: number;
  readonly buyingAgain: number;
  readonly refunded: number;
  readonly partlyRefunded: number;
  /** The share of orders that are reported without lines. */
  readonly withoutLines: number;
  /** The share of sales and refunds that are reported again later. */
  readonly repeated: number;
  /** The share of sales that are reported again with another total, which must be refused. */
  readonly contradicted: number;
  /** Returns the source of an order in the currency. */
  readonly source: (dice: Dice, currency: string) => string;
  /** The user id of the first shopper. Later shoppers get the following ids. */
  readonly firstUser: number;
  /** The collaborator who is credited for each sold design of the studio. */
  readonly studio?: string;
};

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const MOST_ORDERS = 4;
const LOGGED_IN = 0.3;
const OWN_LINK = 0.012;
const SUBSCRIPTION_CENTS = 29_90;
const OTHER_CURRENCY: Readonly<Record<string, string>> = { USD: 'EUR', EUR: 'USD' };

/**
 * Returns the whole story of a shopper: visits, later visits, leads, orders, renewals, repeated reports and refunds.
 * The story depends only on the dice, never on responses. `shopper` is part of all ids. Shoppers with a second device
 * log in there before they buy, because only visits before a sale are credited.
 */
export function storyOf(dice: Dice, habits: Habits, shopper: number): Step[] {
  const steps: Step[] = [];
  const by = habits.referrer(dice);
  const visit = (at: number, { link }: Referrer, device: number, userId?: number): void =>
    void steps.push({ at, deed: { kind: 'visit', device, link, userId } });
  const isOwn = by.userId !== undefined && dice.chance(OWN_LINK);
  visit(0, by, 0, isOwn ? by.userId : undefined);
  const returns = !isOwn && dice.chance(habits.returning) ? 1 + dice.roll(2) : 0;
  const userId = dice.chance(LOGGED_IN) ? habits.firstUser + shopper : undefined;
  let at = 0;
  for (let n = 0; n < returns; n += 1) {
    at += days(dice, 0.2, 5);
    visit(at, dice.chance(0.7) ? by : habits.referrer(dice), 0, userId);
  }
  // The shopper visits with another device, first anonymously and then logged in, so two opportunities are merged.
  const device = returns > 0 && userId !== undefined && dice.chance(0.5) ? 1 : 0;
  if (device === 1) {
    at += days(dice, 0.1, 2);
    visit(at, habits.referrer(dice), 1);
    visit((at += (1 + dice.roll(9)) * MINUTE), by, 1, userId);
  }
  if (dice.chance(by.buyers)) {
    const later = at + (dice.chance(0.12) ? days(dice, 0.3, 4) : (3 + dice.roll(40)) * MINUTE);
    if (by.asksForOffers === true)
      steps.push({ at: later, deed: { kind: 'lead', device, externalId: `lead-${shopper}` } });
    else buy(later, 0);
  }
  return steps.sort((a, b) => a.at - b.at);

  function buy(at: number, count: number): void {
    const currency = dice.chance(0.92) ? by.currency : (OTHER_CURRENCY[by.currency] ?? by.currency);
    const hasCoupon = by.coupon !== undefined && dice.chance(by.couponUsers ?? 0);
    const order = orderOf(dice, {
      externalId: count === 0 ? `order-${shopper}` : `order-${shopper}-${count + 1}`,
      source: habits.source(dice, currency),
      currency,
      coupon: hasCoupon ? by.coupon : undefined,
      hasLines: !dice.chance(habits.withoutLines),
    });
    if (habits.studio !== undefined && order.lines.some(({ name }) => name.startsWith('Studio'))) {
      const event = 'work-sold';
      steps.push({ at: at - MINUTE / 3, deed: { kind: 'custom-event', device, event, link: habits.studio } });
    }
    report(at, { kind: 'sale', device, order, hasOtherTotal: false });
    if (dice.chance(habits.contradicted))
      steps.push({ at: at + MINUTE, deed: { kind: 'sale', device, order, hasOtherTotal: true } });
    const back = at + days(dice, 0.8, 4);
    if (dice.chance(habits.partlyRefunded))
      report(back, { kind: 'refund', order, part: drawPartialRefund(dice, order) });
    if (dice.chance(habits.refunded)) report(back + days(dice, 0.1, 1), { kind: 'refund', order, part: undefined });
    const months = dice.chance(by.subscribers ?? 0) ? 12 : 0;
    for (let month = 1; month <= months; month += 1) {
      const externalId = `${order.externalId}-month-${month}`;
      const deed = { kind: 'renewal', order, externalId, cents: SUBSCRIPTION_CENTS } as const;
      steps.push({ at: at + month * 30 * DAY, deed });
    }
    if (count + 1 < MOST_ORDERS && dice.chance(habits.buyingAgain)) buy(at + days(dice, 4, 24), count + 1);
  }

  function report(at: number, deed: Deed): void {
    steps.push({ at, deed });
    if (dice.chance(habits.repeated)) steps.push({ at: at + (1 + dice.roll(120)) * MINUTE, deed });
  }
}

/** Returns a random duration in milliseconds, from `least` to `least + span` days. */
function days(dice: Dice, least: number, span: number): number {
  return Math.round((least + span * dice.share()) * DAY);
}
