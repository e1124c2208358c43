import { type GivenAmount, hundredthsOf } from '#core/given-amount.ts';
import { type EventId, MAX_ID } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import {
  givenBack,
  isAllGone,
  piecesLeft,
  type Pieces,
  type PlacedRefund,
  type Refund,
  type RefundHistory,
  type ReplacedContent,
  returnsOf,
  withoutReversed,
} from './refund.ts';
import type { LineRules } from './worth.ts';
import { baseOf } from '#programs/domain/reward.ts';
import type { Line } from '#programs/domain/line.ts';

/** The maximum number of refunds of one sale. A further refund with a refundId is refused. Reversed refunds count. */
export const MAX_REFUNDS = 250;
/**
 * The maximum number of lines that the refunds of a sale can name together. A line counts each time that it is named.
 */
export const MAX_RETURNED_LINES = 2_000;

/**
 * The content of a refund with a refundId: the full remaining amount, an amount, or pieces of lines that are named by
 * their external ids.
 */
export type RefundRequest = Asked<Minor>;

/** A refund as reported. Amounts in the smallest unit are converted with the currency of the sale. */
export type GivenRefund = Asked<GivenAmount>;

type Asked<Amount> =
  | { readonly kind: 'full' }
  | {
      readonly kind: 'amount';
      readonly amount: Amount;
      /**
       * Whether to refund the remaining amount if it is lower than the requested amount. The requested amount is
       * recorded.
       */
      readonly isUpTo: boolean;
    }
  | { readonly kind: 'items'; readonly items: readonly RefundItem[] };

export function refundRequest(given: GivenRefund, { currency }: Pick<RefundableSale, 'currency'>): RefundRequest {
  return given.kind === 'amount' ? { ...given, amount: hundredthsOf(given.amount, currency) } : given;
}

export type RefundItem = { readonly externalId: string; readonly quantity: number };

/** A refund that is identified by its refundId. The hash of its content distinguishes a repeat from a conflict. */
export type NamedRefund = Refund & { readonly refundId: string; readonly contentHash: string };

/** A recorded refund. `refundId` and `contentHash` are null for a full refund that was reported without a refundId. */
export type RecordedRefund = PlacedRefund & {
  readonly refundId: string | null;
  readonly contentHash: string | null;
};

/** A recorded correction. The hash of its content distinguishes a repeat from a conflict. */
export type RecordedCorrection = ReplacedContent & { readonly correctionId: string; readonly contentHash: string };

export type RefundableSale = Omit<RefundHistory, 'refunds' | 'corrections'> & {
  readonly currency: string;
  readonly refunds: readonly RecordedRefund[];
  readonly corrections: readonly RecordedCorrection[];
  /**
   * The line rules of the programs that can pay for the sale. Needed only to judge a refund of items if a line of the
   * sale is negative. Otherwise, it can be empty.
   */
  readonly countings: readonly LineRules[];
};

export type RefundJudgment =
  | {
      readonly kind: 'recorded';
      /**
       * `refunded` is the change of the sale's refunded amount. `foundNothing` means that the sale was already refunded
       * in full.
       */
      readonly refund: NamedRefund & { readonly refunded: Minor; readonly foundNothing: boolean };
      readonly sale: RefundableSale;
    }
  /** A repeat, or a refund of an amount with `isUpTo` on a sale with a total of 0. Nothing changes. */
  | { readonly kind: 'repeated' }
  | { readonly kind: 'conflict' }
  /** The sale has MAX_REFUNDS refunds, or the items of its refunds would be on more than MAX_RETURNED_LINES lines. */
  | { readonly kind: 'too-many-refunds' }
  /** The amount is less than half a hundredth of the major unit. */
  | { readonly kind: 'rounds-to-zero' }
  /** `items` contains the indexes of items whose external id is on no line of the sale. */
  | { readonly kind: 'unknown-items'; readonly items: readonly number[] }
  /** The refund exceeds `left`, the amount that can still be refunded. */
  | { readonly kind: 'exceeds'; readonly left: Minor }
  /** The returned lines, or the returned lines that a program counts, add up to less than 0. */
  | { readonly kind: 'below-zero' }
  /**
   * More pieces are returned than are left. `items` lists the excessive items, with the number of pieces that are left
   * for each after the earlier items.
   */
  | { readonly kind: 'items-exceed'; readonly items: readonly { readonly item: number; readonly left: number }[] };

