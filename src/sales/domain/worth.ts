import type { EventId } from '#core/ids.ts';
import { type Minor, roundToUnit } from '#core/money.ts';
import type { Line } from '#programs/domain/line.ts';
import type { ProgramTerms } from '#programs/domain/program.ts';
import { countedBy } from '#programs/domain/reward.ts';
import { type PlacedRefund, pieceTaker, type RefundedSale, type RefundHistory } from './refund.ts';

/**
 * The share of a program in a sale: the originally awarded amount, and whether the reward was per piece. Its worth is
 * always a multiple of `unit`. `corrected` has the awarded amount after each correction. It is empty if the share is
 * for a single content of the sale.
 */
export type Share = {
  readonly awarded: Minor;
  readonly byQuantity: boolean;
  readonly unit: bigint;
  readonly corrected: readonly Minor[];
};

/** The lines that a program version counts. */
export type Counting = Pick<ProgramTerms, 'countedLines' | 'lineFilter'>;

/** The part of a sale's base that remains after refunds: `left ÷ sold`. */
export type Remainder = { readonly isGone: boolean; readonly left: bigint; readonly sold: bigint };

/**
 * A period in which the remainder of a sale can only fall. A period ends with a reversal or a correction. All shares of
 * the sale whose programs count the same lines have the same periods.
 */
export type Period = {
  /** The reversal or correction that began the period, or null for the first period. */
  readonly since: EventId | null;
  /** The number of corrections up to the start of the period. */
  readonly corrections: number;
  /** The refunds that count in the period, in order. The first `standing` of them are older than the period. */
  readonly refunds: readonly EventId[];
  readonly standing: number;
  /** The remainders after the first 0, 1, 2 … of these refunds. */
  readonly remainders: readonly Remainder[];
};

/** A stretch of time in which refunds or corrections reduced the worth of a share to 0. */
export type Rejection = {
  /** The refund or correction that reduced the worth to 0. */
  readonly by: EventId;
  /** The reversal or correction that raised the worth again, or null if it is still 0. */
  readonly restoredBy: EventId | null;
  /** The last worth above 0. */
  readonly amount: Minor;
};

/**
 * Returns the worth of a share of a sale after refunds. It is awarded × base left ÷ base sold, rounded half up to its
 * unit, once. Base left is base sold minus the returned pieces and the refunded part of the total, and never below 0.
 * For a reward per piece, both bases are numbers of pieces. Each computation starts with the awarded amount, so the
 * result doesn't depend on the number or order of refunds.
 *
 * Returned lines that add up to less than 0 don't reduce the base, because they would raise the share. `judgeRefund`
 * refuses such refunds, but they still occur: earlier releases recorded them, and a program that is credited manually
 * after the refund can count other lines.
 */
export function worthOf(sale: RefundedSale, share: Share, counting: Counting): Minor {
  const basis = basisOf(sale.lines, counting, share.byQuantity);
  return worthAfter(remaindersOf(sale, basis), sale.refunds.length, share);
}

function worthAfter(remainders: readonly Remainder[], refunds: number, share: Share): Minor {
  const { isGone, left, sold } = remainders[refunds] ?? NOTHING_LEFT;
  if (isGone) return NOTHING;
  // A lead has no base, so it is owed in full until it is refunded.
  return sold <= 0n ? share.awarded : roundToUnit(share.awarded * left, sold, share.unit);
}

const NOTHING = 0n as Minor;
const NOTHING_LEFT: Remainder = { isGone: true, left: 0n, sold: 0n };

/** The base of the lines, for programs that count the same lines. */
type Basis = {
  readonly sold: bigint;
  /** Returns the base of pieces of a line, or of a whole line. */
  readonly baseIn: (position: number, total: bigint, quantity: number) => bigint;
};

function basisOf(lines: readonly Line[], { countedLines, lineFilter }: Counting, byQuantity: boolean): Basis {
  const isCounted = countedBy(countedLines, lineFilter);
  const counts = lines.map((line) => isCounted(line) && !(byQuantity && line.type === 'discount'));
  const baseIn: Basis['baseIn'] = (position, total, quantity) => {
    if (counts[position - 1] !== true) return 0n;
    return byQuantity ? BigInt(quantity) : total;
  };
  return { sold: sum(lines.map(({ total, quantity }, index) => baseIn(index + 1, total, quantity))), baseIn };
}

