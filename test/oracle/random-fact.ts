import type { Dice } from '#test/support/random.ts';
import type { Fact, Refund, Sale } from './facts.ts';
import { isHeld } from './holds.ts';
import { SLUG } from './merchant.ts';
import { isFlagged } from './money.ts';
import { randomGoods, randomTerms, scaleOf } from './random-terms.ts';
import { isOpen, opportunityOf, survivor } from './visitors.ts';
import type { Transaction, World } from './world.ts';

const COLLABORATORS = ['ada', 'ben', 'cleo', 'dora'];
const USERS = [1, 2, 3];
/** The maximum number of programs in a story, including deleted programs. */
const MAX_PROGRAMS = 4;
/** The maximum number of program groups in a story, including deleted groups. */
const MAX_GROUPS = 2;

/** Returns the first facts of a story: some collaborators and programs, sometimes a program group, and a visit. */
export function randomBeginning(dice: Dice): Fact[] {
  const collaborators = COLLABORATORS.slice(0, 2 + dice.roll(3));
  const programs = Array.from({ length: 1 + dice.roll(3) }, (_, n) => `P${n + 1}`);
  return [
    ...collaborators.map((as): Fact => ({
      do: 'collaborator',
      as,
      ...(dice.chance(0.15) && { userId: dice.pick(USERS) }),
    })),
    ...programs.map((as): Fact => ({ do: 'program', as, terms: randomTerms(dice, collaborators) })),
    ...(programs.length > 1 && dice.chance(0.5) ? [group(dice, 'G1', programs)] : []),
    { do: 'visit', as: 'v1', collaborator: dice.pick(collaborators) },
  ];
}

/**
 * Delays of late reports in minutes. Some differ by less than five minutes. Every attribution window, and every approval
 * delay above 0, is longer than all of them.
 */
const LATE = [8, 12, 60, 600];

function late(dice: Dice, share: number): { readonly ago?: number } {
  return dice.chance(share) ? { ago: dice.pick(LATE) } : {};
}

/** Returns the next fact. All resources that the fact needs exist, but the service may refuse it. */
export function randomFact(dice: Dice, world: World, facts: readonly Fact[]): Fact {
  for (;;) {
    const fact = weighted(dice).make(dice, world, facts);
    if (fact !== undefined) return fact;
  }
}

/** Returns a random fact of one kind, or undefined if the story does not allow such a fact. */
type Maker = (dice: Dice, world: World, facts: readonly Fact[]) => Fact | undefined;

function weighted(dice: Dice): { make: Maker } {
  let at = dice.roll(STEPS.reduce((sum, { weight }) => sum + weight, 0));
  for (const step of STEPS) {
    if (at < step.weight) return step;
    at -= step.weight;
  }
  return STEPS[0]!;
}

/** The makers of facts, with their weights in the random choice. Makers of rarely possible facts have high weights. */
const STEPS: readonly { readonly weight: number; readonly make: Maker }[] = [
  { weight: 26, make: visit },
  { weight: 5, make: signIn },
  { weight: 4, make: erase },
  { weight: 5, make: coupon },
  { weight: 3, make: custom },
  { weight: 40, make: ownCoupon },
  { weight: 26, make: (dice, world) => sale(dice, world) },
  { weight: 3, make: repeat },
  { weight: 2, make: lead },
  { weight: 7, make: renewal },
  { weight: 10, make: refund },
  { weight: 20, make: refundOfPaid },
  { weight: 12, make: reversal },
  { weight: 14, make: correction },
  { weight: 6, make: credit },
  { weight: 10, make: reviewConversions },
  { weight: 18, make: run },
  { weight: 70, make: netting },
  { weight: 12, make: advance },
  { weight: 22, make: mark },
  { weight: 30, make: review },
  { weight: 5, make: changeProgram },
  { weight: 2, make: newProgram },
  { weight: 1, make: deleteProgram },
  { weight: 3, make: changeGroup },
  { weight: 3, make: enrol },
  { weight: 3, make: changeCollaborator },
];

