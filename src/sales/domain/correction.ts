import { type EventId, MAX_ID } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { Line } from '#programs/domain/line.ts';
import { isAllGone, type Pieces, type ReplacedContent, sumOfRefunds, withoutReversed } from './refund.ts';
import { itemTaker, type RecordedRefund, type RefundableSale, refundedAmountOf } from './refund-report.ts';

/** The maximum number of corrections of a sale. */
export const MAX_CORRECTIONS = 100;
/**
 * The maximum number of lines and returned pieces that all corrections of a sale together can replace. Corrections
 * store them, and each later refund or correction of the sale reads them.
 */
export const MAX_REPLACED_LINES = 10_000;

/** A correction as reported: the new total and all lines. The hash distinguishes a repeat from a conflict. */
export type Correction = {
  readonly correctionId: string;
  readonly contentHash: string;
  readonly total: Minor;
  readonly lines: readonly Line[];
};

export type CorrectionJudgment =
  | {
      readonly kind: 'recorded';
      readonly replaced: Omit<ReplacedContent, 'correctedBy'>;
      /** The change of the sale's refunded amount. */
      readonly refunded: Minor;
      /** Whether the sale was refunded in full before the correction, and no longer is. */
      readonly endsFullRefund: boolean;
      readonly sale: RefundableSale;
    }
  /** The correction was already recorded. Nothing changes. */
  | { readonly kind: 'repeated' }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'too-many-corrections' }
  /**
   * The refunds exceed the new lines. Or the sale was not refunded in full, and the refunds exceed the new total or
   * would refund the corrected sale in full.
   */
  | { readonly kind: 'refunds-exceed' };

/**
 * Judges a correction of a sale. Returned pieces are assigned to the new lines with the same external ids, in the order
 * of the refunds. The returned `sale` is the input for judging the next correction.
 */
export function judgeCorrection(sale: RefundableSale, correction: Correction): CorrectionJudgment {
  const { correctionId, contentHash, total, lines } = correction;
  const known = sale.corrections.find((each) => each.correctionId === correctionId);
  if (known !== undefined) return { kind: known.contentHash === contentHash ? 'repeated' : 'conflict' };
  if (sale.corrections.length >= MAX_CORRECTIONS || countReplacedLines(sale) > MAX_REPLACED_LINES) {
    return { kind: 'too-many-corrections' };
  }
  const refunds = matchReturns(sale, lines);
  if (refunds === undefined) return { kind: 'refunds-exceed' };
  const pieces = new Map(sale.refunds.map((refund) => [refund.eventId, refund.pieces] as const));
  const replaced = { total: sale.total, lines: sale.lines, pieces };
  // The correction has no event id yet. MAX_ID places it after all other events.
  const recorded = { ...replaced, correctionId, contentHash, correctedBy: MAX_ID as EventId };
  const after = { ...sale, total, lines, refunds, corrections: [...sale.corrections, recorded] };
  const wasGone = isAllGone(withoutReversed(sale));
  const isGone = isAllGone(withoutReversed(after));
  if (!wasGone && (isGone || sumOfRefunds(withoutReversed(after)) > total)) return { kind: 'refunds-exceed' };
  return {
    kind: 'recorded',
    replaced,
    refunded: (refundedAmountOf(after) - refundedAmountOf(sale)) as Minor,
    endsFullRefund: wasGone && !isGone,
    sale: after,
  };
}

/**
 * Returns the number of lines and returned pieces that all corrections would have replaced after one more correction.
 */
function countReplacedLines({ lines, refunds, corrections }: RefundableSale): number {
  const before = corrections.map((each) => each.lines.length + [...each.pieces.values()].flat().length);
  const now = lines.length + refunds.flatMap(({ pieces }) => pieces).length;
  return before.reduce((sum, count) => sum + count, now);
}

/**
 * Assigns the returned pieces of each refund to the new lines. Returns undefined if the new lines lack a returned
 * piece. Reversed refunds have no returned pieces.
 */
function matchReturns(sale: RefundableSale, lines: readonly Line[]): RecordedRefund[] | undefined {
  const taken: RecordedRefund[] = [];
  const takeAgain = itemTaker(lines, []);
  for (const refund of sale.refunds) {
    const items = refund.reversedBy === null ? itemsOf(refund.pieces, sale.lines) : [];
    // Most refunds have no returned pieces. Skip them, because an order can have 1,000 lines.
    if (items.length === 0) {
      taken.push({ ...refund, pieces: [] });
      continue;
    }
    const again = takeAgain(items);
    if (again.kind !== 'taken') return undefined;
    taken.push({ ...refund, pieces: again.pieces });
  }
  return taken;
}

function itemsOf(pieces: readonly Pieces[], lines: readonly Line[]) {
  return pieces.map(({ position, quantity }) => ({ externalId: lines[position - 1]?.externalId ?? '', quantity }));
}
