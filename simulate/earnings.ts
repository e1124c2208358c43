import type { Order, Part } from './order.ts';

/** The two programs of a simulation, by what they pay: in ten-thousandths of the counted lines. */
export const PROGRAMS = [
  { attribution: 'last-touch', percent: 10, autoApprove: true },
  { attribution: 'linear', percent: 4.5, autoApprove: false },
] as const;

/** What one referrer was awarded for one order by one program. */
export type Award = { readonly program: number; readonly referrer: number; readonly cents: bigint };

/**
 * Who earns by an order, by the visits before it (their referrers, in order). Written from the words of docs/programs.md
 * and not from the service's code, so that a fault there is found here: products and discounts count; a percentage is
 * rounded half up once; `last-touch` pays the newest; `linear` pays all alike, and the cents that are left go to the
 * oldest.
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

/** What an award is worth once a part of the order has gone back: in proportion to what is left of what counts. */
export function worthAfter(order: Order, { cents }: Award, part: Part): bigint {
  const sold = countedCents(order);
  const total = BigInt(order.totalCents);
  const left =
    part.kind === 'amount'
      ? sold * (total - BigInt(part.cents))
      : (sold - BigInt(part.line.cents * part.quantity)) * total;
  return left <= 0n ? 0n : roundHalfUp(cents * left, sold * total);
}

/** What has been given back: pieces never beyond the total. */
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
