import { type Candidate, unitOf, weighUp } from './decision.ts';
import type { Credit } from './facts.ts';
import type { Reception } from './oracle.ts';
import { known, type World } from './world.ts';

/* The oracle's rules for manual credits. */

/** Returns the only candidate of a manual credit. The time of the credit counts as its first and last touch. */
export function creditCandidate(world: World, { program, collaborator }: Credit): Candidate {
  const { moment } = world;
  return {
    program: known(world.programs, program),
    collaborator,
    isComplete: false,
    weight: 1n,
    score: 0,
    first: moment,
    last: moment,
  };
}

/**
 * Returns whether the service must accept or refuse a manual credit, or may do either (`open`).
 *
 * A credit is refused if the collaborator already earns from the transaction and program, or if a bank can't pay its
 * amount. It is also refused if the transaction's manual credits together would exceed its total, unless `aboveTotal`
 * is set. A credit without an amount is also refused if the program pays nothing. Otherwise, it must be accepted if the
 * program pays the collaborator, the transaction is not refunded, and the collaborator has no rejected conversion for
 * the transaction and program.
 */
export function foreseeCredit(world: World, fact: Credit): Reception {
  const transaction = known(world.transactions, fact.transaction);
  const earlier = world.conversions.filter(
    (one) => one.transaction === transaction && one.program === fact.program && one.collaborator === fact.collaborator,
  );
  if (earlier.some(({ status }) => status !== 'rejected')) return 'refused';
  if (fact.amount !== undefined && BigInt(fact.amount) % unitOf(transaction.currency) !== 0n) return 'refused';
  const [paid] = weighUp(world, transaction, [creditCandidate(world, fact)]).awards;
  const isPaid = paid !== undefined;
  if (fact.amount === undefined && !isPaid) return 'refused';
  const credits = world.conversions.filter(
    (one) => one.transaction === transaction && one.type === 'manual' && one.status !== 'rejected',
  );
  const all = credits.reduce((sum, one) => sum + one.awarded, 0n) + BigInt(fact.amount ?? paid?.amount ?? 0n);
  if (all > transaction.total && fact.aboveTotal === undefined) return 'refused';
  return isPaid && transaction.status === 'complete' && earlier.length === 0 ? 'taken' : 'open';
}
