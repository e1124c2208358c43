import type { Minor } from './money.ts';
import { givenBack, isAllGone, linesOf, piecesLeft, type Pieces, type Refund, type RefundedSale } from './refund.ts';

/** What a named refund asks for: all that is left, an amount, or pieces by the external ids of their lines. */
export type RefundRequest =
  | { readonly kind: 'full' }
  | { readonly kind: 'amount'; readonly amount: Minor }
  | { readonly kind: 'items'; readonly items: readonly RefundItem[] };

export type RefundItem = { readonly externalId: string; readonly quantity: number };

/** A refund that is known by its id; the hash of its content tells a repeat from a conflict. */
export type NamedRefund = Refund & { readonly refundId: string; readonly contentHash: string };

export type RefundableSale = Omit<RefundedSale, 'refunds'> & { readonly refunds: readonly NamedRefund[] };

export type RefundJudgment =
  | { readonly kind: 'recorded'; readonly refund: NamedRefund; readonly sale: RefundableSale }
  /** The same refund again, or a full one of what is refunded in full: nothing changes. */
  | { readonly kind: 'repeated' }
  | { readonly kind: 'conflict' }
  /** Items by their index: no line of the sale has their external id. */
  | { readonly kind: 'unknown-items'; readonly items: readonly number[] }
  /** More than the sale has `left` to give back. */
  | { readonly kind: 'exceeds'; readonly left: Minor }
  /** More pieces than are left: the items that go too far, and how many each could take after those before it. */
  | { readonly kind: 'items-exceed'; readonly items: readonly { readonly item: number; readonly left: number }[] };

/**
 * Judges a refund of a sale by those before it. `sale` of the answer is the one that the next refund is judged by; it is
 * refunded in full once its total or all of its lines are gone. The checks come in this order: a refundId that is known,
 * a sale that is refunded in full, then what is left.
 */
export function judgeRefund(
  sale: RefundableSale,
  request: RefundRequest,
  name: Pick<NamedRefund, 'refundId' | 'contentHash'>,
): RefundJudgment {
  const known = sale.refunds.find(({ refundId }) => refundId === name.refundId);
  if (known !== undefined) return { kind: known.contentHash === name.contentHash ? 'repeated' : 'conflict' };
  if (sale.isRefunded) return request.kind === 'full' ? { kind: 'repeated' } : { kind: 'exceeds', left: 0n as Minor };

  const left = (sale.total - givenBack(sale.total, sale.refunds)) as Minor;
  if (request.kind === 'full') return record(sale, { ...name, kind: 'full', amount: left, pieces: [] });
  if (request.kind === 'amount') {
    if (request.amount > left) return { kind: 'exceeds', left };
    return record(sale, { ...name, kind: 'amount', amount: request.amount, pieces: [] });
  }
  const taken = takeItems(sale, request.items);
  if (taken.kind !== 'taken') return taken;
  return record(sale, { ...name, kind: 'items', amount: amountOf(sale, taken.pieces), pieces: taken.pieces });
}

/** The request as text that is the same for the same content: items count by their external ids, in any order. */
export function contentOf(request: RefundRequest): string {
  if (request.kind === 'full') return JSON.stringify(['full']);
  if (request.kind === 'amount') return JSON.stringify(['amount', String(request.amount)]);
  return JSON.stringify(['items', ...[...merged(request.items)].sort(([a], [b]) => (a < b ? -1 : 1))]);
}

function record(sale: RefundableSale, refund: NamedRefund): RefundJudgment {
  const after = { ...sale, refunds: [...sale.refunds, refund] };
  return { kind: 'recorded', refund, sale: { ...after, isRefunded: isAllGone(after) } };
}

/** Pieces of the lines that items name, the first line first. */
function takeItems(
  { lines, refunds }: RefundableSale,
  items: readonly RefundItem[],
): { readonly kind: 'taken'; readonly pieces: readonly Pieces[] } | Exclude<RefundJudgment, { kind: 'recorded' }> {
  const shelf = piecesLeft(lines, refunds).map((left) => ({ ...left, taken: 0 }));
  const byExternalId = Map.groupBy(shelf, (line) => line.externalId);
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
      const takes = Math.min(wanted, line.quantity - line.taken);
      line.taken += takes;
      wanted -= takes;
    }
    if (wanted > 0) tooFar.push({ item, left: quantity - wanted });
  }
  if (unknown.length > 0) return { kind: 'unknown-items', items: unknown };
  if (tooFar.length > 0) return { kind: 'items-exceed', items: tooFar };
  const pieces = shelf.map(({ position, taken }) => ({ position, quantity: taken }));
  return { kind: 'taken', pieces: pieces.filter(({ quantity }) => quantity > 0) };
}

/** What pieces cost. A discount that goes back by itself gives nothing: it would let the sum of the refunds fall. */
function amountOf({ lines }: RefundableSale, pieces: readonly Pieces[]): Minor {
  const amount = linesOf(lines, pieces).reduce((sum, line) => sum + line.amount * BigInt(line.quantity), 0n);
  return (amount > 0n ? amount : 0n) as Minor;
}

function merged(items: readonly RefundItem[]): Map<string, number> {
  const quantities = new Map<string, number>();
  for (const { externalId, quantity } of items) {
    quantities.set(externalId, (quantities.get(externalId) ?? 0) + quantity);
  }
  return quantities;
}
