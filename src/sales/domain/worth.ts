import type { EventId } from '#core/ids.ts';
import { type Minor, roundToUnit } from '#core/money.ts';
import type { Line } from '#programs/domain/line.ts';
import type { ProgramTerms } from '#programs/domain/program.ts';
import { countedBy } from '#programs/domain/reward.ts';
import { type PlacedRefund, type Refund, type RefundedSale, type RefundHistory, ReturnedPieces } from './refund.ts';

/**
 * The share of a sale that was awarded to a collaborator: the originally awarded amount, and whether the reward was
 * per piece. Its worth is always a multiple of `unit`. `corrected` has the awarded amount after each correction of the
 * sale. It is empty if no correction changes the amount, as for manual credits.
 */
export type Share = {
  readonly awarded: Minor;
  readonly byQuantity: boolean;
  readonly unit: bigint;
  readonly corrected: readonly Minor[];
};

/** The rules for the lines that a program version counts. */
export type LineRules = Pick<ProgramTerms, 'countedLines' | 'lineFilter'>;

/**
 * The part of a sale's base that remains after refunds: `left ÷ sold`. `isGone` means that nothing of the sale is left.
 */
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
  /** The remainder at the end of the period. */
  readonly end: Remainder;
  /**
   * Returns the remainder of the sale after each refund of the period. The steps are needed only for a share that is
   * worth 0 at the end.
   */
  readonly steps: () => Steps;
};

type Steps = {
  /** The refunds that count in the period, in order. */
  readonly refunds: readonly EventId[];
  /** The number of refunds at the start of `refunds` that are older than the period. */
  readonly standing: number;
  /** The remainders after the first 0, 1, 2 … of `refunds`. */
  readonly remainders: readonly Remainder[];
};

/** A span of time in which refunds or corrections reduced the worth of a share to 0. */
export type Rejection = {
  /** The refund or correction that reduced the worth to 0. */
  readonly by: EventId;
  /** The reversal or correction that raised the worth again, or null if it is still 0. */
  readonly restoredBy: EventId | null;
  /** The last worth above 0. */
  readonly amount: Minor;
};

/**
 * Returns the worth of a share of a sale after refunds: awarded × base left ÷ base sold, rounded half up to the share's
 * unit, once. Base left is base sold minus the returned pieces and the refunded part of the total, and never below 0.
 * The worth is 0 once nothing of the sale is left.
 *
 * For a reward per piece, both bases are numbers of pieces. Each computation starts with the awarded amount, so the
 * result doesn't depend on the number or order of refunds.
 *
 * Returned lines that add up to less than 0 leave the base unchanged. Otherwise, they would raise the share.
 * `judgeRefund` refuses such refunds, but they still occur: earlier releases recorded them, and a program that is
 * credited manually after the refund can count other lines.
 */
export function worthOf(sale: RefundedSale, share: Share, counting: LineRules): Minor {
  const tally = new Tally(sale, basisOf(sale.lines, counting, share.byQuantity));
  for (const refund of sale.refunds) tally.add(refund);
  return worthAt(tally.remainder(), share);
}

function worthAt({ isGone, left, sold }: Remainder, share: Share): Minor {
  if (isGone) return NOTHING;
  // A share without a base, such as the share of a lead, is owed in full until the transaction is refunded in full.
  return sold <= 0n ? share.awarded : roundToUnit(share.awarded * left, sold, share.unit);
}

const NOTHING = 0n as Minor;

/** The base of a sale's lines, for programs that count the same lines: amounts, or pieces for a reward per piece. */
type Basis = {
  readonly sold: bigint;
  /** Returns the part of the base of pieces of a line, or of the whole line. */
  readonly baseIn: (position: number, total: bigint, quantity: number) => bigint;
};

function basisOf(lines: readonly Line[], { countedLines, lineFilter }: LineRules, byQuantity: boolean): Basis {
  const isCounted = countedBy(countedLines, lineFilter);
  const counts = lines.map((line) => isCounted(line) && !(byQuantity && line.type === 'discount'));
  const baseIn: Basis['baseIn'] = (position, total, quantity) => {
    if (counts[position - 1] !== true) return 0n;
    return byQuantity ? BigInt(quantity) : total;
  };
  return { sold: sum(lines.map(({ total, quantity }, index) => baseIn(index + 1, total, quantity))), baseIn };
}

type Content = Omit<RefundedSale, 'refunds'>;

/**
 * Adds up the refunds of a sale. The time to add or remove a refund depends only on the number of its pieces. The sums
 * don't depend on the order of the refunds.
 */
class Tally {
  readonly #total: bigint;
  readonly #basis: Basis;
  readonly #returned: ReturnedPieces;
  #fullRefunds = 0;
  /** The base of the returned pieces. */
  #base = 0n;
  /** The sum of the refunds of an amount. */
  #amounts = 0n;
  /** The sum of all refunded amounts and the values of all returned pieces. */
  #refunded = 0n;

  constructor({ total, lines }: Content, basis: Basis) {
    this.#total = total;
    this.#basis = basis;
    this.#returned = new ReturnedPieces(lines);
  }

  add(refund: Refund): void {
    this.#count(refund, 1);
  }

  remove(refund: Refund): void {
    this.#count(refund, -1);
  }

