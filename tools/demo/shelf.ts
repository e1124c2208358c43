import type { ReportSaleBody } from '@whence/sdk';
import type { Dice } from '#tools/traffic/random.ts';

type Item = NonNullable<ReportSaleBody['items']>[number];

/** The articles of the shop with their prices in hundredths. The names of the studio's designs begin with `Studio`. */
const SHELF = [
  { externalId: 'mug-blue', name: 'Blue mug', cents: 18_00 },
  { externalId: 'mug-set', name: 'Set of four mugs', cents: 64_00 },
  { externalId: 'pot-small', name: 'Small teapot', cents: 42_00 },
  { externalId: 'pot-large', name: 'Large teapot', cents: 79_00 },
  { externalId: 'studio-vase', name: 'Studio vase', cents: 55_00 },
  { externalId: 'whisk', name: 'Bamboo whisk', cents: 24_50 },
  { externalId: 'tea-green', name: 'Green tea, 200 g', cents: 12_90 },
  { externalId: 'tea-box', name: 'Box of twelve teas', cents: 29_90 },
  { externalId: 'tray', name: 'Oak tray', cents: 38_00 },
] as const;

const SHIPPING_CENTS = 4_90;
const FREE_FROM_CENTS = 75_00;

export type Basket = { readonly items: readonly Item[]; readonly totalCents: number; readonly isOfStudio: boolean };

/** Returns a random basket: a few articles, shipping for small orders, and a discount if a coupon was used. */
export function basketOf(dice: Dice, hasCoupon: boolean): Basket {
  const kinds = new Set(Array.from({ length: 1 + dice.roll(3) }, () => dice.roll(SHELF.length)));
  const sold = [...kinds].map((kind) => ({
    ...(SHELF[kind] as (typeof SHELF)[number]),
    quantity: dice.chance(0.2) ? 2 : 1,
  }));
  const goods = sold.reduce((sum, { cents, quantity }) => sum + cents * quantity, 0);
  const discount = hasCoupon ? Math.round(goods / 10) : 0;
  const shipping = goods < FREE_FROM_CENTS ? SHIPPING_CENTS : 0;
  return {
    items: [
      ...sold.map(({ externalId, name, cents, quantity }) => ({ externalId, name, quantity, amount: major(cents) })),
      ...(discount === 0 ? [] : [{ name: 'Coupon, 10%', amount: major(-discount), type: 'discount' as const }]),
      ...(shipping === 0 ? [] : [{ name: 'Shipping', amount: major(shipping), type: 'shipping' as const }]),
    ],
    totalCents: goods - discount + shipping,
    isOfStudio: sold.some(({ name }) => name.startsWith('Studio')),
  };
}

/** Returns an amount in major units as text: `1290` becomes `12.90`. Amounts are sent as text to stay exact. */
export function major(cents: number): string {
  return `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`;
}