/**
 * Judges a refund of a sale, given the earlier refunds. The returned `sale` is the input for judging the next refund.
 * The id of a reversed refund stays in use.
 *
 * The checks have this order: a known refundId, the number of refunds, a fully refunded sale, and finally the remaining
 * amount or pieces. Full refunds and refunds with `isUpTo` skip the last two checks.
 *
 * The result must be independent of the order of the refunds, and of the split of pieces over refunds. A discount
 * returned before its lines would have no effect, so it is refused.
 */
export function judgeRefund(
  sale: RefundableSale,
  request: RefundRequest,
  name: Pick<NamedRefund, 'refundId' | 'contentHash'>,
): RefundJudgment {
  const known = sale.refunds.find(({ refundId }) => refundId === name.refundId);
  if (known !== undefined) return { kind: known.contentHash === name.contentHash ? 'repeated' : 'conflict' };
  if (sale.refunds.length >= MAX_REFUNDS) return { kind: 'too-many-refunds' };
  const standing = withoutReversed(sale);
  const isRefunded = isAllGone(standing);
  const left = isRefunded ? NOTHING : ((sale.total - givenBack(standing)) as Minor);
  // Full refunds and refunds with `isUpTo` are recorded even if nothing is left, because an earlier refund may be
  // reversed.
  if (request.kind === 'full') return record(sale, { ...name, kind: 'full', amount: left, pieces: [] });
  if (request.kind === 'amount' && request.isUpTo) {
    if (sale.total === 0n) return { kind: 'repeated' };
    if (request.amount === 0n) return { kind: 'rounds-to-zero' };
    return record(sale, { ...name, kind: 'amount', amount: request.amount, pieces: [] });
  }
  if (isRefunded) return { kind: 'exceeds', left };
  if (request.kind === 'amount') {
    if (request.amount === 0n) return { kind: 'rounds-to-zero' };
    if (request.amount > left) return { kind: 'exceeds', left };
    return record(sale, { ...name, kind: 'amount', amount: request.amount, pieces: [] });
  }
  const taken = itemTaker(standing.lines, standing.refunds)(request.items);
  if (taken.kind !== 'taken') return taken;
  const before = sale.refunds.reduce((count, { pieces }) => count + pieces.length, 0);
  if (before + taken.pieces.length > MAX_RETURNED_LINES) return { kind: 'too-many-refunds' };
  const returned = returnedBy(standing, taken.pieces);
  if (isBelowZero(returned, sale.countings)) return { kind: 'below-zero' };
  return record(sale, { ...name, kind: 'items', amount: totalOf(returned), pieces: taken.pieces });
}

const NOTHING = 0n as Minor;

/**
 * Returns a text that is the same for requests with the same content. The order of the items doesn't matter.
 */
export function contentOf(request: RefundRequest): string {
  if (request.kind === 'full') return JSON.stringify(['full']);
  if (request.kind === 'amount') {
    return JSON.stringify(['amount', String(request.amount), ...(request.isUpTo ? ['up to'] : [])]);
  }
  return JSON.stringify(['items', ...[...sumQuantities(request.items)].sort(([a], [b]) => (a < b ? -1 : 1))]);
}

function record(sale: RefundableSale, refund: NamedRefund): RefundJudgment {
  // The refund has no event id yet. MAX_ID places it after all other events.
  const after = { ...sale, refunds: [...sale.refunds, { ...refund, eventId: MAX_ID as EventId, reversedBy: null }] };
  const refunded = (refundedAmountOf(after) - refundedAmountOf(sale)) as Minor;
  const foundNothing = isAllGone(withoutReversed(sale));
  return { kind: 'recorded', refund: { ...refund, refunded, foundNothing }, sale: after };
}

