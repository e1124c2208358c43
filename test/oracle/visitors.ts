import type { Erasure, Touch } from './facts.ts';
import {
  type Collaborator,
  type Engagement,
  firstOf,
  known,
  type Opportunity,
  type Program,
  type World,
} from './world.ts';

/* The oracle's rules for visits and engagements, and for the effects of sales and refunds on engagements. */

/**
 * Adds the touches of a fact. A visit first determines its opportunity. A custom event without a collaborator touches
 * each active collaborator who has an engagement.
 */
export function touch(world: World, fact: Touch): void {
  switch (fact.do) {
    case 'visit': {
      const opportunity = place(world, fact);
      world.ledTo.set(fact.as, opportunity);
      engage(world, opportunity, fact.collaborator, 'site-visit', fact);
      return;
    }
    case 'coupon':
      engage(world, opportunityOf(world, fact.visit), fact.collaborator, 'coupon-applied', fact);
      return;
    case 'custom': {
      const opportunity = opportunityOf(world, fact.visit);
      if (opportunity.end !== null) return;
      const named = fact.collaborator === undefined ? engaged(world, opportunity) : [fact.collaborator];
      for (const collaborator of named) engage(world, opportunity, collaborator, fact.slug, fact);
      return;
    }
    default:
      fact satisfies never;
  }
}

export function opportunityOf(world: World, visit: string): Opportunity {
  return survivor(known(world.ledTo, visit));
}

export function survivor(opportunity: Opportunity): Opportunity {
  return opportunity.mergedInto === null ? opportunity : survivor(opportunity.mergedInto);
}

export function engagementsOf(world: World, opportunity: Opportunity): Engagement[] {
  return world.engagements.filter((one) => one.opportunity === opportunity && !one.isAbsorbed);
}

/** Returns the active collaborators with an engagement, complete or not, in the order of their first reported touch. */
function engaged(world: World, opportunity: Opportunity): string[] {
  const reportedFirst = ({ touches }: Engagement): number => Math.min(...touches.map(({ moment }) => moment));
  const all = engagementsOf(world, opportunity).sort((a, b) => reportedFirst(a) - reportedFirst(b));
  return [...new Set(all.map(({ collaborator }) => collaborator))].filter(
    (name) => known(world.collaborators, name).status === 'active',
  );
}

/**
 * Returns the opportunity of a visit: the opportunity of the presented tracking id (`header`), the opportunity of the
 * user (`own`), both of them merged, or a new opportunity.
 */
function place(world: World, { presents, userId }: Touch & { do: 'visit' }): Opportunity {
  const presented = presents === undefined ? null : opportunityOf(world, presents);
  const header = presented?.end === null ? presented : null;
  if (userId === undefined) return header ?? create(world, null);
  const own = world.opportunities.find((one) => one.userId === userId && isOpen(one)) ?? null;
  if (header === null) return own ?? create(world, userId);
  if (header.userId === userId) return header;
  if (header.userId !== null) return own ?? create(world, userId);
  if (own !== null) return merge(world, header, own);
  header.userId = userId;
  return header;
}

/** Returns whether visits continue an opportunity. */
export function isOpen({ end, mergedInto }: Opportunity): boolean {
  return end === null && mergedInto === null;
}

/**
 * Erases a visitor. An opportunity without a transaction is removed. An opportunity with a transaction is kept, but
 * visits no longer continue it. The buyer is remembered only for comparisons with the user ids of collaborators.
 */
export function erase(world: World, { userId }: Erasure): void {
  const root = world.opportunities.find((one) => one.userId === userId && isOpen(one));
  if (root === undefined) return;
  const members = world.opportunities.filter((one) => survivor(one) === root);
  const bought = [...world.transactions.values()].filter(({ opportunity }) => members.includes(opportunity));
  if (bought.length === 0) {
    world.engagements.splice(0, Infinity, ...world.engagements.filter(({ opportunity }) => opportunity !== root));
    // After the erasure, the service no longer shows that the visitor's opportunities were merged.
    for (const one of members) Object.assign(one, { userId: null, mergedInto: null, end: 'removed' });
    for (const { unengaged } of members) unengaged.clear();
    return;
  }
  world.erasures += 1;
  const visitor = -world.erasures;
  Object.assign(root, { userId: visitor, end: 'invalid' });
  for (const transaction of bought) if (transaction.buyer === userId) transaction.buyer = visitor;
  for (const { userIds, selves } of world.collaborators.values()) {
    if (userIds.includes(userId)) selves.push({ visitor, userId });
  }
}

