import type { Dice } from '#test/support/random.ts';

/* Generates random orders of a shop, and computes the commission that each order must earn. Shares no code with the
   service. */

/** The partner who is credited, through a link or a coupon. Null for an order without a referral. */
export type Earner = 'link' | 'coupon' | null;

/** Amounts are in hundredths of the currency. */
export type Content = {
  readonly products: readonly number[];
  readonly discount: number;
  readonly shipping: number;
  readonly tax: number;
};

export type SoldOrder = {
  readonly id: string;
  readonly currency: 'USD' | 'JPY';
  readonly earner: Earner;
  /** The content when the order was paid, and after each edit. */
  readonly contents: readonly [Content, ...Content[]];
  readonly refunds: readonly SoldRefund[];
  readonly isCanceled: boolean;
  readonly dispute: 'lost' | 'won' | null;
  readonly subscription: SoldSubscription | null;
};

/**
 * The subscription of an order, which begins with this order, with a free trial before it, or with an earlier order.
 */
export type SoldSubscription = { readonly id: string; readonly begins: 'here' | 'with-trial' | 'earlier' };

/** A refund that succeeded, that failed, or that was undone after it had succeeded. */
export type SoldRefund = { readonly id: string; readonly amount: number; readonly end: 'stands' | 'failed' | 'undone' };

/** The expected total, refunded amount and commission, in hundredths, and the partner who earned the commission. */
export type Expected = {
  readonly total: number;
  readonly refunded: number;
  readonly earned: number;
  readonly earner: Earner;
};

/** The features of a shop system that affect its orders. */
export type Abilities = {
  readonly hasShipping: boolean;
  readonly edits: 'none' | 'rises' | 'any';
  readonly refundEnds: readonly SoldRefund['end'][];
  readonly canCancel: boolean;
  readonly hasDisputes: boolean;
  readonly hasSubscriptions: boolean;
};

/**
 * Returns the orders of one round. If the system has subscriptions, all but the first order belong to one subscription.
 * Its orders have the same referral, and none is refunded in full at any time. A renewal that is reported while its
 * sale is fully refunded earns nothing, so the result would depend on the order of the messages.
 */
export function randomOrders(ids: readonly string[], dice: Dice, abilities: Abilities): SoldOrder[] {
  const currency = dice.chance(0.2) ? 'JPY' : 'USD';
  const orders = ids.map((id) => randomOrder(id, currency, dice, abilities));
  if (!abilities.hasSubscriptions) return orders;
  const begins = dice.pick(['here', 'with-trial'] as const);
  return orders.map((order, n) => {
    if (n === 0) return order;
    const subscription = { id: `sub_${ids[1]}`, begins: n === 1 ? begins : ('earlier' as const) };
    const subscribed = { ...order, dispute: null, earner: orders[1]!.earner, subscription };
    const tried = sumOf(order.refunds.filter(({ end }) => end !== 'failed').map(({ amount }) => amount));
    return tried < totalOf(order.contents[0]) ? subscribed : { ...subscribed, refunds: [] };
  });
}

/**
 * Returns a random order. Before refunds, its commission is a tenth of the price of its products after the discount.
 */
function randomOrder(id: string, currency: SoldOrder['currency'], dice: Dice, abilities: Abilities): SoldOrder {
  const unit = currency === 'JPY' ? 100 : 1;
  const amount = (most: number): number => (1 + dice.roll(most)) * unit;
  const first: Content = {
    products: Array.from({ length: 1 + dice.roll(3) }, () => 100 * unit + amount(9_999)),
    discount: 0,
    shipping: abilities.hasShipping && dice.chance(0.5) ? amount(999) : 0,
    tax: dice.chance(0.5) ? amount(1_999) : 0,
  };
  const discounted = { ...first, discount: dice.chance(0.4) ? roundTo(first.products[0]! / 2, unit) : 0 };
  const contents: [Content, ...Content[]] = [discounted];
  if (abilities.edits !== 'none' && dice.chance(0.4)) {
    const more = { ...discounted, products: [...discounted.products, amount(5_000)] };
    const less = { ...discounted, shipping: 0, tax: 0 };
    contents.push(abilities.edits === 'any' && totalOf(less) > 0 && dice.chance(0.5) ? less : more);
  }
  let left = Math.min(...contents.map(totalOf));
  const refunds = Array.from({ length: dice.roll(4) }, (_, n): SoldRefund | null => {
    const end = dice.pick(abilities.refundEnds);
    const most = Math.floor(left / unit);
    if (most === 0) return null;
    const refunded = dice.chance(0.15) ? most * unit : (1 + dice.roll(most)) * unit;
    if (end === 'stands') left -= refunded;
    return { id: `${id}-r${n}`, amount: refunded, end };
  });
  return {
    id,
    currency,
    earner: dice.pick(['link', 'link', 'coupon', null]),
    contents,
    refunds: refunds.filter((refund) => refund !== null),
    isCanceled: abilities.canCancel && dice.chance(0.15),
    dispute: abilities.hasDisputes && dice.chance(0.3) ? dice.pick(['lost', 'won']) : null,
    subscription: null,
  };
}

/** Returns the expected state of an order after all its messages, with a commission of ten percent. */
export function expectedOf({ currency, earner, contents, refunds, isCanceled, dispute }: SoldOrder): Expected {
  const last = contents.at(-1)!;
  const total = totalOf(last);
  const standing = refunds.filter(({ end }) => end === 'stands').reduce((sum, { amount }) => sum + amount, 0);
  const refunded = isCanceled || dispute === 'lost' ? total : standing;
  const unit = currency === 'JPY' ? 100 : 1;
  const award = roundTo((sumOf(last.products) - last.discount) / 10, unit);
  // The product is an exact integer, so the result is rounded only once.
  const earned = roundTo((award * (total - refunded)) / total, unit);
  return earner === null || award === 0
    ? { total, refunded, earned: 0, earner: null }
    : { total, refunded, earned, earner };
}

export function totalOf({ products, discount, shipping, tax }: Content): number {
  return sumOf(products) - discount + shipping + tax;
}

export function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/** Rounds to the nearest unit, half up. */
function roundTo(amount: number, unit: number): number {
  return Math.floor(amount / unit + 0.5) * unit;
}
