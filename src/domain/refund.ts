import { type Owed, type OwedChange, settle } from './conversion.ts';
import { divideHalfUp, type Minor } from './money.ts';
import type { ProgramTerms } from './program.ts';
import { baseOf, type Line } from './reward.ts';

export const REFUND_KINDS = ['full', 'amount', 'items'] as const;
export type RefundKind = (typeof REFUND_KINDS)[number];

/** So many pieces of a line; `position` counts the lines of the sale from 1. */
export type Pieces = { readonly position: number; readonly quantity: number };

/** `amount` is what was given back, never below 0: of items their amounts × quantities, of a full refund what was left. */
export type Refund = {
  readonly kind: RefundKind;
  readonly amount: Minor;
  /** Of a refund of items. */
  readonly pieces: readonly Pieces[];
};

/** What a transaction's refunds are judged by. `lines` are in their order; a lead has none, and a total of 0. */
export type RefundedSale = {
  readonly total: Minor;
  /** It is marked: all of it is gone, whatever its refunds add up to. */
  readonly isRefunded: boolean;
  readonly lines: readonly Line[];
  /** Those with a refundId, in the order of their events. */
  readonly refunds: readonly Refund[];
};

/** What was awarded once; `byQuantity` where the reward was for pieces. */
export type Share = { readonly awarded: Minor; readonly byQuantity: boolean };

/** Which lines a program version counts. */
export type Counting = Pick<ProgramTerms, 'countedLines' | 'lineFilter'>;

/**
 * What a share of a sale is worth after its refunds, in the smallest unit: awarded × base left ÷ base sold, rounded half
 * up once. Base left is what was sold less the pieces that went back and the part of the total that was given back by
 * amount, never below 0; of a reward for pieces both are pieces. Always from what was awarded, so no sequence of refunds
 * drifts; and the order of the refunds does not matter.
 *
 * No refund takes less than nothing from the base: a discount that is given back by itself would raise the share.
 */
export function worthOf({ total, isRefunded, lines, refunds }: RefundedSale, share: Share, counting: Counting): Minor {
  if (isRefunded) return NOTHING;
  const base = (some: readonly Line[]) => {
    const { amount, quantity } = baseOf(some, counting.countedLines, counting.lineFilter);
    return share.byQuantity ? quantity : amount;
  };
  const sold = base(lines);
  // A lead has no base: all of it is owed until it is taken back.
  if (sold <= 0n) return share.awarded;
  const gone = sum(refunds.map(({ pieces }) => atLeastNothing(base(linesOf(lines, pieces)))));
  const given = sum(refunds.filter(({ kind }) => kind === 'amount').map(({ amount }) => amount));
  // Both in parts of the total, so that only the last division rounds. No amount is given back on a total of 0.
  const whole = total > 0n ? total : 1n;
  const left = atLeastNothing((sold - gone) * whole - sold * given);
  return divideHalfUp(share.awarded * left, sold * whole) as Minor;
}

/** Whether nothing of a sale is left: its total is given back, or every piece of every line. */
export function isAllGone({ total, lines, refunds }: Omit<RefundedSale, 'isRefunded'>): boolean {
  if (refunds.some(({ kind }) => kind === 'full')) return true;
  if (total > 0n && givenBack(total, refunds) === total) return true;
  return lines.length > 0 && piecesLeft(lines, refunds).every(({ quantity }) => quantity === 0);
}

/** The sum of what was given back. Items need not add up to the total: the sum ends there. */
export function givenBack(total: Minor, refunds: readonly Refund[]): Minor {
  const given = sum(refunds.map(({ amount }) => amount));
  return (given < total ? given : total) as Minor;
}

/** Of each line the pieces that have not gone back, in the order of the lines. */
export function piecesLeft(lines: readonly Line[], refunds: readonly Refund[]): (Pieces & Pick<Line, 'externalId'>)[] {
  const gone = new Map<number, number>();
  for (const { position, quantity } of refunds.flatMap(({ pieces }) => pieces)) {
    gone.set(position, (gone.get(position) ?? 0) + quantity);
  }
  return lines.map(({ externalId, quantity }, index) => {
    const position = index + 1;
    return { externalId, position, quantity: quantity - (gone.get(position) ?? 0) };
  });
}

/** The lines of the pieces, with the quantity that is meant. */
export function linesOf(lines: readonly Line[], pieces: readonly Pieces[]): Line[] {
  return pieces.map(({ position, quantity }) => {
    const line = lines[position - 1];
    if (line === undefined) throw new Error(`a refund names line ${position} of ${lines.length}`);
    return { ...line, quantity };
  });
}

/** A conversion of the sale that is not rejected, with what is owed for it. */
export type Standing = Share & { readonly amount: Minor; readonly owed: Owed };

/** What refunds make of a conversion; null where it stays as it is. */
export type Revision = {
  readonly conversion: { readonly kind: 'reduced' | 'rejected'; readonly amount: Minor } | null;
  readonly owed: OwedChange | null;
};

/**
 * What becomes of a conversion and of what is owed for it. Of what is worth nothing any more and is rejected, the amount
 * stays to be read: what it was worth before the refund that took the last of it. That does not depend on when the
 * refunds are worked off. A second time it changes nothing.
 */
export function revise(sale: RefundedSale, standing: Standing, counting: Counting): Revision {
  const worth = worthOf(sale, standing, counting);
  const owed = settle(standing.owed, worth, sale.isRefunded ? 'refunded' : 'partly-refunded');
  if (worth > 0n) return { conversion: worth < standing.amount ? { kind: 'reduced', amount: worth } : null, owed };
  const rejected = { kind: 'rejected', amount: lastWorth(sale, standing, counting) } as const;
  return { conversion: rejected, owed: owed?.kind === 'rejected' ? rejected : owed };
}

/** No refund raises a worth, so where it ends is found by halving: a sale may have a thousand refunds. */
function lastWorth({ refunds, ...sale }: RefundedSale, share: Share, counting: Counting): Minor {
  let worth = share.awarded;
  let [standing, gone] = [0, refunds.length + 1];
  while (gone - standing > 1) {
    const middle = (standing + gone) >> 1;
    const before = { ...sale, refunds: refunds.slice(0, middle) };
    const left = worthOf({ ...before, isRefunded: isAllGone(before) }, share, counting);
    if (left > 0n) [standing, worth] = [middle, left];
    else gone = middle;
  }
  return worth;
}

const NOTHING = 0n as Minor;

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((before, amount) => before + amount, 0n);
}

function atLeastNothing(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
