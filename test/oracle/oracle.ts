import { type Candidate, countedLines, decide, weighUp } from './decision.ts';
import type { Configuration, Credit, Fact, Lead, Refund, Renewal, Sale, Terms } from './facts.ts';
import { minorOf } from './fraction.ts';
import { type Held, holdsOf, NOT_HELD } from './holds.ts';
import { conversionOf, owe, pay, revise } from './money.ts';
import { completeEngagements, erase, opportunityOf, reopenEngagements, survivor, touch } from './visitors.ts';
import {
  type Conversion,
  DEFAULT_TERMS,
  emptyWorld,
  known,
  refundedOf,
  type Opportunity,
  type Transaction,
  type World,
} from './world.ts';

/*
 * What must be true, computed a second time and from the rules alone: it shares no code with the service. It is naive on
 * purpose: one fact after the other, everything in memory, loops instead of indexes, no number but integers and fractions
 * of them. Where the service and the oracle disagree, one of them misreads a rule.
 *
 * It has no clock and knows no windows: stories in which something expires are none of its.
 */

/** What becomes of a fact: `open` where the rules leave to the service whether it is taken. */
export type Reception = 'taken' | 'refused' | 'open';

/** A story in which nothing is refused; all of it happens at `soldAt`. */
export function tellAll(facts: readonly Fact[], soldAt = new Date()): World {
  const world = emptyWorld();
  for (const fact of facts) tell(world, fact, soldAt);
  return world;
}

/** Takes a fact that was not refused, in the order in which it was reported. `soldAt` counts for transactions. */
export function tell(world: World, fact: Fact, soldAt: Date): void {
  world.moment += 1;
  switch (fact.do) {
    case 'visit':
    case 'coupon':
    case 'custom':
      touch(world, fact);
      return;
    case 'sale':
      sell(world, fact, soldAt);
      return;
    case 'lead':
      lead(world, fact, soldAt);
      return;
    case 'renewal':
      renew(world, fact, soldAt);
      return;
    case 'refund':
      refund(world, fact);
      return;
    case 'credit':
      credit(world, fact);
      return;
    case 'approve':
    case 'reject':
    case 'release':
    case 'run':
    case 'process':
    case 'complete':
    case 'fail':
    case 'mark-paid':
    case 'mark-unpaid':
    case 'review':
      pay(world, fact);
      return;
    case 'erase':
      erase(world, fact);
      return;
    case 'program':
    case 'change-program':
    case 'delete-program':
    case 'group':
    case 'change-group':
    case 'delete-group':
    case 'collaborator':
    case 'change-collaborator':
    case 'enrol':
    case 'remove':
      configure(world, fact);
      return;
    default:
      fact satisfies never;
  }
}

/** Whether the service must take it; asked before it is told. */
export function foresee(world: World, fact: Fact): Reception {
  switch (fact.do) {
    case 'visit':
    case 'coupon':
      return known(world.collaborators, fact.collaborator).status === 'active' ? 'taken' : 'refused';
    case 'custom':
      return fact.collaborator === undefined || known(world.collaborators, fact.collaborator).status === 'active'
        ? 'taken'
        : 'refused';
    case 'refund':
      return isTooMuch(known(world.transactions, fact.transaction), fact) ? 'refused' : 'taken';
    case 'credit':
      return foreseeCredit(world, fact);
    case 'approve':
    case 'reject':
    case 'release':
      // Of many each is answered for itself.
      return fact.conversions.length > 1 || pay(structuredClone(world), fact) ? 'taken' : 'refused';
    case 'process':
    case 'complete':
    case 'fail':
    case 'mark-paid':
    case 'mark-unpaid':
    case 'review':
      // Refused ones change nothing, so they may be tried on a copy.
      return pay(structuredClone(world), fact) ? 'taken' : 'refused';
    case 'run':
      for (const key of fact.conversions ?? []) conversionOf(world, key);
      return 'taken';
    case 'erase':
    case 'sale':
    case 'lead':
    case 'renewal':
    case 'program':
    case 'change-program':
    case 'delete-program':
    case 'group':
    case 'change-group':
    case 'delete-group':
    case 'collaborator':
    case 'change-collaborator':
    case 'enrol':
    case 'remove':
      return 'taken';
    default:
      return fact satisfies never;
  }
}