function create(world: World, userId: number | null): Opportunity {
  const opportunity = {
    born: world.opportunities.length,
    userId,
    end: null,
    mergedInto: null,
    unengaged: new Map(),
    seen: new Map(),
  };
  world.opportunities.push(opportunity);
  return opportunity;
}

function merge(world: World, one: Opportunity, other: Opportunity): Opportunity {
  const [kept, gone] = one.born < other.born ? [one, other] : [other, one];
  kept.userId = one.userId ?? other.userId;
  gone.mergedInto = kept;
  for (const [collaborator, reasons] of gone.unengaged) {
    kept.unengaged.set(collaborator, [...(kept.unengaged.get(collaborator) ?? []), ...reasons]);
  }
  for (const [collaborator, triggers] of gone.seen) {
    for (const [trigger, at] of triggers) see(kept, collaborator, trigger, at);
  }
  for (const engagement of world.engagements) if (engagement.opportunity === gone) engagement.opportunity = kept;
  uniteActive(world, kept);
  return kept;
}

/** Combines the active engagements of each program and collaborator into the engagement with the oldest touch. */
function uniteActive(world: World, opportunity: Opportunity): void {
  const active = engagementsOf(world, opportunity)
    .filter(({ completedBy }) => completedBy === null)
    .sort((a, b) => firstOf(a) - firstOf(b));
  for (const [index, engagement] of active.entries()) {
    const older = active.slice(0, index).find((one) => !one.isAbsorbed && isSameClaim(one, engagement));
    if (older === undefined) continue;
    older.touches.push(...engagement.touches);
    engagement.isAbsorbed = true;
  }
}

function isSameClaim(a: Engagement, b: Engagement): boolean {
  return a.program === b.program && a.collaborator === b.collaborator;
}

/** Adds a collaborator's touch to an opportunity, or the reason why the touch makes no engagement. */
function engage(
  world: World,
  opportunity: Opportunity,
  name: string,
  trigger: string,
  { ago = 0 }: Pick<Touch, 'ago'>,
): void {
  world.moment += 1;
  const { moment } = world;
  const at = -ago;
  const refuse = (reason: string): void => {
    opportunity.unengaged.set(name, [...(opportunity.unengaged.get(name) ?? []), { reason, moment, at }]);
  };
  if (opportunity.end !== null) return;
  const collaborator = known(world.collaborators, name);
  if (collaborator.userId !== null && collaborator.userId === opportunity.userId) {
    refuse('self-referral');
    return;
  }
  const listening = [...world.programs.values()].filter((program) => listens(program, trigger));
  const open = listening.filter((program) => mayEarn(program, collaborator));
  if (open.length === 0) {
    refuse(listening.length === 0 ? 'no-program' : 'not-enrolled');
  }
  if (open.length > 0) see(opportunity, name, trigger, at);
  for (const program of open) {
    addTouch(world, opportunity, program, name, { at, moment, points: program.terms.triggers[trigger] ?? 0 });
  }
}

function see({ seen }: Opportunity, collaborator: string, trigger: string, at: number): void {
  const triggers = seen.get(collaborator) ?? new Map<string, number>();
  triggers.set(trigger, Math.min(at, triggers.get(trigger) ?? at));
  seen.set(collaborator, triggers);
}

function listens({ terms, isDeleted }: Program, trigger: string): boolean {
  return terms.status === 'active' && !isDeleted && terms.triggers[trigger] !== undefined;
}

export function mayEarn({ terms, enrolled }: Program, { name }: Collaborator): boolean {
  return terms.enrollment === 'everyone' || enrolled.has(name);
}

function addTouch(
  world: World,
  opportunity: Opportunity,
  { name: program }: Program,
  collaborator: string,
  touched: Engagement['touches'][number],
): void {
  const claim = { program, collaborator, opportunity, touches: [], completedBy: null, isAbsorbed: false } as Engagement;
  const active = engagementsOf(world, opportunity).find((one) => one.completedBy === null && isSameClaim(one, claim));
  if (active === undefined) world.engagements.push(claim);
  (active ?? claim).touches.push(touched);
}

/**
 * Completes the uncompleted engagements of the opportunity in the program. `by` is the name of the transaction that
 * credited one of them.
 */
export function completeEngagements(world: World, opportunity: Opportunity, program: string, by: string): void {
  for (const engagement of engagementsOf(world, opportunity)) {
    if (engagement.program === program && engagement.completedBy === null) engagement.completedBy = by;
  }
}

/** Reopens the engagements of a fully refunded sale. Newer engagements of the same claim are combined with them. */
export function reopenEngagements(world: World, sale: string): void {
  for (const engagement of world.engagements) {
    if (engagement.completedBy !== sale) continue;
    engagement.completedBy = null;
    uniteActive(world, engagement.opportunity);
  }
}