  #count({ kind, amount, pieces }: Refund, sign: 1 | -1): void {
    if (kind === 'full') this.#fullRefunds += sign;
    if (kind === 'amount') this.#amounts += BigInt(sign) * amount;
    if (kind !== 'items') this.#refunded += BigInt(sign) * amount;
    for (const { position, quantity } of pieces) {
      const value = this.#returned.change(position, sign * quantity);
      this.#base += this.#basis.baseIn(position, value, sign * quantity);
      this.#refunded += value;
    }
  }

  remainder(): Remainder {
    const { sold } = this.#basis;
    const hasMoney = this.#total > 0n || this.#amounts > 0n;
    const isTotalRefunded = hasMoney && this.#refunded >= this.#total;
    // `left` and `sold` are both multiplied by the total, so that only the final division rounds.
    const whole = this.#total > 0n ? this.#total : 1n;
    return {
      isGone: this.#fullRefunds > 0 || isTotalRefunded || this.#returned.isEverything(),
      left: atLeastNothing((sold - atLeastNothing(this.#base)) * whole - sold * this.#amounts),
      sold: sold * whole,
    };
  }
}

type PlacedContent = Content & { readonly refunds: readonly PlacedRefund[] };

/**
 * Returns the periods of a sale, in order. They apply to the shares of all programs with the line rules `counting`.
 * `byQuantity` means that the reward is per piece.
 */
export function periodsOf(history: RefundHistory, counting: LineRules, byQuantity: boolean): Period[] {
  const turns = turnsOf(history);
  const corrections = new Set(history.corrections.map(({ correctedBy }) => correctedBy));
  let corrected = 0;
  let current = tallyContent(contentAfter(corrected, history), counting, byQuantity);
  return [null, ...turns].map((since, n): Period => {
    const until = turns[n] ?? null;
    const isActive = ({ eventId, reversedBy }: PlacedRefund) =>
      (until === null || eventId < until) && (reversedBy === null || since === null || reversedBy > since);
    const isCorrection = since !== null && corrections.has(since);
    if (isCorrection) {
      corrected += 1;
      current = tallyContent(contentAfter(corrected, history), counting, byQuantity);
    }
    const { content, basis, tally } = current;
    for (const refund of content.refunds) {
      const isNew = isCorrection || since === null || refund.eventId >= since;
      if (isNew && isActive(refund)) tally.add(refund);
      else if (!isNew && refund.reversedBy === since) tally.remove(refund);
    }
    let steps: Steps | undefined;
    return {
      since,
      corrections: corrected,
      end: tally.remainder(),
      steps: () => (steps ??= stepsOf(content, basis, since, content.refunds.filter(isActive))),
    };
  });
}

function tallyContent(content: PlacedContent, counting: LineRules, byQuantity: boolean) {
  const basis = basisOf(content.lines, counting, byQuantity);
  return { content, basis, tally: new Tally(content, basis) };
}

function stepsOf(content: Content, basis: Basis, since: EventId | null, refunds: readonly PlacedRefund[]): Steps {
  const tally = new Tally(content, basis);
  const remainders = [tally.remainder()];
  for (const refund of refunds) {
    tally.add(refund);
    remainders.push(tally.remainder());
  }
  return {
    refunds: refunds.map(({ eventId }) => eventId),
    standing: refunds.filter(({ eventId }) => since !== null && eventId < since).length,
    remainders,
  };
}

/** Returns the events at which a worth can rise: reversals and corrections, in their order. */
function turnsOf({ refunds, corrections }: RefundHistory): EventId[] {
  const events = [...refunds.map(({ reversedBy }) => reversedBy), ...corrections.map(({ correctedBy }) => correctedBy)];
  return [...new Set(events.filter((event) => event !== null))].sort((a, b) => a - b);
}

/**
 * Returns the sale with the total and the lines after the given number of corrections, and the returned pieces of its
 * lines.
 */
function contentAfter(corrections: number, history: RefundHistory): PlacedContent {
  const replaced = history.corrections[corrections];
  if (replaced === undefined) return history;
  const { total, lines, pieces } = replaced;
  return {
    total,
    lines,
    refunds: history.refunds.map((refund) => ({ ...refund, pieces: pieces.get(refund.eventId) ?? [] })),
  };
}

/** Returns the current worth of a share, after all corrections and the refunds that were not reversed. */
export function worthNow(periods: readonly Period[], share: Share): Minor {
  return periods.reduce((_, period) => worthAt(period.end, shareIn(period, share)), NOTHING);
}

function shareIn({ corrections }: Period, share: Share): Share {
  return { ...share, awarded: share.corrected[corrections - 1] ?? share.awarded };
}

/**
 * Returns the spans of time in which refunds or corrections reduced the worth of a share to 0, in order. Only the last
 * span can still be open.
 */
export function rejectionsOf(periods: readonly Period[], share: Share): Rejection[] {
  const found: Rejection[] = [];
  let before = NOTHING;
  for (const period of periods) {
    const { since } = period;
    const current = shareIn(period, share);
    const end = worthAt(period.end, current);
    const fall = end > 0n ? undefined : fallOf(period.steps(), current);
    const isNothing = end === 0n && fall === undefined;
    const last = found.at(-1);
    if (isNothing && since !== null && before > 0n) found.push({ by: since, restoredBy: null, amount: before });
    if (!isNothing && since !== null && last?.restoredBy === null) {
      found[found.length - 1] = { ...last, restoredBy: since };
    }
    if (fall !== undefined) found.push({ ...fall, restoredBy: null });
    before = end;
  }
  return found;
}

/**
 * Returns the refund of a period that reduced the worth to 0, and the worth before it. Returns undefined if the worth
 * was 0 from the start of the period.
 */
function fallOf({ refunds, standing, remainders }: Steps, share: Share): Pick<Rejection, 'by' | 'amount'> | undefined {
  const worths = remainders.slice(standing).map((each) => worthAt(each, share));
  const count = worths.indexOf(NOTHING);
  return count === 0 ? undefined : { by: refunds[standing + count - 1] as EventId, amount: worths[count - 1] as Minor };
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((before, amount) => before + amount, 0n);
}

function atLeastNothing(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