function configure(world: World, fact: Configuration): void {
  switch (fact.do) {
    case 'program':
      checkNames(world, fact.terms);
      world.programs.set(fact.as, {
        name: fact.as,
        terms: { ...DEFAULT_TERMS, ...fact.terms },
        isDeleted: false,
        enrolled: new Set(),
      });
      return;
    case 'change-program': {
      checkNames(world, fact.change);
      const program = known(world.programs, fact.program);
      program.terms = { ...program.terms, ...fact.change };
      return;
    }
    case 'delete-program':
      known(world.programs, fact.program).isDeleted = true;
      return;
    case 'group':
      world.groups.set(fact.as, { rule: fact.rule, isDeleted: false });
      setMembers(world, fact.as, fact.programs);
      return;
    case 'change-group':
      if (fact.rule !== undefined) known(world.groups, fact.group).rule = fact.rule;
      if (fact.programs !== undefined) setMembers(world, fact.group, fact.programs);
      return;
    case 'delete-group':
      known(world.groups, fact.group).isDeleted = true;
      setMembers(world, fact.group, []);
      return;
    case 'collaborator':
      world.collaborators.set(fact.as, {
        name: fact.as,
        status: 'active',
        userId: fact.userId ?? null,
        userIds: fact.userId === undefined ? [] : [fact.userId],
        selves: [],
      });
      return;
    case 'change-collaborator': {
      const collaborator = known(world.collaborators, fact.collaborator);
      if (fact.status !== undefined) collaborator.status = fact.status;
      if (fact.userId !== undefined) collaborator.userId = fact.userId;
      if (fact.userId != null) collaborator.userIds.push(fact.userId);
      return;
    }
    case 'enrol':
      known(world.collaborators, fact.collaborator);
      known(world.programs, fact.program).enrolled.add(fact.collaborator);
      return;
    case 'remove':
      known(world.programs, fact.program).enrolled.delete(fact.collaborator);
      return;
    default:
      fact satisfies never;
  }
}

function checkNames(world: World, { group, collaboratorRewards = [] }: Partial<Terms>): void {
  for (const { collaborator } of collaboratorRewards) known(world.collaborators, collaborator);
  if (typeof group === 'string') known(world.groups, group);
}

function setMembers(world: World, group: string, members: readonly string[]): void {
  for (const name of members) known(world.programs, name);
  for (const program of world.programs.values()) {
    if (members.includes(program.name)) program.terms = { ...program.terms, group };
    else if (program.terms.group === group) program.terms = { ...program.terms, group: null };
  }
}

/** The same report again changes nothing. */
function sell(world: World, fact: Sale, soldAt: Date): void {
  if (world.transactions.has(fact.as)) return;
  for (const collaborator of fact.coupons ?? []) {
    const isActive = known(world.collaborators, collaborator).status === 'active';
    if (isActive) touch(world, { do: 'coupon', visit: fact.visit, collaborator });
  }
  const opportunity = opportunityOf(world, fact.visit);
  award(world, { ...blank(fact.as, opportunity, soldAt), kind: 'sale', ...goods(fact) });
  if (fact.refundAtOnce !== undefined) refund(world, fact.refundAtOnce);
}

function renew(world: World, fact: Renewal, soldAt: Date): void {
  if (world.transactions.has(fact.as)) return;
  const renews = known(world.transactions, fact.renews);
  const earlier = [...world.transactions.values()].filter((one) => one.renews === renews).length;
  award(world, {
    ...blank(fact.as, survivor(renews.opportunity), soldAt),
    kind: 'renewal',
    renews,
    renewalNumber: earlier + 1,
    ...goods(fact),
  });
}

