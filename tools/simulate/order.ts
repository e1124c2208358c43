import type { ReportRefundBody, ReportSaleBody } from '@whence/sdk';
import type { Dice } from './dice.ts';

export type Line = {
  readonly externalId: string;
  readonly name: string;
  readonly type: 'product' | 'shipping' | 'discount';
  readonly quantity: number;
  /** The price of one piece. */
  readonly cents: number;
};

export type Order = {
  readonly externalId: string;
  readonly currency: string;
  readonly lines: readonly Line[];
  /** Whether the order is reported without its lines, as one line with the total. */
  readonly isBare: boolean;
  readonly totalCents: number;
};

/** A partial refund of an order. */
export type Part = { readonly refundId: string } & (
  | { readonly kind: 'amount'; readonly cents: number }
  | { readonly kind: 'items'; readonly line: Line; readonly quantity: number }
);

const SHELF = [
  ['mug', 'Blue mug', 1_299],
  ['teapot', 'Teapot', 3_450],
  ['lamp', 'Reading lamp', 5_999],
  ['socks', 'Wool socks', 890],
  ['notebook', 'Notebook', 425],
  ['chair', 'Garden chair', 12_995],
] as const;
const MOST_PRODUCTS = 3;
const MOST_PIECES = 4;
const SHIPPING_CENTS = 495;
const SHIPPED = 0.4;
/** One order in ten has a discount. */
const DISCOUNTED = 0.1;
const BARE = 0.15;
const IN_EUROS = 0.2;

/**
 * Returns a random order: some products, often with shipping, sometimes with a discount. The total is the sum of the
 * lines.
 */
export function orderOf(externalId: string, dice: Dice): Order {
  const products = productLines(dice);
  const worth = sumOf(products);
  const shipping = dice.chance(SHIPPED) ? [extra('shipping', 'Shipping', SHIPPING_CENTS)] : [];
  const discount = dice.chance(DISCOUNTED) ? [extra('discount', 'Welcome', -Math.floor(worth / 10))] : [];
  const lines = [...products, ...shipping, ...discount];
  return {
    externalId,
    currency: dice.chance(IN_EUROS) ? 'EUR' : 'USD',
    lines,
    isBare: dice.chance(BARE),
    totalCents: sumOf(lines),
  };
}

/** Returns a random partial refund: a quarter to three quarters of the total, or some pieces of a product. */
export function partOf({ externalId, lines, isBare, totalCents }: Order, dice: Dice): Part {
  const refundId = `${externalId}-back`;
  const line = lines[0];
  if (isBare || line === undefined || dice.chance(0.5)) {
    return { refundId, kind: 'amount', cents: Math.ceil((totalCents * (1 + dice.roll(3))) / 4) };
  }
  return { refundId, kind: 'items', line, quantity: 1 + dice.roll(line.quantity) };
}

/** Returns the report of an order as a shop sends it, with decimals as text. */
export function saleBody(source: string, { externalId, ...order }: Order, trackingId: number): ReportSaleBody {
  const items = order.lines.map(({ cents, ...line }) => ({ ...line, amount: decimal(cents) }));
  const { currency } = order;
  const report = { source, externalId, trackingId, currency, total: decimal(order.totalCents) };
  return order.isBare ? report : { ...report, items };
}

/** Returns the report of a refund: of a part, or of everything that is left. */
export function refundBody(source: string, { externalId }: Order, part: Part | undefined): ReportRefundBody {
  if (part === undefined) return { source, externalId };
  const { refundId } = part;
  if (part.kind === 'amount') return { source, externalId, refundId, amount: decimal(part.cents) };
  return { source, externalId, refundId, items: [{ externalId: part.line.externalId, quantity: part.quantity }] };
}

/** Returns cents as a decimal in major units: -120 becomes `-1.20`. */
export function decimal(cents: number | bigint): string {
  const digits = String(cents < 0 ? -cents : cents).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Returns the lines of different products, so that a refund of pieces identifies one line. */
function productLines(dice: Dice): Line[] {
  const first = dice.roll(SHELF.length);
  return Array.from({ length: 1 + dice.roll(MOST_PRODUCTS) }, (_, n) => {
    const [externalId, name, cents] = SHELF[(first + n) % SHELF.length] as (typeof SHELF)[number];
    return { externalId, name, type: 'product', quantity: 1 + dice.roll(MOST_PIECES), cents };
  });
}

function extra(type: 'shipping' | 'discount', name: string, cents: number): Line {
  return { externalId: type, name, type, quantity: 1, cents };
}

function sumOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { quantity, cents }) => sum + quantity * cents, 0);
}
