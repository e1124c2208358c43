import { creditCandidate, foreseeCredit } from './credits.ts';
import { correct, isCorrectable } from './corrections.ts';
import { contentOf } from './goods.ts';
import { type Candidate, decide, weighUp } from './decision.ts';
import type { Configuration, Credit, Fact, Lead, Renewal, Sale, Terms } from './facts.ts';
import { type Held, holdsOf, NOT_HELD } from './holds.ts';
import { addObligation, conversionOf, pay, revise } from './money.ts';
import { hasRefund, isTooMuch, refund, reverseRefund } from './refunds.ts';
import { completeEngagements, engagementsOf, erase, opportunityOf, survivor, touch } from './visitors.ts';
import {
  type Conversion,
  DEFAULT_TERMS,
  emptyWorld,
  known,
  type Opportunity,
  type Program,
  type Transaction,
  type World,
  changeCollaborator,
} from './world.ts';

/*
 * The oracle computes the expected state of the service from the rules alone, and shares no code with the service. It
 * is deliberately naive: one fact at a time, everything in memory, loops instead of indexes, and only integers and
 * fractions. If the service and the oracle disagree, one of them misreads a rule.
 *
 * A story is a generated sequence of facts. The oracle has no clock and no windows, so it does not support stories in
 * which something expires.
 */

/** Whether a fact is accepted. `open` means that the rules allow the service to accept or refuse it. */
export type Reception = 'taken' | 'refused' | 'open';

/** Applies a story in which nothing is refused and all transactions occur at `soldAt`. Returns the resulting world. */
export function applyFacts(facts: readonly Fact[], soldAt = new Date()): World {
  const world = emptyWorld();
  for (const fact of facts) applyFact(world, fact, soldAt);
  return world;
}

/** Applies an accepted fact. Apply facts in the order of their reports. `soldAt` is the time of a transaction. */
export function applyFact(world: World, fact: Fact, soldAt: Date): void {
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
    case 'reverse-refund':
      reverseRefund(world, fact);
      return;
    case 'correct':
      correct(world, fact);
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

/** Returns whether the service must accept or refuse a fact, or may do either. Call it before applying the fact. */
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
    case 'reverse-refund':
      return hasRefund(known(world.transactions, fact.transaction), fact.refundId) ? 'taken' : 'refused';
    case 'correct':
      return isCorrectable(known(world.transactions, fact.transaction), fact) ? 'taken' : 'refused';
    case 'credit':
      return foreseeCredit(world, fact);
    case 'approve':
    case 'reject':
    case 'release':
      // A bulk call is always accepted, and returns an outcome for each item.
      return fact.conversions.length > 1 || pay(structuredClone(world), fact) ? 'taken' : 'refused';
    case 'process':
    case 'complete':
    case 'fail':
    case 'mark-paid':
    case 'mark-unpaid':
    case 'review':
      // A refused fact must change nothing, so try it on a copy.
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
        fraudReview: 'signals',
      });
      return;
    case 'change-collaborator':
      changeCollaborator(known(world.collaborators, fact.collaborator), fact);
      return;
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

/** Records a sale. Repeating the report changes nothing. */
function sell(world: World, fact: Sale, soldAt: Date): void {
  if (world.transactions.has(fact.as)) return;
  for (const collaborator of fact.coupons ?? []) {
    const isActive = known(world.collaborators, collaborator).status === 'active';
    if (isActive) touch(world, { do: 'coupon', visit: fact.visit, collaborator, ...occurrenceOf(fact) });
  }
  const opportunity = opportunityOf(world, fact.visit);
  award(world, { ...blank(fact, opportunity, soldAt), kind: 'sale', currency: fact.currency, ...contentOf(fact) });
  if (fact.refundAtOnce !== undefined) refund(world, fact.refundAtOnce);
}

function renew(world: World, fact: Renewal, soldAt: Date): void {
  if (world.transactions.has(fact.as)) return;
  const renews = known(world.transactions, fact.renews);
  const earlier = [...world.transactions.values()].filter((one) => one.renews === renews).length;
  award(world, {
    ...blank(fact, survivor(renews.opportunity), soldAt),
    kind: 'renewal',
    renews,
    renewalNumber: earlier + 1,
    currency: fact.currency,
    ...contentOf(fact),
  });
}

/**
 * Records a transaction with a total of 0 and no goods. A lead without a name is identified by the first presented
 * tracking id.
 */
function lead(world: World, fact: Lead, soldAt: Date): void {
  const presented = known(world.ledTo, fact.visit);
  const earlier = fact.isNamed ? world.transactions.get(fact.as) : leadOf(world, presented);
  if (earlier !== undefined) {
    world.transactions.set(fact.as, earlier);
    return;
  }
  const transaction = { ...blank(fact, survivor(presented), soldAt), kind: 'lead' as const };
  if (!fact.isNamed) world.leads.set(presented, transaction);
  award(world, transaction);
}

