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

/* "Visit → engagement", and what sales and refunds do to engagements. */

/** Adds a touch of each collaborator that it is for; for a visit it says first which opportunity it belongs to. */
export function touch(world: World, fact: Touch): void {
  switch (fact.do) {
    case 'visit': {
      const opportunity = place(world, fact);
      world.ledTo.set(fact.as, opportunity);
      engage(world, opportunity, fact.collaborator, 'site-visit');
      return;
    }
    case 'coupon':
      engage(world, opportunityOf(world, fact.visit), fact.collaborator, 'coupon-applied');
      return;
    case 'custom': {
      const opportunity = opportunityOf(world, fact.visit);
      if (opportunity.end !== null) return;
      const named = fact.collaborator === undefined ? engaged(world, opportunity) : [fact.collaborator];
      for (const collaborator of named) engage(world, opportunity, collaborator, fact.slug);
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

/** Those with an engagement, active or not, the oldest first; inactive collaborators earn nothing and are left out. */
function engaged(world: World, opportunity: Opportunity): string[] {
  const all = engagementsOf(world, opportunity).sort((a, b) => firstOf(a) - firstOf(b));
  return [...new Set(all.map(({ collaborator }) => collaborator))].filter(
    (name) => known(world.collaborators, name).status === 'active',
  );
}

/** Rule 2: H is that of the header, U that of the user. */
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

/** Whether visits go on with it. */
export function isOpen({ end, mergedInto }: Opportunity): boolean {
  return end === null && mergedInto === null;
}

/**
 * "Privacy": what led to nothing is gone; what led to a sale stays, and nothing goes on with it. Whoever bought is known as
 * those collaborators alone that they were.
 */
export function erase(world: World, { userId }: Erasure): void {
  const root = world.opportunities.find((one) => one.userId === userId && isOpen(one));
  if (root === undefined) return;
  const members = world.opportunities.filter((one) => survivor(one) === root);
  const bought = [...world.transactions.values()].filter(({ opportunity }) => members.includes(opportunity));
  if (bought.length === 0) {
    world.engagements.splice(0, Infinity, ...world.engagements.filter(({ opportunity }) => opportunity !== root));
    // Nobody knows any more that they were one.
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
  for (const [collaborator, one] of gone.unengaged) {
    if (one.moment > (kept.unengaged.get(collaborator)?.moment ?? 0)) kept.unengaged.set(collaborator, one);
  }
  for (const [collaborator, triggers] of gone.seen) for (const trigger of triggers) see(kept, collaborator, trigger);
  for (const engagement of world.engagements) if (engagement.opportunity === gone) engagement.opportunity = kept;
  uniteActive(world, kept);
  return kept;
}

/** Active engagements of one program and collaborator count as one: that with the oldest touch goes on. */
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

/** Rules 3 and 4. */
function engage(world: World, opportunity: Opportunity, name: string, trigger: string): void {
  world.moment += 1;
  const { moment } = world;
  if (opportunity.end !== null) return;
  const collaborator = known(world.collaborators, name);
  if (collaborator.userId !== null && collaborator.userId === opportunity.userId) {
    opportunity.unengaged.set(name, { reason: 'self-referral', moment });
    return;
  }
  const listening = [...world.programs.values()].filter((program) => listens(program, trigger));
  const open = listening.filter((program) => mayEarn(program, collaborator));
  if (open.length === 0) {
    opportunity.unengaged.set(name, { reason: listening.length === 0 ? 'no-program' : 'not-enrolled', moment });
  }
  if (open.length > 0) see(opportunity, name, trigger);
  for (const program of open) addTouch(world, opportunity, program, name, program.terms.triggers[trigger] ?? 0);
}

function see({ seen }: Opportunity, collaborator: string, trigger: string): void {
  seen.set(collaborator, new Set([...(seen.get(collaborator) ?? []), trigger]));
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
  points: number,
): void {
  const claim = { program, collaborator, opportunity, touches: [], completedBy: null, isAbsorbed: false } as Engagement;
  const active = engagementsOf(world, opportunity).find((one) => one.completedBy === null && isSameClaim(one, claim));
  if (active === undefined) world.engagements.push(claim);
  (active ?? claim).touches.push({ moment: world.moment, points });
}

/** "Sale", rule 8: the first that earns completes all engagements of the program on the opportunity. */
export function completeEngagements(world: World, opportunity: Opportunity, program: string, by: string): void {
  for (const engagement of engagementsOf(world, opportunity)) {
    if (engagement.program === program && engagement.completedBy === null) engagement.completedBy = by;
  }
}

/** The full refund of the sale opens them again. Those made since of the same claim then count as one with them. */
export function reopenEngagements(world: World, sale: string): void {
  for (const engagement of world.engagements) {
    if (engagement.completedBy !== sale) continue;
    engagement.completedBy = null;
    uniteActive(world, engagement.opportunity);
  }
}