/** A transaction with a total of 0 and nothing sold. One that isn't named goes by the number that was presented first. */
function lead(world: World, fact: Lead, soldAt: Date): void {
  const presented = known(world.ledTo, fact.visit);
  const earlier = fact.isNamed ? world.transactions.get(fact.as) : leadOf(world, presented);
  if (earlier !== undefined) {
    world.transactions.set(fact.as, earlier);
    return;
  }
  const transaction = { ...blank(fact.as, survivor(presented), soldAt), kind: 'lead' as const };
  if (!fact.isNamed) world.leads.set(presented, transaction);
  award(world, transaction);
}

/** A visitor is one lead, by whichever of the numbers that are one by now. */
function leadOf(world: World, presented: Opportunity): Transaction | undefined {
  const ofMember = [...world.leads].find(([one]) => survivor(one) === survivor(presented));
  return world.leads.get(presented) ?? ofMember?.[1];
}

function blank(name: string, opportunity: Opportunity, soldAt: Date): Omit<Transaction, 'kind'> {
  return {
    name,
    opportunity,
    buyer: opportunity.userId,
    // ISO 4217: no currency.
    currency: 'XXX',
    total: 0n,
    lines: [],
    soldAt,
    renews: null,
    renewalNumber: 0,
    status: 'complete',
    refundedAmount: 0n,
    refunds: [],
    refundIds: new Set(),
    explained: { outcomes: [] },
  };
}

/** Rule 2: without lines, one product with the total. */
function goods({ total, currency, lines = [] }: Sale | Renewal) {
  const given = lines.map((line) => ({ ...line, amount: minorOf(line.amount) }));
  const order = { name: 'Order', type: 'product', quantity: 1, amount: minorOf(total) } as const;
  const sold = given.length === 0 ? [order] : given;
  return { total: minorOf(total), currency, lines: sold };
}

/** Rules 7 to 9: everything is evaluated before anything is written. */
function award(world: World, transaction: Transaction): void {
  world.transactions.set(transaction.name, transaction);
  const { explained, awards } = decide(world, transaction);
  transaction.explained = explained;
  for (const { candidate, amount, ...terms } of awards) {
    const held = holdsOf(world, transaction, candidate.program, candidate.collaborator);
    owe(world, conversion(transaction, candidate, world.moment, { type: transaction.kind, amount, ...terms }, held));
  }
  // A renewal goes by its sale's conversions, and completes no engagement.
  for (const program of transaction.kind === 'renewal'
    ? []
    : new Set(awards.map(({ candidate }) => candidate.program))) {
    if (program.terms.creditsPer === 'opportunity') {
      completeEngagements(world, survivor(transaction.opportunity), program.name, transaction.name);
    }
  }
}

type Awarded = Pick<Conversion, 'type' | 'amount' | 'currency' | 'weight' | 'counts' | 'byQuantity'>;

/** `approveAfterDays` of 0 has passed by the time it is looked at. */
function conversion(
  transaction: Transaction,
  { program, collaborator }: Candidate,
  moment: number,
  awarded: Awarded,
  held: Held,
): Conversion {
  const { autoApprove, approveAfterDays } = program.terms;
  const released = autoApprove || approveAfterDays === 0 ? 'approved' : 'pending';
  return {
    key: `${transaction.name}/${program.name}/${collaborator}/${awarded.type}`,
    transaction,
    program: program.name,
    collaborator,
    moment,
    ...awarded,
    awarded: awarded.amount,
    wasRefused: false,
    status: held.holds.length > 0 ? 'pending' : released,
    released,
    isReleased: false,
    ...held,
  };
}

function isTooMuch(transaction: Transaction, { refundId, amount, items }: Refund): boolean {
  const { status, total, refundedAmount, lines, refundIds } = transaction;
  if (refundId !== undefined && refundIds.has(refundId)) return false;
  if (amount !== undefined) return status === 'refunded' || minorOf(amount) > total - refundedAmount;
  const { quantities } = refundedOf(transaction);
  const named = items ?? [];
  return named.some(({ externalId }) => {
    const same = named.filter((item) => item.externalId === externalId);
    const wanted = same.reduce((sum, { quantity }) => sum + quantity, 0);
    const left = lines.map((line, index) => (line.externalId === externalId ? line.quantity - quantities[index]! : 0));
    return status === 'refunded' || wanted > left.reduce((a, b) => a + b, 0);
  });
}