/** Returns the visitor's lead without a name, found with any of the merged tracking ids, or undefined. */
function leadOf(world: World, presented: Opportunity): Transaction | undefined {
  const ofMember = [...world.leads].find(([one]) => survivor(one) === survivor(presented));
  return world.leads.get(presented) ?? ofMember?.[1];
}

/** Returns the delay of a sale if it was reported late. The sale's coupons have the same delay. */
function occurrenceOf({ ago }: Pick<Sale, 'ago'>): Pick<Sale, 'ago'> {
  return ago === undefined ? {} : { ago };
}

function blank(
  { as: name, ago = 0 }: Sale | Renewal | Lead,
  opportunity: Opportunity,
  soldAt: Date,
): Omit<Transaction, 'kind'> {
  return {
    name,
    at: -ago,
    opportunity,
    buyer: opportunity.userId,
    // XXX is "no currency" in ISO 4217.
    currency: 'XXX',
    total: 0n,
    lines: [],
    soldAt,
    renews: null,
    renewalNumber: 0,
    status: 'complete',
    refundedAmount: 0n,
    refunds: [],
    states: [],
    paying: [],
    weighed: [],
    corrections: new Map(),
    explained: { outcomes: [] },
  };
}

/** Decides a transaction, then records its awards and completes the engagements that earned them. */
function award(world: World, transaction: Transaction): void {
  world.transactions.set(transaction.name, transaction);
  const { explained, awards, weighed } = decide(world, transaction);
  transaction.explained = explained;
  transaction.weighed = weighed;
  transaction.paying = payingPrograms(world, transaction).map(({ terms }) => terms);
  for (const { candidate, amount, ...terms } of awards) {
    const held = holdsOf(world, transaction, candidate.program, candidate.collaborator);
    const award = { type: transaction.kind, amount, ...terms };
    addObligation(world, conversion(transaction, candidate, world.moment, award, held));
  }
  // A renewal is credited through the conversions of its sale, so it completes no engagement.
  for (const program of transaction.kind === 'renewal'
    ? []
    : new Set(awards.map(({ candidate }) => candidate.program))) {
    if (program.terms.creditsPer === 'opportunity') {
      completeEngagements(world, survivor(transaction.opportunity), program.name, transaction.name);
    }
  }
}

type Awarded = Pick<Conversion, 'type' | 'amount' | 'currency' | 'weight' | 'terms' | 'byQuantity'>;

/** Returns a new conversion. Without fraud review, it is approved if the program has `autoApprove` or a delay of 0. */
function conversion(
  transaction: Transaction,
  { program, collaborator, first }: Candidate,
  moment: number,
  awarded: Awarded,
  held: Held,
): Conversion {
  const { autoApprove, approveAfterDays } = program.terms;
  const cleared = autoApprove || approveAfterDays === 0 ? 'approved' : 'pending';
  return {
    key: `${transaction.name}/${program.name}/${collaborator}/${awarded.type}`,
    transaction,
    program: program.name,
    collaborator,
    moment,
    first,
    ...awarded,
    awarded: awarded.amount,
    corrected: awarded.amount,
    wasRefused: false,
    before: 'pending',
    status: held.holds.length > 0 ? 'pending' : cleared,
    cleared,
    isCleared: false,
    ...held,
  };
}

/**
 * Returns the programs in which the visitor has a claim, and programs that were credited manually on the renewed sale.
 */
function payingPrograms(world: World, { opportunity, renews }: Transaction): Program[] {
  const visitor = survivor(opportunity);
  const engaged = visitor.end === null ? engagementsOf(world, visitor).map(({ program }) => program) : [];
  const credited = world.conversions
    .filter(({ transaction, type }) => transaction === renews && type === 'manual')
    .map(({ program }) => program);
  return [...new Set([...engaged, ...credited])].map((name) => known(world.programs, name));
}

/**
 * Awards a manual credit: its amount, or the reward that the collaborator alone would get under the current terms.
 * Earlier refunds reduce the credit.
 */
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
          terms: candidate.program.terms,
          byQuantity: false,
        };
  if (given === undefined) throw new Error(`${fact.program} pays ${fact.collaborator} nothing for ${fact.transaction}`);
  const { amount, weight, currency, terms, byQuantity } = given;
  const awarded = { type: 'manual', amount, weight, currency, terms, byQuantity } as const;
  const credited = conversion(transaction, candidate, world.moment, awarded, NOT_HELD);
  addObligation(world, credited);
  transaction.paying = [...transaction.paying, terms];
  // Apply the earlier refunds to the credit, as if the credit had existed before the refunds.
  for (const refunded of transaction.states) revise(world, [credited], refunded);
}
