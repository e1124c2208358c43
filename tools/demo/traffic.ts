import { CAST, type Circle, type Player } from './cast.ts';
import { type Basket, basketOf } from './shelf.ts';
import { type Dice, diceOf } from '#tools/traffic/random.ts';

/** An action of a shopper. Orders and shoppers have internal numbers until they are reported. */
export type Deed =
  | {
      readonly kind: 'visit';
      readonly shopper: number;
      readonly device: number;
      readonly by: Player;
      readonly userId: number | undefined;
    }
  | { readonly kind: 'studio'; readonly shopper: number; readonly device: number }
  | { readonly kind: 'lead'; readonly shopper: number; readonly device: number }
  | ({ readonly kind: 'sale'; readonly shopper: number; readonly device: number } & Order)
  | { readonly kind: 'renewal'; readonly order: number; readonly source: string; readonly totalCents: number }
  | { readonly kind: 'refund'; readonly order: number; readonly source: string; readonly part: Part };

export type Order = {
  readonly order: number;
  readonly source: string;
  readonly currency: string;
  readonly basket: Basket;
  readonly coupon: string | undefined;
};

/** The part of an order that is refunded: everything that is left, an amount, or the first item. */
export type Part =
  | { readonly kind: 'all' }
  | { readonly kind: 'amount'; readonly cents: number }
  | { readonly kind: 'item'; readonly externalId: string };

export type Moment<What> = { readonly at: number; readonly what: What };

export type Span = {
  /** In milliseconds since 1970: `from` is a midnight in UTC, and `until` is the end of the span. */
  readonly from: number;
  readonly until: number;
  /** The average number of new shoppers a day. */
  readonly shoppers: number;
  readonly seed: number;
};

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Returns all actions of shoppers in a time span, in order. The same span always has the same traffic. */
export function trafficOf(span: Span): Moment<Deed>[] {
  const days = Math.ceil((span.until - span.from) / DAY);
  const moments = Array.from({ length: days }, (_, day) => dayOf(span, day, days)).flat();
  return moments.filter(({ at }) => at < span.until).sort((a, b) => a.at - b.at);
}

/** The relative traffic of each weekday, from Sunday. */
const WEEK = [0.85, 1.08, 1.02, 1, 1.1, 1.02, 0.83];
/** The relative traffic of each hour, in UTC. */
const HOURS = [2, 1, 1, 0, 0, 1, 2, 4, 6, 7, 8, 8, 9, 8, 8, 9, 9, 10, 11, 12, 12, 10, 7, 4];
/** The range of shopper numbers reserved for a day, so that numbers of different days never collide. */
const SHOPPERS_A_DAY = 10_000;

function dayOf(span: Span, day: number, days: number): Moment<Deed>[] {
  const dice = diceOf(span.seed, day);
  const start = span.from + day * DAY;
  const grown = 0.6 + (0.8 * (day + 0.5)) / days;
  const rhythm = WEEK[new Date(start).getUTCDay()] as number;
  const campaign = Math.abs(day / days - CAMPAIGN_AT) < CAMPAIGN_DAYS / 2 / days ? 1.5 : 1;
  const count = Math.round(span.shoppers * grown * rhythm * campaign * (0.9 + 0.2 * dice.share()));
  return Array.from({ length: count }, (_, n) => {
    const first = start + timeOfDay(dice);
    return storyOf({ ...span, first, shopper: day * SHOPPERS_A_DAY + n }, diceOf(span.seed, day, n));
  }).flat();
}

/** A campaign in the middle of the span: a video that many people have seen. */
const CAMPAIGN_AT = 0.72;
const CAMPAIGN_DAYS = 2;

function timeOfDay(dice: Dice): number {
  const hour = weighted(dice, [...HOURS.keys()], (each) => HOURS[each] as number);
  return hour * HOUR + dice.roll(HOUR);
}

type Story = Span & { readonly shopper: number; readonly first: number };

/** Returns the actions of one shopper: visits, later visits, and orders. */
function storyOf(story: Story, dice: Dice): Moment<Deed>[] {
  const visits = visitsOf(story, dice);
  const last = visits.at(-1);
  if (last === undefined || !dice.chance(BUYERS[last.what.by.circle])) return visits;
  const { by, device } = last.what;
  const at = last.at + (dice.chance(0.12) ? Math.round((0.3 + 4 * dice.share()) * DAY) : (3 + dice.roll(40)) * MINUTE);
  if (by.circle === 'pay-per-lead') return [...visits, { at, what: { kind: 'lead', shopper: story.shopper, device } }];
  return [...visits, ...ordersOf(story, dice, at, last.what)];
}

/** The share of shoppers who buy (or ask for an offer), by the circle of the referring collaborator. */
const BUYERS: Readonly<Record<Circle, number>> = {
  'ten-percent-affiliate': 0.066,
  'first-touch-referral': 0.12,
  'tiered-with-vip-group': 0.075,
  vip: 0.085,
  'coupon-influencer': 0.075,
  'shared-multi-touch': 0.085,
  'pay-per-lead': 0.09,
  royalty: 0,
};