function names(map: ReadonlyMap<string, unknown>): string[] {
  return [...map.keys()];
}

/**
 * Returns a random value, usually one of the last three, so that facts interact. Returns undefined if there are no
 * values.
 */
function recent<Value>(dice: Dice, values: readonly Value[]): Value | undefined {
  if (values.length === 0) return undefined;
  return dice.chance(0.6) ? values.at(-1 - dice.roll(Math.min(3, values.length))) : dice.pick(values);
}

function visit(dice: Dice, world: World): Fact {
  const earlier = names(world.ledTo);
  const presents = dice.chance(0.7) ? recent(dice, earlier) : undefined;
  return {
    do: 'visit',
    as: `v${earlier.length + 1}`,
    collaborator: dice.pick(names(world.collaborators)),
    ...(presents !== undefined && { presents }),
    ...(dice.chance(0.25) && { userId: dice.pick(USERS) }),
    ...late(dice, 0.25),
  };
}

/**
 * Returns a visit that merges two opportunities: a user with an opportunity visits in a browser with an anonymous
 * opportunity. Returns undefined if the story has no such opportunities.
 */
function signIn(dice: Dice, world: World): Fact | undefined {
  const anonymous = names(world.ledTo).filter((visit) => {
    const { userId, end } = opportunityOf(world, visit);
    return userId === null && end === null;
  });
  const users = usersOf(world);
  if (anonymous.length === 0 || users.length === 0) return undefined;
  const visit = { as: `v${world.ledTo.size + 1}`, collaborator: dice.pick(names(world.collaborators)) };
  return { do: 'visit', ...visit, presents: dice.pick(anonymous), userId: dice.pick(users) };
}

/** Returns an erasure, usually of a user with an opportunity. */
function erase(dice: Dice, world: World): Fact {
  const users = usersOf(world);
  return { do: 'erase', userId: dice.pick(users.length > 0 && dice.chance(0.9) ? users : USERS) };
}

function usersOf({ opportunities }: World): number[] {
  return opportunities.filter(isOpen).flatMap(({ userId }) => (userId === null ? [] : [userId]));
}

function coupon(dice: Dice, world: World): Fact | undefined {
  const visit = recent(dice, names(world.ledTo));
  return visit === undefined
    ? undefined
    : { do: 'coupon', visit, collaborator: dice.pick(names(world.collaborators)), ...late(dice, 0.2) };
}

/**
 * Returns the next step to the fraud signal `own-coupon` under an earlier user id. First, a collaborator gets and drops
 * a user id. Then the user with this id visits through another link, uses the collaborator's coupon, and buys. Without
 * this function, only one random history in thousands would contain all these steps.
 */
function ownCoupon(dice: Dice, world: World): Fact | undefined {
  const holds = [...world.programs.values()].some(
    ({ terms, isDeleted }) =>
      !isDeleted && terms.holds?.ownCoupon === true && terms.triggers['coupon-applied'] !== undefined,
  );
  const active = [...world.collaborators.values()].filter(({ status }) => status === 'active');
  if (!holds || active.length < 2) return undefined;
  const owner = active.find(({ userId, userIds }) => userIds.some((former) => former !== userId)) ?? active[0]!;
  const { name: collaborator, userId } = owner;
  const former = owner.userIds.find((one) => one !== userId);
  if (former === undefined) {
    return { do: 'change-collaborator', collaborator, userId: userId === null ? dice.pick(USERS) : null };
  }
  const visit = names(world.ledTo).find((name) => {
    const opportunity = opportunityOf(world, name);
    return opportunity.userId === former && isOpen(opportunity);
  });
  if (visit === undefined) {
    const other = dice.pick(active.filter((one) => one !== owner));
    return { do: 'visit', as: `v${world.ledTo.size + 1}`, collaborator: other.name, userId: former };
  }
  const isUsed = opportunityOf(world, visit).seen.get(collaborator)?.has('coupon-applied') === true;
  return isUsed ? sale(dice, world, visit) : { do: 'coupon', visit, collaborator };
}

