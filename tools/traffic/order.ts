import type { Dice } from './random.ts';

export type Line = {
  readonly externalId: string;
  readonly name: string;
  readonly type: 'product' | 'shipping' | 'discount';
  readonly quantity: number;
  /** The price of one piece in cents, or a negative amount for a discount. */
  readonly cents: number;
};

export type Order = {
  readonly externalId: string;
  readonly source: string;
  readonly currency: string;
  /** The lines of the order. Empty if the order is reported with its total alone. */
  readonly lines: readonly Line[];
  readonly totalCents: number;
  readonly coupon: string | undefined;
};

/** A partial refund of an order: of an amount, or of some pieces of a line. */
export type PartialRefund = {
  readonly refundId: string;
  readonly cents: number;
  readonly line?: Line;
  readonly pieces?: number;
};

/** The articles of the shop. The names of the studio's designs begin with `Studio`. */
const SHELF = [
  ['mug-blue', 'Blue mug', 18_00],
  ['mug-set', 'Set of four mugs', 64_00],
  ['pot-small', 'Small teapot', 42_00],
  ['pot-large', 'Large teapot', 79_00],
  ['studio-vase', 'Studio vase', 55_00],
  ['whisk', 'Bamboo whisk', 24_50],
  ['tea-green', 'Green tea, 200 g', 12_90],
  ['tea-box', 'Box of twelve teas', 29_90],
  ['tray', 'Oak tray', 38_00],
] as const;
const SHIPPING_CENTS = 4_90;
const FREE_FROM_CENTS = 75_00;

type Terms = Pick<Order, 'externalId' | 'source' | 'currency' | 'coupon'> & { readonly hasLines: boolean };

/** Returns a random order: a few articles, shipping for small orders, and a discount if a coupon was used. */
export function orderOf(dice: Dice, { hasLines, ...terms }: Terms): Order {
  const kinds = new Set(Array.from({ length: 1 + dice.roll(3) }, () => dice.pick(SHELF)));
  const articles = [...kinds].map(([externalId, name, cents]): Line => {
    return { externalId, name, type: 'product', quantity: dice.chance(0.2) ? 2 + dice.roll(3) : 1, cents };
  });
  const goods = totalOf(articles);
  const extra = (type: 'shipping' | 'discount', name: string, cents: number): Line[] =>
    cents === 0 ? [] : [{ externalId: type, name, type, quantity: 1, cents }];
  const lines = [
    ...articles,
    ...extra('discount', 'Coupon, 10%', terms.coupon === undefined ? 0 : -Math.round(goods / 10)),
    ...extra('shipping', 'Shipping', goods < FREE_FROM_CENTS ? SHIPPING_CENTS : 0),
  ];
  if (hasLines) return { ...terms, lines, totalCents: totalOf(lines) };
  return { ...terms, lines: [], totalCents: totalOf(lines) + dice.roll(100) };
}

/** Returns a random partial refund: a quarter or half of the total, or some pieces of the first line. */
export function drawPartialRefund(dice: Dice, { externalId, lines: [line], totalCents }: Order): PartialRefund {
  const refundId = `${externalId}-back`;
  if (line === undefined || dice.chance(0.5))
    return { refundId, cents: Math.ceil((totalCents * (1 + dice.roll(2))) / 4) };
  const pieces = 1 + dice.roll(line.quantity);
  return { refundId, cents: Math.min(totalCents, line.cents * pieces), line, pieces };
}

/** Returns cents as a decimal in major units: -120 becomes `-1.20`. Amounts are sent as text to stay exact. */
export function decimal(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function totalOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { quantity, cents }) => sum + quantity * cents, 0);
}
