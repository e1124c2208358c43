import type { EventId } from '#core/ids.ts';
import { divideHalfUp, type Minor, roundToUnit } from '#core/money.ts';
import type { ProgramTerms } from '#programs/domain/program.ts';
import { baseOf } from '#programs/domain/reward.ts';
import type { Line } from '#programs/domain/line.ts';

export const REFUND_KINDS = ['full', 'amount', 'items'] as const;
export type RefundKind = (typeof REFUND_KINDS)[number];

/** A number of pieces of one line. `position` is the number of the line in the sale, starting at 1. */
export type Pieces = { readonly position: number; readonly quantity: number };

/**
 * A recorded refund. `amount` is the refunded amount, never below 0. For items it is the value of the pieces, and for a
 * full refund the remaining amount.
 */
export type Refund = {
  readonly kind: RefundKind;
  readonly amount: Minor;
  /** The returned pieces. They are empty unless items are refunded. */
  readonly pieces: readonly Pieces[];
};

/**
 * The facts about a transaction that decide whether a refund is accepted. `lines` are in their order. A lead has no lines and a
 * total of 0.
 */
export type RefundedSale = {
  readonly total: Minor;
  readonly lines: readonly Line[];
  /** The refunds that were not reversed, in the order of their events. */
  readonly refunds: readonly Refund[];
};

/** A refund with its event, and the event that reversed it. */
export type PlacedRefund = Refund & { readonly eventId: EventId; readonly reversedBy: EventId | null };

/** The content of a transaction until a correction replaced it. */
export type ReplacedContent = Omit<RefundedSale, 'refunds'> & {
  /** The event of the correction. */
  readonly correctedBy: EventId;
  /** The pieces that earlier refunds had returned of these lines. */
  readonly pieces: ReadonlyMap<EventId, readonly Pieces[]>;
};

/**
 * A transaction with all its refunds and corrections, in the order of their events. Its total, its lines and the pieces
 * of its refunds are those after the last correction.
 */
export type RefundHistory = Omit<RefundedSale, 'refunds'> & {
  readonly refunds: readonly PlacedRefund[];
  readonly corrections: readonly ReplacedContent[];
};

/** Returns a transaction with the refunds that were not reversed. */
export function withoutReversed<History extends RefundHistory>(history: History): History {
  return { ...history, refunds: history.refunds.filter(({ reversedBy }) => reversedBy === null) };
}

/**
 * The share of a program in a sale: the originally awarded amount, and whether the reward was per piece. Its worth is
 * always a multiple of `unit`. `corrected` has the amount after each correction. For a share of one content of the sale,
 * it is empty.
 */
export type Share = {
  readonly awarded: Minor;
  readonly byQuantity: boolean;
  readonly unit: bigint;
  readonly corrected: readonly Minor[];
};

/** The lines that a program version counts. */
export type Counting = Pick<ProgramTerms, 'countedLines' | 'lineFilter'>;

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
  if (isAllGone(sale)) return NOTHING;
  const { total, lines, refunds } = sale;
  const base = (some: readonly Line[]) => {
    const { amount, quantity } = baseOf(some, counting.countedLines, counting.lineFilter);
    return share.byQuantity ? quantity : amount;
  };
  const sold = base(lines);
  // A lead has no base, so it is owed in full until it is refunded.
  if (sold <= 0n) return share.awarded;
  const gone = atLeastNothing(base(returnsOf(lines, refunds).flat()));
  const given = sum(refunds.filter(({ kind }) => kind === 'amount').map(({ amount }) => amount));
  // Both terms are multiples of the total, so that only the last division rounds. A total of 0 has no refunded amounts.
  const whole = total > 0n ? total : 1n;
  const left = atLeastNothing((sold - gone) * whole - sold * given);
  return roundToUnit(share.awarded * left, sold * whole, share.unit);
}

/** Returns whether nothing of a sale is left: its whole total is refunded, or every piece of every line is returned. */
export function isAllGone({ total, lines, refunds }: RefundedSale): boolean {
  if (refunds.some(({ kind }) => kind === 'full')) return true;
  if (total > 0n && givenBack({ total, lines, refunds }) === total) return true;
  // Most refunds return no pieces, and an order can have 1,000 lines.
  if (refunds.every(({ pieces }) => pieces.length === 0)) return false;
  return piecesLeft(lines, refunds).every(({ quantity }) => quantity === 0);
}

/** Returns the sum of the refunded amounts and of the values of the returned pieces, at most the total. */
export function givenBack(sale: RefundedSale): Minor {
  const given = sumOfRefunds(sale);
  return given < sale.total ? given : sale.total;
}

/**
 * Returns the sum of the refunded amounts and of the values of the returned pieces. The recorded amount of a refund of
 * items is not used, because it depends on earlier refunds that may be reversed.
 */
export function sumOfRefunds({ lines, refunds }: RefundedSale): Minor {
  const returned = returnsOf(lines, refunds).flat();
  const given = refunds.flatMap(({ kind, amount }) => (kind === 'items' ? [] : [amount]));
  return (sum(given) + sum(returned.map((each) => each.total))) as Minor;
}