function custom(dice: Dice, world: World): Fact | undefined {
  const visit = recent(dice, names(world.ledTo));
  if (visit === undefined) return undefined;
  return {
    do: 'custom',
    visit,
    slug: SLUG,
    ...(dice.chance(0.5) && { collaborator: dice.pick(names(world.collaborators)) }),
    ...late(dice, 0.2),
  };
}

function sale(dice: Dice, world: World, of?: string): Fact | undefined {
  const visit = of ?? recent(dice, names(world.ledTo));
  if (visit === undefined) return undefined;
  const as = `s${world.transactions.size + 1}`;
  const sale: Sale = {
    do: 'sale',
    as,
    visit,
    ...randomGoods(dice),
    ...(dice.chance(0.08) && { coupons: [dice.pick(names(world.collaborators))] }),
    ...late(dice, 0.15),
  };
  if (!dice.chance(0.06)) return sale;
  const { total, lines = [] } = sale;
  const [first] = lines;
  const inPart: Partial<Refund> =
    dice.chance(0.5) && total !== '0.00'
      ? { refundId: 'r0', amount: '0.01' }
      : first?.externalId !== undefined
        ? { refundId: 'r0', items: [{ externalId: first.externalId, quantity: 1 }] }
        : {};
  return { ...sale, refundAtOnce: { do: 'refund', transaction: as, ...inPart } };
}

/** Returns an earlier report, which is usually recent, so that it is reported again. */
function repeat(dice: Dice, _: World, facts: readonly Fact[]): Fact | undefined {
  return recent(
    dice,
    facts.filter((fact) => ['sale', 'renewal', 'refund', 'reverse-refund', 'correct', 'lead'].includes(fact.do)),
  );
}

function lead(dice: Dice, world: World): Fact | undefined {
  const visit = recent(dice, names(world.ledTo));
  if (visit === undefined) return undefined;
  return { do: 'lead', as: `l${world.transactions.size + 1}`, visit, isNamed: dice.chance(0.5), ...late(dice, 0.2) };
}

function renewal(dice: Dice, world: World): Fact | undefined {
  const renews = recent(dice, transactions(world, 'sale'));
  if (renews === undefined) return undefined;
  return {
    do: 'renewal',
    as: `n${world.transactions.size + 1}`,
    renews: renews.name,
    ...randomGoods(dice),
    ...late(dice, 0.1),
  };
}

function transactions(world: World, ...kinds: readonly string[]): Transaction[] {
  return [...new Set(world.transactions.values())].filter(({ kind }) => kinds.includes(kind));
}

function refund(dice: Dice, world: World): Fact | undefined {
  const transaction = recent(dice, transactions(world, 'sale', 'renewal', 'lead'));
  return transaction === undefined ? undefined : refundOf(dice, transaction);
}

/** Returns a refund of a transaction whose commission is in a payout, so that the payout is flagged. */
function refundOfPaid(dice: Dice, world: World): Fact | undefined {
  const inPayouts = world.obligations.filter(
    ({ payout, conversion }) => payout !== null && conversion.transaction.status === 'complete',
  );
  const paid = inPayouts.filter(({ payout }) => payout?.status === 'paid');
  const of = paid.length > 0 && dice.chance(0.6) ? paid : inPayouts;
  return of.length === 0 ? undefined : refundOf(dice, dice.pick(of).conversion.transaction);
}

