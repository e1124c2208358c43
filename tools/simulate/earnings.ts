import type { Order, Part } from './order.ts';

/** The two programs of a simulation. They pay a percentage of the counted lines. */
export const PROGRAMS = [
  { attribution: 'last-touch', percent: 10, autoApprove: true },
  { attribution: 'linear', percent: 4.5, autoApprove: false },
] as const;

/** The amount that one program awarded to one referrer for one order. */
export type Award = { readonly program: number; readonly referrer: number; readonly cents: bigint };

/**
 * Returns the awards of an order. `visits` are the referrers of the visits before it, in order. This is written from
 * the text of docs/reference/programs.md and not from the service's code, so that it finds faults there.
 *
 * - Products and discounts count.
 * - A percentage is rounded half up once.
 * - `last-touch` pays the newest referrer.
 * - `linear` pays all alike, and the remaining cents go to the oldest.
 */
export function awardsOf(order: Order, visits: readonly number[]): Award[] {
  const newest = visits.at(-1);
  if (newest === undefined) return [];
  const oldestFirst = [...new Set(visits)];
  return PROGRAMS.flatMap(({ attribution, percent }, program) => {
    const referrers = attribution === 'linear' ? oldestFirst : [newest];
    const reward = roundHalfUp(countedCents(order) * BigInt(percent * 10_000), 1_000_000n);
    return shared(reward, referrers.length).map((cents, n) => ({ program, referrer: referrers[n] as number, cents }));
  }).filter(({ cents }) => cents > 0n);
}

/** Returns the worth of an award after a partial refund, in proportion to the counted amount that is left. */
export function worthAfter(order: Order, { cents }: Award, part: Part): bigint {
  const sold = countedCents(order);
  const total = BigInt(order.totalCents);
  const left =
    part.kind === 'amount'
      ? sold * (total - BigInt(part.cents))
      : (sold - BigInt(part.line.cents * part.quantity)) * total;
  return left <= 0n ? 0n : roundHalfUp(cents * left, sold * total);
}

/** Returns the refunded cents. Refunded pieces never exceed the total. */
export function givenBack({ totalCents }: Order, part: Part): number {
  return Math.min(totalCents, part.kind === 'amount' ? part.cents : part.line.cents * part.quantity);
}

function countedCents({ lines, isBare, totalCents }: Order): bigint {
  if (isBare) return BigInt(totalCents);
  const counted = lines.filter(({ type }) => type !== 'shipping');
  return BigInt(counted.reduce((sum, { quantity, cents }) => sum + quantity * cents, 0));
}

function shared(cents: bigint, among: number): bigint[] {
  const each = cents / BigInt(among);
  const rest = Number(cents % BigInt(among));
  return Array.from({ length: among }, (_, n) => each + (n < rest ? 1n : 0n));
}

function roundHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}
