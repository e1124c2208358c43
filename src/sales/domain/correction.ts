import { type EventId, MAX_ID } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { Line } from '#programs/domain/line.ts';
import { isAllGone, type Pieces, type ReplacedContent, sumOfRefunds, withoutReversed } from './refund.ts';
import { type RecordedRefund, type RefundableSale, refundedAmountOf, takeItems } from './refund-report.ts';

/** The maximum number of corrections of a sale, because each stores the content that it replaces. */
export const MAX_CORRECTIONS = 100;

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
      /** Whether the sale was refunded in full until now. */
      readonly endsFullRefund: boolean;
      readonly sale: RefundableSale;
    }
  /** The correction is known. Nothing changes. */
  | { readonly kind: 'repeated' }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'too-many-corrections' }
  /** The refunds of the sale don't fit the new lines, or would leave nothing of the new total. */
  | { readonly kind: 'refunds-exceed' };

/**
 * Judges a correction of a sale. Returned pieces are taken from the new lines with the same external ids, in the order
 * of the refunds. The returned `sale` is the input for judging the next correction.
 */
export function judgeCorrection(sale: RefundableSale, correction: Correction): CorrectionJudgment {
  const { correctionId, contentHash, total, lines } = correction;
  const known = sale.corrections.find((each) => each.correctionId === correctionId);
  if (known !== undefined) return { kind: known.contentHash === contentHash ? 'repeated' : 'conflict' };
  if (sale.corrections.length >= MAX_CORRECTIONS) return { kind: 'too-many-corrections' };
  const refunds = takeAgain(sale, lines);
  if (refunds === undefined) return { kind: 'refunds-exceed' };
  const pieces = new Map(sale.refunds.map((refund) => [refund.eventId, refund.pieces] as const));
  const replaced = { total: sale.total, lines: sale.lines, pieces };
  // Its event isn't known yet. It follows all others.
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
 * Returns the refunds with their pieces of the new lines, or undefined if a refund returned pieces that the new lines
 * don't have. A reversed refund has returned nothing.
 */
function takeAgain(sale: RefundableSale, lines: readonly Line[]): RecordedRefund[] | undefined {
  const taken: RecordedRefund[] = [];
  for (const refund of sale.refunds) {
    const items = refund.reversedBy === null ? itemsOf(refund.pieces, sale.lines) : [];
    const again = takeItems({ lines, refunds: taken }, items);
    if (again.kind !== 'taken') return undefined;
    taken.push({ ...refund, pieces: again.pieces });
  }
  return taken;
}

function itemsOf(pieces: readonly Pieces[], lines: readonly Line[]) {
  return pieces.map(({ position, quantity }) => ({ externalId: lines[position - 1]?.externalId ?? '', quantity }));
}