function refundOf(dice: Dice, transaction: Transaction): Fact | undefined {
  const { name, kind, total, refundedAmount, lines } = transaction;
  // Use a new refund id each time. A refused refund with a used id could be accepted after another refund is reversed.
  const refundId = `r${dice.roll(1_000_000)}`;
  if (dice.chance(0.1)) return { do: 'refund', transaction: name, refundId };
  if (kind === 'lead' || dice.chance(0.2)) return { do: 'refund', transaction: name };
  const left = Number(total - refundedAmount);
  // A refund with `upTo` is accepted even if its amount exceeds the remainder, so sometimes exceed the remainder.
  if (dice.chance(0.1)) {
    return { do: 'refund', transaction: name, refundId, amount: cents(1 + dice.roll(2 * left + 1)), upTo: true };
  }
  if (dice.chance(0.5)) return { do: 'refund', transaction: name, refundId, amount: cents(1 + dice.roll(left + 1)) };
  const named = lines.filter(({ externalId }) => externalId !== undefined);
  if (named.length === 0) return { do: 'refund', transaction: name, refundId, amount: cents(1 + dice.roll(left + 1)) };
  const items = named
    .filter(() => dice.chance(0.5))
    .map(({ externalId = '', quantity }) => ({ externalId, quantity: 1 + dice.roll(quantity) }));
  return items.length === 0 ? undefined : { do: 'refund', transaction: name, refundId, items };
}

/** Returns a reversal of a recent refund. Sometimes the refund was already reversed or never reported. */
function reversal(dice: Dice, world: World): Fact | undefined {
  const refunded = [...new Set(world.transactions.values())].filter(({ refunds }) => refunds.length > 0);
  const transaction = recent(dice, refunded);
  const refundId = transaction && recent(dice, transaction.refunds)?.refundId;
  return transaction && { do: 'reverse-refund', transaction: transaction.name, refundId: refundId ?? 'none' };
}

/** Returns a correction, usually of a transaction with a commission. Often only one line is changed. */
function correction(dice: Dice, world: World): Fact | undefined {
  const earning = [...new Set(world.conversions.map(({ transaction }) => transaction))];
  const of = dice.chance(0.7) ? earning : transactions(world, 'sale', 'renewal', 'lead');
  const transaction = recent(dice, of);
  if (transaction === undefined) return undefined;
  const { currency: _, ...content } = dice.chance(0.4)
    ? randomGoods(dice, transaction.currency)
    : edited(dice, transaction);
  const correctionId = `c${dice.roll(1_000_000)}`;
  return { do: 'correct', transaction: transaction.name, correctionId, ...content };
}

/** Returns a transaction's content with another total, usually with one piece more or less of one line. */
function edited(dice: Dice, { lines, total, currency }: Transaction): ReturnType<typeof randomGoods> {
  const chosen = dice.roll(lines.length + 1);
  const quantities = lines.map(
    ({ quantity }, index) => quantity + (index === chosen ? (dice.chance(0.5) ? 1 : -1) : 0),
  );
  const kept = lines.flatMap(({ externalId, name, type, total: worth }, index) => {
    const quantity = quantities[index]!;
    if (quantity === 0) return [];
    const all = (worth * BigInt(quantity)) / BigInt(lines[index]!.quantity);
    const named = externalId === undefined ? {} : { externalId };
    return [{ ...named, name, type, quantity, total: `${all < 0n ? '-' : ''}${cents(Number(all < 0n ? -all : all))}` }];
  });
  const change = dice.roll(400) - 150;
  return { currency, total: cents(Math.max(0, Number(total) + change)), lines: kept };
}

