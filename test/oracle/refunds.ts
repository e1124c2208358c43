import type { Refund, RefundReversal } from './facts.ts';
import { countedLines } from './decision.ts';
import { minorOf } from './fraction.ts';
import { revise } from './money.ts';
import { reopenEngagements } from './visitors.ts';
import { known, refundedOf, returnedOf, type Transaction, type World } from './world.ts';

/* The oracle's rules for refunds and their reversals. */

/**
 * Returns the refunded quantity of each line after a refund of the given items. Also returns the worth of the items: in
 * all lines, and in the lines that each paying program counts.
 */
export function returnedIn(transaction: Transaction, named: Refund['items'] = []) {
  const { lines, paying } = transaction;
  const quantities = [...refundedOf(transaction).quantities];
  const worths = lines.map(() => 0n);
  for (const { externalId, quantity } of named) {
    // Pieces of the first matching line are returned first.
    let left = quantity;
    for (const [index, line] of lines.entries()) {
      if (line.externalId !== externalId) continue;
      const pieces = Math.min(left, line.quantity - quantities[index]!);
      worths[index]! -= returnedOf(line, quantities[index]!);
      quantities[index]! += pieces;
      worths[index]! += returnedOf(line, quantities[index]!);
      left -= pieces;
    }
  }
  const sumOf = (counts: readonly boolean[]) =>
    worths.reduce((sum, worth, index) => sum + (counts[index] ? worth : 0n), 0n);
  return {
    quantities,
    all: sumOf(lines.map(() => true)),
    counted: paying.map((terms) => sumOf(countedLines(transaction, terms))),
  };
}

/** Returns whether the refunded items are worth less than 0, in total or for a paying program. */
function isBelowZero(transaction: Transaction, items: Refund['items']): boolean {
  const { all, counted } = returnedIn(transaction, items);
  return [all, ...counted].some((worth) => worth < 0n);
}

/** Returns whether a refund must be refused. */
export function isTooMuch(transaction: Transaction, { refundId, amount, upTo, items }: Refund): boolean {
  const { status, total, refundedAmount, lines } = transaction;
  if (hasRefund(transaction, refundId)) return false;
  if (upTo) return false;
  if (amount !== undefined) return status === 'refunded' || minorOf(amount) > total - refundedAmount;
  const { quantities } = refundedOf(transaction);
  const named = items ?? [];
  const isOver = named.some(({ externalId }) => {
    const same = named.filter((item) => item.externalId === externalId);
    const wanted = same.reduce((sum, { quantity }) => sum + quantity, 0);
    const left = lines.map((line, index) => (line.externalId === externalId ? line.quantity - quantities[index]! : 0));
    return status === 'refunded' || wanted > left.reduce((a, b) => a + b, 0);
  });
  return isOver || isBelowZero(transaction, items);
}

export function hasRefund({ refunds }: Transaction, refundId: string | undefined): boolean {
  return refundId !== undefined && refunds.some((one) => one.refundId === refundId);
}

/** Applies a refund. Repeating a `refundId` changes nothing, even if the refund was reversed. */
export function refund(world: World, fact: Refund): void {
  const transaction = known(world.transactions, fact.transaction);
  const { refundId, amount, upTo, items } = fact;
  const wasFull = transaction.status === 'refunded';
  // A refund with an id is recorded even if nothing is left, because a reversal of another refund can make it count.
  if ((wasFull && refundId === undefined) || hasRefund(transaction, refundId)) return;
  if (upTo && transaction.total === 0n) return;
  const before = refundedOf(transaction).quantities;
  const { quantities } = returnedIn(transaction, items);
  const isOfAll = amount === undefined && items === undefined;
  transaction.refunds.push({
    ...(refundId === undefined ? {} : { refundId }),
    amount: amount === undefined ? 0n : minorOf(amount),
    pieces: quantities.map((quantity, index) => quantity - before[index]!),
    isOfAll,
    isReversed: false,
  });
  if (applyRefunds(world, transaction) && !wasFull) reopenEngagements(world, transaction.name);
}

/** Reverses a refund. Repeating the reversal changes nothing. Engagements that the refund reopened stay open. */
export function reverseRefund(world: World, { transaction: name, refundId }: RefundReversal): void {
  const transaction = known(world.transactions, name);
  const reversed = transaction.refunds.find((one) => one.refundId === refundId);
  if (reversed === undefined || reversed.isReversed) return;
  reversed.isReversed = true;
  applyRefunds(world, transaction);
}

/** Applies the refunds of a transaction that are not reversed. Returns whether the transaction is refunded in full. */
export function applyRefunds(world: World, transaction: Transaction): boolean {
  const { refundedAmount, ...refunded } = refundedOf(transaction);
  transaction.states.push(refunded);
  transaction.refundedAmount = refundedAmount;
  transaction.status = refunded.isFull ? 'refunded' : 'complete';
  revise(
    world,
    world.conversions.filter((one) => one.transaction === transaction),
    refunded,
  );
  return refunded.isFull;
}
