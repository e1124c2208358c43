import type { Dice } from '#test/support/random.ts';
import type { Kind, Line, Matcher, Period, Reward, Terms } from './facts.ts';
import { SLUG } from './merchant.ts';

/*
 * Generates program terms and order lines that often affect each other. Amounts are small, so that each cent matters.
 * Other values are chosen from short lists, so that they often coincide.
 */

const MODELS = ['last-touch', 'first-touch', 'linear', 'weighted', 'top-score'] as const;
const PERCENTS = ['10', '33.3333', '50', '7.5', '0.5', '12.3456', '100'];
const PERIODS: readonly Period[] = ['day', 'week', 'month', 'quarter', 'year', 'lifetime'];
const LINES = ['product', 'shipping', 'tax', 'fee', 'discount'] as const;
/**
 * Combinations of the kinds of transactions that a program pays for. Repeated entries make a combination more likely.
 */
const KINDS: readonly (readonly Kind[])[] = [
  ['sale'],
  ['sale'],
  ['sale'],
  ['sale'],
  ['sale', 'renewal'],
  ['sale', 'renewal'],
  ['sale', 'renewal'],
  ['renewal'],
  ['lead'],
];

/** One day in seconds. No story lasts longer than a day. */
const DAY_SECONDS = 86_400;

/** Returns random terms. For a later version, pass the earlier `pays`, because each kind has different rewards. */
export function randomTerms(dice: Dice, collaborators: readonly string[], pays = dice.pick(KINDS)): Partial<Terms> {
  const some = <Value>(chance: number, make: () => Value): Value | null => (dice.chance(chance) ? make() : null);
  const currency = randomCurrency(dice);
  const scale = scaleOf(currency);
  const reward = (): Reward => randomReward(dice, pays, scale);
  return {
    pays,
    reward: reward(),
    currency,
    windowDays: 365,
    attribution: dice.pick(MODELS),
    countedLines: dice.chance(0.6)
      ? ['product', 'discount']
      : LINES.filter((line) => line === 'product' || dice.chance(0.5)),
    triggers: {
      ...(dice.chance(0.97) && { 'site-visit': 1 + dice.roll(3) }),
      ...(dice.chance(0.5) && { 'coupon-applied': 1 + dice.roll(5) }),
      ...(dice.chance(0.3) && { [SLUG]: 1 + dice.roll(2) }),
    },
    autoApprove: dice.chance(0.7),
    approveAfterDays: null,
    ...(dice.chance(0.1) && { autoApprove: false, approveAfterDays: dice.pick([0, 14]) }),
    enrollment: dice.chance(0.15) ? 'selected' : 'everyone',
    creditsPer: dice.chance(0.3) ? 'opportunity' : 'sale',
    tiers: some(0.25, () => {
      const by = dice.pick(['sum', 'count'] as const);
      const steps =
        by === 'sum' ? [scale * (20 + dice.roll(60)), scale * (100 + dice.roll(200))] : [1 + dice.roll(2), 4];
      return {
        period: dice.pick(PERIODS),
        by,
        steps: steps.slice(dice.roll(2)).map((from) => ({ from, reward: reward() })),
      };
    }),
    capPerOrder: some(0.2, () => scale * (1 + dice.roll(60))),
    capPerPeriod: some(0.25, () => ({ period: dice.pick(PERIODS), amount: scale * (1 + dice.roll(150)) })),
    lineFilter: some(0.2, () => ({ include: matchers(dice, 0.4), exclude: matchers(dice, 0.15) })),
    minimumOrder: some(0.15, () => scale * (1 + dice.roll(200))),
    collaboratorRewards: collaborators
      .filter(() => dice.chance(0.12))
      .map((collaborator) => ({ collaborator, reward: reward() })),
    holds: some(0.3, () => ({ ownCoupon: dice.chance(0.7), secondsToSale: dice.chance(0.3) ? DAY_SECONDS : null })),
    renewals: pays.includes('renewal') ? some(0.4, () => ({ times: 1 + dice.roll(2) })) : null,
    renewalRewards: pays.includes('renewal')
      ? [0, 1].filter(() => dice.chance(0.3)).map((afterMonths) => ({ afterMonths, reward: reward() }))
      : [],
  };
}

function randomReward(dice: Dice, pays: readonly Kind[], scale: number): Reward {
  if (pays.includes('lead')) return { type: 'per-lead', amount: scale * (1 + dice.roll(40)) };
  if (dice.chance(0.6)) return { type: 'percent', percent: dice.pick(PERCENTS) };
  return dice.chance(0.5)
    ? { type: 'per-sale', amount: scale * (1 + dice.roll(20)) }
    : { type: 'per-product', amount: scale * (1 + dice.roll(7)) };
}

/** Returns a random currency. JPY has no decimals, so nearly every amount in JPY must be rounded. */
function randomCurrency(dice: Dice): string {
  if (dice.chance(0.8)) return 'USD';
  return dice.chance(0.5) ? 'EUR' : 'JPY';
}

/**
 * Returns the unit of random amounts in hundredths of the currency. The unit for JPY is half a yen, so some amounts are
 * whole yen, and no amount is rounded to 0.
 */
export function scaleOf(currency: string): number {
  return currency === 'JPY' ? 50 : 1;
}

function matchers(dice: Dice, share: number): Matcher[] {
  const all: readonly Matcher[] = [
    { externalId: 'a' },
    { name: '*' },
    { name: 'b*' },
    { name: '*UG a' },
    { type: 'product' },
    { type: 'tax' },
  ];
  return all.filter(() => dice.chance(share));
}

const ITEMS = ['a', 'b', 'c'];

/** Returns a random total, usually with lines. Some ids occur twice, and the lines need not add up to the total. */
export function randomGoods(
  dice: Dice,
  currency = randomCurrency(dice),
): { currency: string; total: string; lines?: Line[] } {
  const scale = scaleOf(currency);
  if (dice.chance(0.25)) return { currency, total: price(dice, 500, scale) };
  const lines: Line[] = [];
  for (let left = 1 + dice.roll(4); left > 0; left -= 1) {
    const id = dice.pick(ITEMS);
    lines.push({
      externalId: id,
      name: dice.pick([`Mug ${id}`, `Book ${id}`]),
      type: dice.chance(0.75) ? 'product' : dice.pick(['shipping', 'tax', 'fee'] as const),
      quantity: 1 + dice.roll(4),
      ...(dice.chance(0.3) ? { total: price(dice, 400, scale) } : { amount: price(dice, 120, scale) }),
    });
  }
  if (dice.chance(0.2))
    lines.push({
      externalId: 'less',
      name: 'Less',
      type: 'discount',
      quantity: 1 + dice.roll(2),
      amount: `-${price(dice, 60, scale)}`,
    });
  const sum = lines.reduce(
    (all, { amount = '0', total, quantity }) => all + (total === undefined ? cents(amount) * quantity : cents(total)),
    0,
  );
  const total = dice.chance(0.85) && sum >= 0 ? sum : scale * dice.roll(300);
  return { currency, total: major(total), lines };
}

function price(dice: Dice, most: number, scale: number): string {
  return major(scale * dice.roll(most + 1));
}

function major(minor: number): string {
  return `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
}

function cents(amount: string): number {
  return Number(amount.replace('.', ''));
}