function cents(minor: number): string {
  return `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
}

function credit(dice: Dice, world: World): Fact | undefined {
  const open = transactions(world, 'sale', 'renewal').filter(({ status }) => status === 'complete');
  const transaction = recent(dice, open);
  if (transaction === undefined) return undefined;
  const program = dice.pick([...world.programs.values()]);
  return {
    do: 'credit',
    transaction: transaction.name,
    program: program.name,
    collaborator: dice.pick(names(world.collaborators)),
    ...(dice.chance(0.4) && { amount: scaleOf(transaction.currency) * (1 + dice.roll(90)) }),
    ...(dice.chance(0.3) && { aboveTotal: true as const }),
  };
}

function reviewConversions(dice: Dice, world: World): Fact | undefined {
  const { conversions: all } = world;
  const pending = all.filter(({ status }) => status === 'pending');
  const of = pending.length > 0 && dice.chance(0.7) ? pending : all;
  if (of.length === 0) return undefined;
  const some = dice.chance(0.6) ? [dice.pick(of)] : of.filter(() => dice.chance(0.4));
  if (some.length === 0) return undefined;
  const action = some.some(isHeld) && dice.chance(0.5) ? 'release' : dice.chance(0.7) ? 'approve' : 'reject';
  return { do: action, conversions: some.map(({ key }) => key) };
}

function run(dice: Dice, world: World): Fact | undefined {
  const pending = world.obligations.filter(({ status }) => status === 'pending');
  if (pending.length === 0) return undefined;
  const as = `run${world.runs.size + 1}`;
  const some = world.obligations.filter(({ isClawBack }) => !isClawBack && dice.chance(0.5));
  return {
    do: 'run',
    as,
    ...(dice.chance(0.3) && { minimum: dice.roll(60) }),
    ...(dice.chance(0.1) && { currency: dice.pick(['USD', 'EUR']) }),
    ...(dice.chance(0.25) && some.length > 0 && { conversions: some.map(({ conversion }) => conversion.key) }),
  };
}

/**
 * Returns the next step to deduct a clawback: a visit or a sale until the collaborator has earned enough, then a payout
 * run.
 */
function netting(dice: Dice, world: World): Fact | undefined {
  const pending = world.obligations.filter(({ status }) => status === 'pending');
  const clawBack = pending.find(({ isClawBack }) => isClawBack)?.conversion;
  if (clawBack === undefined) return undefined;
  const owed = pending
    .filter(({ conversion }) => conversion.collaborator === clawBack.collaborator)
    .filter(({ conversion }) => conversion.currency === clawBack.currency)
    .reduce((sum, { amount }) => sum + amount, 0n);
  if (owed > 0n) return { do: 'run', as: `run${world.runs.size + 1}` };
  const { collaborator, currency, transaction } = clawBack;
  const goesOn = survivor(transaction.opportunity);
  const own = isOpen(goesOn) ? names(world.ledTo).find((visit) => opportunityOf(world, visit) === goesOn) : undefined;
  if (own === undefined) return undefined;
  if (dice.chance(0.3)) return { do: 'visit', as: `v${world.ledTo.size + 1}`, collaborator, presents: own };
  return {
    do: 'sale',
    as: `s${world.transactions.size + 1}`,
    visit: own,
    currency,
    total: cents(500 + dice.roll(2_000)),
  };
}

function advance(dice: Dice, world: World): Fact | undefined {
  const run = recent(dice, [...world.runs.values()]);
  if (run === undefined) return undefined;
  return { do: dice.pick(['process', 'process', 'complete', 'fail'] as const), run: run.key };
}

function mark(dice: Dice, world: World): Fact | undefined {
  const payout = recent(dice, world.payouts);
  if (payout === undefined) return undefined;
  return { do: dice.chance(0.75) ? 'mark-paid' : 'mark-unpaid', payout: payout.key };
}

function review(dice: Dice, world: World): Fact | undefined {
  const flagged = world.payouts.filter(isFlagged);
  const payout = flagged.length > 0 ? dice.pick(flagged) : undefined;
  if (payout === undefined) return undefined;
  return { do: 'review', payout: payout.key, resolution: dice.chance(0.65) ? 'claw-back' : 'keep' };
}

/**
 * Returns a change of some terms of a program, but never of the kinds that it pays for. For a deleted program, returns
 * a new program or a visit instead.
 */
function changeProgram(dice: Dice, world: World): Fact {
  const program = dice.pick([...world.programs.values()]);
  if (program.isDeleted) return newProgram(dice, world) ?? visit(dice, world);
  if (program.terms.status !== 'active' || dice.chance(0.15)) {
    const status = program.terms.status === 'active' ? 'inactive' : 'active';
    return { do: 'change-program', program: program.name, change: { status } };
  }
  const terms = Object.entries(randomTerms(dice, names(world.collaborators), program.terms.pays));
  // `pays` stays the same, because all rewards of a program must fit it.
  const change = Object.fromEntries(terms.filter(([name]) => name !== 'pays' && dice.chance(0.3)));
  const approval = { autoApprove: program.terms.autoApprove, approveAfterDays: program.terms.approveAfterDays };
  return { do: 'change-program', program: program.name, change: { ...change, ...approval } };
}

function newProgram(dice: Dice, world: World): Fact | undefined {
  const { size } = world.programs;
  if (size >= MAX_PROGRAMS) return undefined;
  const group = dice.chance(0.4)
    ? names(world.groups).find((name) => world.groups.get(name)?.isDeleted === false)
    : undefined;
  const terms = randomTerms(dice, names(world.collaborators));
  return { do: 'program', as: `P${size + 1}`, terms: { ...terms, ...(group !== undefined && { group }) } };
}

function deleteProgram(dice: Dice, world: World): Fact {
  return { do: 'delete-program', program: dice.pick(names(world.programs)) };
}

function group(dice: Dice, as: string, programs: readonly string[]): Fact {
  return {
    do: 'group',
    as,
    rule: dice.pick(['newest', 'oldest'] as const),
    programs: programs.filter(() => dice.chance(0.8)),
  };
}

/**
 * Returns a change of the program groups: a new, changed or deleted group. Programs of other groups are not used,
 * because a program is in at most one group.
 */
function changeGroup(dice: Dice, world: World): Fact | undefined {
  const free = (own: string | null): string[] =>
    [...world.programs.values()]
      .filter(({ terms, isDeleted }) => !isDeleted && (terms.group === null || terms.group === own))
      .map(({ name }) => name);
  const living = names(world.groups).filter((name) => world.groups.get(name)?.isDeleted === false);
  const one = dice.chance(0.3) || living.length === 0 ? undefined : dice.pick(living);
  if (one === undefined) {
    return world.groups.size >= MAX_GROUPS ? undefined : group(dice, `G${world.groups.size + 1}`, free(null));
  }
  if (dice.chance(0.15)) return { do: 'delete-group', group: one };
  return {
    do: 'change-group',
    group: one,
    ...(dice.chance(0.6) && { rule: dice.pick(['newest', 'oldest'] as const) }),
    ...(dice.chance(0.5) && { programs: free(one).filter(() => dice.chance(0.6)) }),
  };
}

function enrol(dice: Dice, world: World): Fact | undefined {
  const selected = [...world.programs.values()].filter(
    ({ terms, isDeleted }) => terms.enrollment === 'selected' && !isDeleted,
  );
  if (selected.length === 0) return undefined;
  const { name: program, enrolled } = dice.pick(selected);
  const collaborator = dice.pick(names(world.collaborators));
  return { do: enrolled.has(collaborator) ? 'remove' : 'enrol', program, collaborator };
}

function changeCollaborator(dice: Dice, world: World): Fact {
  const { name: collaborator, status } = dice.pick([...world.collaborators.values()]);
  if (status === 'active' && dice.chance(0.5)) {
    return { do: 'change-collaborator', collaborator, userId: dice.chance(0.3) ? null : dice.pick(USERS) };
  }
  if (dice.chance(0.3)) {
    return { do: 'change-collaborator', collaborator, fraudReview: dice.pick(['signals', 'always', 'never'] as const) };
  }
  return { do: 'change-collaborator', collaborator, status: status === 'active' ? 'inactive' : 'active' };
}