/** Returns the pieces of each line that have not been returned, in the order of the lines. */
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

/**
 * Returns the lines of each refund, with the returned quantity and its value. All returned pieces of a line together
 * have the value `total × returned ÷ quantity`, rounded half up. Each refund gets the difference from earlier refunds,
 * so the result doesn't depend on the split of pieces over refunds.
 */
export function returnsOf(lines: readonly Line[], refunds: readonly Pick<Refund, 'pieces'>[]): Line[][] {
  const returned = new Map<number, number>();
  return refunds.map(({ pieces }) =>
    pieces.map(({ position, quantity }) => {
      const line = lines[position - 1];
      if (line === undefined) throw new Error(`a refund names line ${position} of ${lines.length}`);
      const before = returned.get(position) ?? 0;
      returned.set(position, before + quantity);
      const total = worthOfPieces(line, before + quantity) - worthOfPieces(line, before);
      return { ...line, quantity, total: total as Minor };
    }),
  );
}

function worthOfPieces({ total, quantity }: Line, pieces: number): bigint {
  return divideHalfUp(total * BigInt(pieces), BigInt(quantity));
}

/** A period in which refunds or corrections reduced the worth of a share to 0. */
export type Rejection = {
  /** The refund or correction that reduced the worth to 0. */
  readonly by: EventId;
  /** The reversal or correction that raised it again, or null if it is still 0. */
  readonly restoredBy: EventId | null;
  /** The last worth above 0. */
  readonly amount: Minor;
};

/** Returns what a share is worth now, after all corrections and the refunds that were not reversed. */
export function worthNow(history: RefundHistory, share: Share, counting: Counting): Minor {
  return worthOf(withoutReversed(history), shareAfter(history.corrections.length, share), counting);
}

function shareAfter(corrections: number, share: Share): Share {
  return { ...share, awarded: share.corrected[corrections - 1] ?? share.awarded };
}

/**
 * Returns the periods in which refunds or corrections reduced the worth of a share to 0, in order. Only the last period
 * can still be open.
 *
 * Between two reversals or corrections, the worth never rises. So a binary search finds the refund that reduces it to 0.
 * A sale may have a thousand refunds.
 */
export function rejectionsOf(history: RefundHistory, share: Share, counting: Counting): Rejection[] {
  const { refunds, corrections } = history;
  const turns = turnsOf(history);
  const found: Rejection[] = [];
  let before = NOTHING;
  for (const [n, until] of [...turns, null].entries()) {
    const since = turns[n - 1] ?? null;
    const corrected = corrections.filter(({ correctedBy }) => since !== null && correctedBy <= since).length;
    const active = refunds.filter(
      ({ eventId, reversedBy }) =>
        (until === null || eventId < until) && (reversedBy === null || since === null || reversedBy > since),
    );
    const sale = contentAfter(corrected, { ...history, refunds: active });
    const current = shareAfter(corrected, share);
    const worthAfter = (count: number) =>
      worthOf({ ...sale, refunds: sale.refunds.slice(0, count) }, current, counting);
    let standing = active.filter(({ eventId }) => since !== null && eventId < since).length;
    let worth = worthAfter(standing);
    const last = found.at(-1);
    if (worth === 0n) {
      if (since !== null && before > 0n) found.push({ by: since, restoredBy: null, amount: before });
      before = NOTHING;
      continue;
    }
    if (since !== null && last?.restoredBy === null) found[found.length - 1] = { ...last, restoredBy: since };
    let gone = active.length + 1;
    while (gone - standing > 1) {
      const middle = (standing + gone) >> 1;
      const left = worthAfter(middle);
      if (left > 0n) [standing, worth] = [middle, left];
      else gone = middle;
    }
    const refund = active[gone - 1];
    if (refund !== undefined) found.push({ by: refund.eventId, restoredBy: null, amount: worth });
    before = refund === undefined ? worth : NOTHING;
  }
  return found;
}

/** Returns the events at which a worth can rise: reversals and corrections, in their order. */
function turnsOf({ refunds, corrections }: RefundHistory): EventId[] {
  const events = [...refunds.map(({ reversedBy }) => reversedBy), ...corrections.map(({ correctedBy }) => correctedBy)];
  return [...new Set(events.filter((event) => event !== null))].sort((a, b) => a - b);
}

/** Returns a sale with its content after this many corrections, and with the pieces that its refunds returned of it. */
function contentAfter(corrections: number, history: RefundHistory): RefundedSale {
  const replaced = history.corrections[corrections];
  if (replaced === undefined) return history;
  const { total, lines, pieces } = replaced;
  return {
    total,
    lines,
    refunds: history.refunds.map((refund) => ({ ...refund, pieces: pieces.get(refund.eventId) ?? [] })),
  };
}

const NOTHING = 0n as Minor;

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((before, amount) => before + amount, 0n);
}

function atLeastNothing(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