export type ReversalJudgment =
  | {
      readonly kind: 'recorded';
      /** The change of the sale's refunded amount, 0 or less. */
      readonly refunded: Minor;
      /** Whether the sale was refunded in full before the reversal, and no longer is. */
      readonly endsFullRefund: boolean;
      readonly sale: RefundableSale;
    }
  /** The refund was reversed before. Nothing changes. */
  | { readonly kind: 'repeated' }
  | { readonly kind: 'unknown-refund' };

/** Judges the reversal of a refund. The returned `sale` is the input for judging the next reversal. */
export function judgeReversal(sale: RefundableSale, refundId: string): ReversalJudgment {
  const reversed = sale.refunds.find((refund) => refund.refundId === refundId);
  if (reversed === undefined) return { kind: 'unknown-refund' };
  if (reversed.reversedBy !== null) return { kind: 'repeated' };
  const refunds = sale.refunds.map((each) => (each === reversed ? { ...each, reversedBy: MAX_ID as EventId } : each));
  const after = { ...sale, refunds };
  return {
    kind: 'recorded',
    refunded: (refundedAmountOf(after) - refundedAmountOf(sale)) as Minor,
    endsFullRefund: isAllGone(withoutReversed(sale)) && !isAllGone(withoutReversed(after)),
    sale: after,
  };
}

/** Returns the refunded amount of a sale. If nothing of the sale is left, the refunded amount is the total. */
export function refundedAmountOf(history: RefundHistory): Minor {
  const sale = withoutReversed(history);
  return isAllGone(sale) ? sale.total : givenBack(sale);
}

type TakenItems =
  | { readonly kind: 'taken'; readonly pieces: readonly Pieces[] }
  | Extract<RefundJudgment, { kind: 'unknown-items' | 'items-exceed' }>;

/**
 * Returns a function that takes pieces from the lines with the items' external ids, starting with the first line. Each
 * call leaves fewer pieces for the next call.
 */
export function itemTaker(
  lines: readonly Line[],
  refunds: readonly Refund[],
): (items: readonly RefundItem[]) => TakenItems {
  const shelf = piecesLeft(lines, refunds).map((line) => ({ ...line, left: line.quantity }));
  const byExternalId = Map.groupBy(shelf, (line) => line.externalId);
  return (items) => {
    const taken = new Map<number, number>();
    const unknown: number[] = [];
    const tooFar: { item: number; left: number }[] = [];
    for (const [item, { externalId, quantity }] of items.entries()) {
      const named = byExternalId.get(externalId);
      if (named === undefined) {
        unknown.push(item);
        continue;
      }
      let wanted = quantity;
      for (const line of named) {
        const takes = Math.min(wanted, line.left);
        if (takes > 0) taken.set(line.position, (taken.get(line.position) ?? 0) + takes);
        line.left -= takes;
        wanted -= takes;
      }
      if (wanted > 0) tooFar.push({ item, left: quantity - wanted });
    }
    if (unknown.length > 0) return { kind: 'unknown-items', items: unknown };
    if (tooFar.length > 0) return { kind: 'items-exceed', items: tooFar };
    const pieces = [...taken].map(([position, quantity]) => ({ position, quantity }));
    return { kind: 'taken', pieces: pieces.toSorted((a, b) => a.position - b.position) };
  };
}

function returnedBy({ lines, refunds }: RefundableSale, pieces: readonly Pieces[]): Line[] {
  return returnsOf(lines, [...refunds, { pieces }])
    .slice(refunds.length)
    .flat();
}

function isBelowZero(returned: readonly Line[], countings: readonly LineRules[]): boolean {
  const counts = countings.map(({ countedLines, lineFilter }) => baseOf(returned, countedLines, lineFilter).amount);
  return [totalOf(returned), ...counts].some((amount) => amount < 0n);
}

function totalOf(lines: readonly Line[]): Minor {
  return lines.reduce((sum, { total }) => sum + total, 0n) as Minor;
}

function sumQuantities(items: readonly RefundItem[]): Map<string, number> {
  const quantities = new Map<string, number>();
  for (const { externalId, quantity } of items) {
    quantities.set(externalId, (quantities.get(externalId) ?? 0) + quantity);
  }
  return quantities;
}