type Visit = Moment<Extract<Deed, { kind: 'visit' }>>;

function visitsOf({ from, until, shopper, first }: Story, dice: Dice): Visit[] {
  const joined = CAST.filter((player) => player.weight > 0 && from + player.since * (until - from) <= first);
  const pick = (): Player => weighted(dice, joined, ({ weight }) => weight);
  const by = pick();
  const visit = (at: number, leader: Player, device = 0, userId?: number): Visit => ({
    at,
    what: { kind: 'visit', shopper, device, by: leader, userId },
  });
  const visits = [visit(first, by)];
  if (by.userId !== undefined && dice.chance(OWN_PURCHASES)) return [visit(first, by, 0, by.userId)];
  const again = dice.chance(0.27) ? 1 + dice.roll(2) : 0;
  const userId = dice.chance(0.3) ? FIRST_USER + shopper : undefined;
  let at = first;
  for (let n = 0; n < again; n += 1) {
    at += Math.round((0.2 + 5 * dice.share()) * DAY);
    visits.push(visit(at, dice.chance(0.7) ? by : pick(), 0, userId));
  }
  // The shopper visits with another device, first anonymously and then logged in, so two opportunities are merged.
  if (again > 0 && userId !== undefined && dice.chance(0.5)) {
    const later = at + Math.round((0.1 + 2 * dice.share()) * DAY);
    visits.push(visit(later, pick(), 1), visit(later + (1 + dice.roll(9)) * MINUTE, by, 1, userId));
  }
  return visits;
}

/** The share of collaborators' visitors who are the collaborator, trying their own link. */
const OWN_PURCHASES = 0.012;
/** The first user id of shoppers. */
const FIRST_USER = 100_000;

/** Returns an order with its refunds and renewals, and possibly the next order. */
function ordersOf(
  story: Story,
  dice: Dice,
  at: number,
  { by, device }: Pick<Visit['what'], 'by' | 'device'>,
  number = 0,
): Moment<Deed>[] {
  const { shopper } = story;
  const coupon =
    by.coupon !== undefined && dice.chance(by.circle === 'coupon-influencer' ? 0.85 : 0.5) ? by.coupon : undefined;
  const basket = basketOf(dice, coupon !== undefined);
  const currency = dice.chance(0.92) ? by.currency : OTHER_CURRENCY[by.currency];
  const source = currency === 'EUR' ? 'shop-eu' : dice.chance(0.22) ? 'app' : 'shop';
  const order = shopper * ORDERS_EACH + number;
  const sale: Moment<Deed> = { at, what: { kind: 'sale', shopper, device, order, source, currency, basket, coupon } };
  const studio: Moment<Deed>[] = basket.isOfStudio
    ? [{ at: at - 20_000, what: { kind: 'studio', shopper, device } }]
    : [];
  const next = at + Math.round((4 + 24 * dice.share()) * DAY);
  return [
    ...studio,
    sale,
    ...refundsOf(dice, at, order, source, basket),
    ...(by.circle === 'shared-multi-touch' && dice.chance(0.2) ? renewalsOf(story, at, order, source) : []),
    ...(number + 1 < ORDERS_EACH && dice.chance(0.12) ? ordersOf(story, dice, next, { by, device }, number + 1) : []),
  ];
}

const OTHER_CURRENCY = { USD: 'EUR', EUR: 'USD' } as const;
const ORDERS_EACH = 4;

function refundsOf(
  dice: Dice,
  soldAt: number,
  order: number,
  source: string,
  { items, totalCents }: Basket,
): Moment<Deed>[] {
  if (!dice.chance(0.07)) return [];
  const at = soldAt + Math.round((0.8 + 4 * dice.share()) * DAY);
  const [first] = items;
  const parts: Part[] = [
    { kind: 'all' },
    { kind: 'all' },
    { kind: 'amount', cents: Math.floor(totalCents / 3) },
    { kind: 'item', externalId: String(first?.externalId) },
  ];
  return [{ at, what: { kind: 'refund', order, source, part: parts[dice.roll(parts.length)] as Part } }];
}

const SUBSCRIPTION_CENTS = 29_90;

/** A box of tea each month. */
function renewalsOf({ until }: Span, soldAt: number, order: number, source: string): Moment<Deed>[] {
  const count = Math.max(0, Math.floor((until - soldAt) / (30 * DAY)));
  return Array.from({ length: count }, (_, n) => ({
    at: soldAt + (n + 1) * 30 * DAY,
    what: { kind: 'renewal', order, source, totalCents: SUBSCRIPTION_CENTS },
  }));
}

/** Returns a random element. The probability of each element is proportional to its weight. */
function weighted<Each>(dice: Dice, all: readonly Each[], weightOf: (each: Each) => number): Each {
  let left = dice.share() * all.reduce((sum, each) => sum + weightOf(each), 0);
  for (const each of all) {
    left -= weightOf(each);
    if (left < 0) return each;
  }
  return all.at(-1) as Each;
}
