import { divideCorrected } from './decision.ts';
import type { Correction } from './facts.ts';
import { contentOf } from './goods.ts';
import { applyRefunds, returnedIn } from './refunds.ts';
import { known, refundedOf, type RefundOnce, type Transaction, type World } from './world.ts';

/* The oracle's rules for corrections of sales and renewals. */

/**
 * Returns whether a correction is accepted. A new correction of a sale or renewal is accepted if the new content allows
 * the earlier refunds. A repeated correction is accepted if its content is the same.
 */
export function isCorrectable(transaction: Transaction, fact: Correction): boolean {
  if (transaction.kind === 'lead') return false;
  const earlier = transaction.corrections.get(fact.correctionId);
  if (earlier !== undefined) return earlier === textOf(fact);
  const corrected = contentAfter(transaction, fact);
  if (corrected === undefined) return false;
  if (transaction.status === 'refunded') return true;
  const { isFull, refundedAmount } = refundedOf(corrected);
  const given = refundedOf({ ...corrected, total: 10n ** 15n }).refundedAmount;
  return !isFull && given === refundedAmount;
}

/**
 * Replaces the content of a transaction, and calculates its awards from the new content, except manual credits.
 * Repeating the correction changes nothing.
 */
export function correct(world: World, fact: Correction): void {
  const transaction = known(world.transactions, fact.transaction);
  const corrected = contentAfter(transaction, fact);
  if (transaction.corrections.has(fact.correctionId) || corrected === undefined) return;
  transaction.corrections.set(fact.correctionId, textOf(fact));
  const { total, lines } = corrected;
  for (const [index, refund] of transaction.refunds.entries()) refund.pieces = corrected.refunds[index]!.pieces;
  Object.assign(transaction, { total, lines, states: [] });
  const shares = divideCorrected(transaction);
  for (const conversion of world.conversions) {
    if (conversion.transaction !== transaction || conversion.type === 'manual') continue;
    conversion.corrected = shares.get(`${conversion.program}/${conversion.collaborator}`)!;
  }
  applyRefunds(world, transaction);
}

/**
 * Returns the transaction with the new content, or undefined if a refund returned pieces that the new content does not
 * have.
 */
function contentAfter(transaction: Transaction, fact: Correction): Transaction | undefined {
  const content = contentOf(fact);
  const refunds: RefundOnce[] = [];
  for (const refund of transaction.refunds) {
    const items = transaction.lines.flatMap(({ externalId }, index) => {
      const quantity = refund.isReversed ? 0 : refund.pieces[index]!;
      return quantity === 0 ? [] : [{ externalId: externalId!, quantity }];
    });
    const before = refundedOf({ ...transaction, ...content, refunds }).quantities;
    const { quantities } = returnedIn({ ...transaction, ...content, refunds }, items);
    const pieces = quantities.map((quantity, index) => quantity - before[index]!);
    const wanted = items.reduce((all, { quantity }) => all + quantity, 0);
    if (pieces.reduce((all, quantity) => all + quantity, 0) !== wanted) return undefined;
    refunds.push({ ...refund, pieces });
  }
  return { ...transaction, ...content, refunds };
}

function textOf({ total, lines = [] }: Correction): string {
  return JSON.stringify([total, lines]);
}