/** Returns the remainders of a sale after its first 0, 1, 2 … refunds, in linear time. */
function remaindersOf({ total, lines, refunds }: RefundedSale, { sold, baseIn }: Basis): Remainder[] {
  const takePieces = pieceTaker(lines);
  // Both terms are multiples of the total, so that only the division rounds. A total of 0 has no refunded amounts.
  const whole = total > 0n ? total : 1n;
  let [base, amounts, all] = [0n, 0n, 0n];
  let linesLeft = lines.length;
  let [isFull, hasReturns] = [false, false];
  const remainder = (): Remainder => ({
    isGone: isFull || (total > 0n && all >= total) || (hasReturns && linesLeft === 0),
    left: atLeastNothing((sold - atLeastNothing(base)) * whole - sold * amounts),
    sold: sold * whole,
  });
  const found = [remainder()];
  for (const { kind, amount, pieces } of refunds) {
    if (kind === 'full') isFull = true;
    if (kind === 'amount') amounts += amount;
    if (kind !== 'items') all += amount;
    for (const each of pieces) {
      const taken = takePieces(each);
      base += baseIn(each.position, taken.total, each.quantity);
      all += taken.total;
      hasReturns = true;
      if (taken.isLast) linesLeft -= 1;
    }
    found.push(remainder());
  }
  return found;
}

/** Returns the periods of a sale for the shares of programs that count the same lines, in order. */
export function periodsOf(history: RefundHistory, counting: Counting, byQuantity: boolean): Period[] {
  const turns = turnsOf(history);
  let basis: { readonly corrections: number; readonly of: Basis } | undefined;
  return [null, ...turns].map((since, n): Period => {
    const until = turns[n] ?? null;
    const active = history.refunds.filter(
      ({ eventId, reversedBy }) =>
        (until === null || eventId < until) && (reversedBy === null || since === null || reversedBy > since),
    );
    const corrections = history.corrections.filter(({ correctedBy }) => since !== null && correctedBy <= since).length;
    const content = contentAfter(corrections, history, active);
    // Reversals don't change the lines, so the basis is computed only once per correction. Filtering lines is the
    // slowest step.
    if (basis?.corrections !== corrections) {
      basis = { corrections, of: basisOf(content.lines, counting, byQuantity) };
    }
    return {
      since,
      corrections,
      refunds: active.map(({ eventId }) => eventId),
      standing: active.filter(({ eventId }) => since !== null && eventId < since).length,
      remainders: remaindersOf(content, basis.of),
    };
  });
}

/** Returns the events at which a worth can rise: reversals and corrections, in their order. */
function turnsOf({ refunds, corrections }: RefundHistory): EventId[] {
  const events = [...refunds.map(({ reversedBy }) => reversedBy), ...corrections.map(({ correctedBy }) => correctedBy)];
  return [...new Set(events.filter((event) => event !== null))].sort((a, b) => a - b);
}

/** Returns a sale with its content after this many corrections, and with the returned pieces of that content. */
function contentAfter(corrections: number, history: RefundHistory, refunds: readonly PlacedRefund[]): RefundedSale {
  const replaced = history.corrections[corrections];
  if (replaced === undefined) return { ...history, refunds };
  const { total, lines, pieces } = replaced;
  return { total, lines, refunds: refunds.map((each) => ({ ...each, pieces: pieces.get(each.eventId) ?? [] })) };
}

/** Returns the current worth of a share, after all corrections and the refunds that were not reversed. */
export function worthNow(periods: readonly Period[], share: Share): Minor {
  const last = periods.at(-1);
  return last === undefined ? NOTHING : worthAfter(last.remainders, last.refunds.length, shareIn(last, share));
}

function shareIn({ corrections }: Period, share: Share): Share {
  return { ...share, awarded: share.corrected[corrections - 1] ?? share.awarded };
}

/**
 * Returns the stretches of time in which refunds or corrections reduced the worth of a share to 0, in order. Only the
 * last rejection can still be open.
 */
export function rejectionsOf(periods: readonly Period[], share: Share): Rejection[] {
  const found: Rejection[] = [];
  let before = NOTHING;
  for (const period of periods) {
    const { since, refunds, standing, remainders } = period;
    const worths = remainders.map((_, count) => worthAfter(remainders, count, shareIn(period, share)));
    const last = found.at(-1);
    if (worths[standing] === NOTHING) {
      if (since !== null && before > 0n) found.push({ by: since, restoredBy: null, amount: before });
      before = NOTHING;
      continue;
    }
    if (since !== null && last?.restoredBy === null) found[found.length - 1] = { ...last, restoredBy: since };
    const gone = worths.findIndex((worth, count) => count > standing && worth === 0n);
    const refund = refunds[gone - 1];
    const worth = worths.at(gone < 0 ? -1 : gone - 1) ?? NOTHING;
    if (refund !== undefined) found.push({ by: refund, restoredBy: null, amount: worth });
    before = refund === undefined ? worth : NOTHING;
  }
  return found;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((before, amount) => before + amount, 0n);
}

function atLeastNothing(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