/** Section 5. The same `refundId` again changes nothing. */
function refund(world: World, fact: Refund): void {
  const transaction = known(world.transactions, fact.transaction);
  const { refundId, amount, items } = fact;
  if (transaction.status === 'refunded' || (refundId !== undefined && transaction.refundIds.has(refundId))) return;
  if (refundId !== undefined) transaction.refundIds.add(refundId);
  const { lines, total } = transaction;
  const earlier = refundedOf(transaction);
  const quantities = [...earlier.quantities];
  const given = amount === undefined ? 0n : minorOf(amount);
  let back = given;
  for (const { externalId, quantity } of items ?? []) {
    // First line first.
    let left = quantity;
    for (const [index, line] of lines.entries()) {
      if (line.externalId !== externalId) continue;
      const pieces = Math.min(left, line.quantity - quantities[index]!);
      quantities[index]! += pieces;
      back += line.amount * BigInt(pieces);
      left -= pieces;
    }
  }
  // Discounts that are taken back with goods lower what is given back, but nobody pays for a refund.
  if (back > 0n) transaction.refundedAmount += back;
  // Items may be worth more than was paid for all.
  if (transaction.refundedAmount > total) transaction.refundedAmount = total;
  const isInPart = amount !== undefined || items !== undefined;
  const isAll = lines.every(({ quantity }, index) => quantities[index] === quantity);
  // Of what cost nothing nothing goes back but its pieces.
  const isFull = !isInPart || isAll || (total > 0n && transaction.refundedAmount >= total);
  const refunded = { amounts: earlier.amounts + given, quantities, isFull };
  transaction.refunds.push(refunded);
  if (isFull) {
    transaction.refundedAmount = total;
    transaction.status = 'refunded';
    reopenEngagements(world, transaction.name);
  }
  revise(
    world,
    world.conversions.filter((one) => one.transaction === transaction),
    refunded,
  );
}

/** What the present terms pay this collaborator alone, or just the amount; what was refunded already is taken off. */
function credit(world: World, fact: Credit): void {
  const transaction = known(world.transactions, fact.transaction);
  const candidate = creditCandidate(world, fact);
  const [earned] = weighUp(world, transaction, [candidate]).awards;
  const given =
    fact.amount === undefined
      ? earned
      : {
          amount: BigInt(fact.amount),
          weight: 1n,
          currency: transaction.currency,
          counts: countedLines(transaction, candidate.program),
          byQuantity: false,
        };
  if (given === undefined) throw new Error(`${fact.program} pays ${fact.collaborator} nothing for ${fact.transaction}`);
  const { amount, weight, currency, counts, byQuantity } = given;
  const awarded = { type: 'manual', amount, weight, currency, counts, byQuantity } as const;
  const credited = conversion(transaction, candidate, world.moment, awarded, NOT_HELD);
  owe(world, credited);
  // As if it had been there before: which came first can't be seen afterwards.
  for (const refunded of transaction.refunds) revise(world, [credited], refunded);
}

/** Nobody is beside it; for renewals it counts as touched when it was given. */
function creditCandidate(world: World, { program, collaborator }: Credit): Candidate {
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

/** "Once for a transaction and a program, and not beside what they have earned with it already." */
function foreseeCredit(world: World, fact: Credit): Reception {
  const transaction = known(world.transactions, fact.transaction);
  const earlier = world.conversions.filter(
    (one) => one.transaction === transaction && one.program === fact.program && one.collaborator === fact.collaborator,
  );
  if (earlier.some(({ status }) => status !== 'rejected')) return 'refused';
  const isPaid = weighUp(world, transaction, [creditCandidate(world, fact)]).awards.length > 0;
  if (fact.amount === undefined && !isPaid) return 'refused';
  return isPaid && transaction.status === 'complete' && earlier.length === 0 ? 'taken' : 'open';
}
