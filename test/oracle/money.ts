import { isHeld } from './holds.ts';
import type { Payment } from './facts.ts';
import { worthOf } from './decision.ts';
import {
  type Conversion,
  type Flag,
  known,
  type Obligation,
  type Payout,
  type Refunded,
  type Run,
  type World,
} from './world.ts';

/* The oracle's rules for obligations, refunds and payout runs. */

/**
 * Records a conversion of a decided transaction or a manual credit, and its obligation. The obligation of an approved
 * conversion is payable immediately.
 */
export function addObligation(world: World, conversion: Conversion): void {
  world.conversions.push(conversion);
  push(world, conversion, conversion.amount);
}

/** Sets conversions to their worth after refunds, reversals and corrections. A person's rejection is final. */
export function revise(world: World, conversions: readonly Conversion[], refunded: Refunded): void {
  for (const conversion of conversions) {
    if (conversion.wasRefused) continue;
    const worth = worthOf(conversion, refunded);
    // Keep the amount of a rejected conversion, because later reads show it.
    if (worth > 0n) {
      if (conversion.status === 'rejected') conversion.status = conversion.before;
      conversion.amount = worth;
    } else if (conversion.status !== 'rejected') {
      conversion.before = conversion.status;
      conversion.status = 'rejected';
    }
    followUp(world, conversion);
  }
}

/** Adjusts the obligations and flags of a conversion to its worth. */
function followUp(world: World, conversion: Conversion): void {
  const worth = conversion.status === 'rejected' ? 0n : conversion.amount;
  const owed = world.obligations.filter((one) => one.conversion === conversion && one.status !== 'rejected');
  const flags = standingFlags(world).filter((flag) => flag.conversion === conversion);
  // A kept flag covers an amount that is no longer owed, and is never withdrawn.
  const open = flags.filter(({ resolution }) => resolution === null);
  const unowed = sumOf(owed) - worth;
  const kept = unowed > 0n ? min(sumOf(flags) - sumOf(open), unowed) : 0n;
  const difference = unowed - kept - sumOf(open);
  if (difference > 0n) takeBack(owed.filter(({ isClawBack }) => !isClawBack).reverse(), flags, difference);
  if (difference < 0n) raiseOwed(world, conversion, open, -difference);
}

/** Reduces obligations without a payout, newest first, then flags the payouts of other obligations, newest first. */
function takeBack(newestFirst: readonly Obligation[], flags: readonly Flag[], difference: bigint): void {
  let left = difference;
  for (const obligation of newestFirst.filter(({ payout }) => payout === null)) {
    const taken = min(left, obligation.amount);
    left -= taken;
    reopen(obligation, obligation.amount - taken, obligation.status);
  }
  for (const obligation of newestFirst.filter(({ status }) => status === 'fulfilled')) {
    const flagged = min(left, obligation.amount - sumOf(flags.filter((flag) => flag.obligation === obligation)));
    left -= flagged;
    const { conversion, payout } = obligation;
    if (flagged > 0n) payout!.flags.push({ conversion, obligation, amount: flagged, resolution: null });
  }
}

/** Withdraws open flags up to the amount `rise`. The rest of the amount becomes a new obligation. */
function raiseOwed(world: World, conversion: Conversion, open: readonly Flag[], rise: bigint): void {
  let left = rise;
  for (const flag of open) {
    const withdrawn = min(left, flag.amount);
    left -= withdrawn;
    flag.amount -= withdrawn;
  }
  for (const payout of world.payouts)
    payout.flags.splice(0, Infinity, ...payout.flags.filter(({ amount }) => amount > 0n));
  if (left > 0n) push(world, conversion, left);
}

function push(world: World, conversion: Conversion, amount: bigint): void {
  const status = conversion.status === 'approved' ? 'pending' : 'draft';
  world.obligations.push({ conversion, isClawBack: false, amount, status, payout: null });
}

/** Returns the flags whose amounts are in payouts but are no longer owed. */
function standingFlags(world: World): Flag[] {
  return world.payouts
    .flatMap(({ flags }) => flags)
    .filter(({ resolution }) => resolution === null || resolution === 'keep');
}

function sumOf(of: readonly { readonly amount: bigint }[]): bigint {
  return of.reduce((total, { amount }) => total + amount, 0n);
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function reopen(obligation: Obligation, worth: bigint, status: Obligation['status']): void {
  obligation.payout = null;
  obligation.status = worth === 0n ? 'rejected' : status;
  if (worth > 0n) obligation.amount = worth;
}

/**
 * Applies an approval, a payout step or another money action. Returns false if the action is refused. For several
 * conversions, returns false only if the action is refused for each of them.
 */
export function pay(world: World, fact: Payment): boolean {
  switch (fact.do) {
    case 'approve':
    case 'reject':
    case 'release':
      return fact.conversions
        .map((key) => reviewConversion(world, fact.do, conversionOf(world, key)))
        .some((isDone) => isDone);
    case 'run':
      take(world, fact);
      return true;
    case 'process':
    case 'complete':
    case 'fail':
      return advance(world, fact.do, known(world.runs, fact.run));
    case 'mark-paid':
    case 'mark-unpaid':
      return mark(fact.do, payoutOf(world, fact.payout));
    case 'review':
      return review(world, payoutOf(world, fact.payout), fact.resolution);
    default:
      return fact satisfies never;
  }
}

export function conversionOf(world: World, key: string): Conversion {
  const found = world.conversions.find((one) => one.key === key);
  if (found === undefined) throw new Error(`the story has no ${key}`);
  return found;
}

export function payoutOf(world: World, key: string): Payout {
  const found = world.payouts.find((one) => one.key === key);
  if (found === undefined) throw new Error(`the story has no ${key}`);
  return found;
}

function reviewConversion(world: World, action: 'approve' | 'reject' | 'release', conversion: Conversion): boolean {
  if (action === 'reject') {
    conversion.status = 'rejected';
    conversion.wasRefused = true;
    followUp(world, conversion);
    return true;
  }
  if (conversion.status === 'rejected') return false;
  if (action === 'release' && !isHeld(conversion)) return true;
  const becomes = action === 'approve' ? 'approved' : conversion.cleared;
  if (conversion.holds.length > 0) conversion.isCleared = true;
  if (conversion.status === 'pending' && becomes === 'approved') {
    conversion.status = 'approved';
    for (const one of world.obligations)
      if (one.conversion === conversion && one.status === 'draft') one.status = 'pending';
  }
  return true;
}

/** Creates a payout run for each currency in which the payable amount of a collaborator reaches the minimum. */
function take(world: World, { as, minimum = 0, currency, conversions }: Payment & { do: 'run' }): void {
  const pending = world.obligations.filter(({ status }) => status === 'pending');
  for (const each of new Set(pending.map(({ conversion }) => conversion.currency))) {
    if (currency !== undefined && each !== currency) continue;
    const run: Run = { key: `${as}/${each}`, currency: each, status: 'pending' };
    for (const collaborator of world.collaborators.keys()) {
      const own = pending.filter(
        ({ conversion, isClawBack }) =>
          conversion.currency === each &&
          conversion.collaborator === collaborator &&
          (isClawBack || conversions === undefined || conversions.includes(conversion.key)),
      );
      const total = own.reduce((sum, { amount }) => sum + amount, 0n);
      if (total <= 0n || total < BigInt(minimum)) continue;
      const key = `${run.key}/${collaborator}`;
      const payout: Payout = {
        key,
        run,
        collaborator,
        currency: each,
        status: 'unpaid',
        flags: [],
        wasClawedBackPaid: false,
      };
      world.payouts.push(payout);
      world.runs.set(run.key, run);
      for (const obligation of own) Object.assign(obligation, { status: 'fulfilled', payout });
    }
  }
}

export function obligationsIn(world: World, payout: Payout): Obligation[] {
  return world.obligations.filter((one) => one.payout === payout);
}

export function amountOf(world: World, payout: Payout): bigint {
  return obligationsIn(world, payout).reduce((sum, { amount }) => sum + amount, 0n);
}

export function isFlagged({ flags }: Payout): boolean {
  return flags.some(({ resolution }) => resolution === null);
}

/** Moves a payout run to its next state. Returns false if the action is refused in the run's state. */
function advance(world: World, action: 'process' | 'complete' | 'fail', run: Run): boolean {
  const payouts = world.payouts.filter((one) => one.run === run);
  switch (action) {
    case 'process':
      if (run.status !== 'pending' && run.status !== 'processing') return false;
      run.status = 'processing';
      return true;
    case 'complete':
      if (run.status === 'complete') return true;
      if (run.status !== 'processing') return false;
      for (const payout of payouts) if (payout.status === 'unpaid' && !isFlagged(payout)) payout.status = 'paid';
      if (payouts.every(({ status }) => status !== 'unpaid')) run.status = 'complete';
      return true;
    case 'fail':
      if (run.status === 'failed') return true;
      if (run.status === 'complete' || payouts.some(({ status }) => status === 'paid')) return false;
      run.status = 'failed';
      for (const payout of payouts) voidPayout(world, payout);
      return true;
    default:
      return action satisfies never;
  }
}

/** Voids a payout. Its obligations are pending again, and flagged obligations are adjusted to what is still owed. */
function voidPayout(world: World, payout: Payout): void {
  for (const obligation of obligationsIn(world, payout)) Object.assign(obligation, { status: 'pending', payout: null });
  const flags = payout.flags.filter(({ resolution }) => resolution !== 'claw-back');
  for (const flag of flags) flag.resolution = 'void';
  payout.status = 'void';
  for (const conversion of new Set(flags.map((flag) => flag.conversion))) followUp(world, conversion);
}

function mark(action: 'mark-paid' | 'mark-unpaid', payout: Payout): boolean {
  const isDone = payout.status === (action === 'mark-paid' ? 'paid' : 'unpaid');
  if (isDone) return true;
  if (payout.status === 'void' || !['pending', 'processing'].includes(payout.run.status)) return false;
  if (action === 'mark-paid' ? isFlagged(payout) : payout.wasClawedBackPaid) return false;
  payout.status = action === 'mark-paid' ? 'paid' : 'unpaid';
  return true;
}

/** Resolves the open flags of a payout. Returns false if it has none. */
function review(world: World, payout: Payout, resolution: 'keep' | 'claw-back'): boolean {
  if (!isFlagged(payout)) return false;
  const open = payout.flags.filter((flag) => flag.resolution === null);
  for (const flag of open) flag.resolution = resolution;
  if (resolution === 'claw-back') clawBack(world, payout, open);
  // A payout must be positive, so void an unpaid payout whose amount is 0 or less.
  if (payout.status === 'unpaid' && amountOf(world, payout) <= 0n) voidPayout(world, payout);
  return true;
}

/** Deducts flagged amounts from an unpaid payout. For a paid payout, adds a negative obligation per conversion. */
function clawBack(world: World, payout: Payout, open: readonly Flag[]): void {
  if (payout.status === 'paid') {
    payout.wasClawedBackPaid = true;
    for (const [conversion, flags] of Map.groupBy(open, (flag) => flag.conversion)) {
      world.obligations.push({ conversion, isClawBack: true, amount: -sumOf(flags), status: 'pending', payout: null });
    }
    return;
  }
  for (const { obligation, amount } of open) {
    obligation.amount -= amount;
    if (obligation.amount === 0n) Object.assign(obligation, { status: 'rejected', payout: null });
  }
}

export type Balance = {
  readonly currency: string;
  readonly balance: bigint;
  readonly draft: bigint;
  readonly pending: bigint;
  readonly inPayout: bigint;
  readonly paid: bigint;
};

/**
 * Returns a collaborator's balances, computed from obligations and payouts alone. There is one balance for each
 * currency of the obligations.
 */
export function balancesOf(world: World, collaborator: string): Balance[] {
  const own = world.obligations.filter(({ conversion }) => conversion.collaborator === collaborator);
  const currencies = new Set(own.map(({ conversion }) => conversion.currency));
  return [...currencies].sort().map((currency) => {
    const total = (isCounted: (obligation: Obligation) => boolean): bigint =>
      own
        .filter((one) => one.conversion.currency === currency && isCounted(one))
        .reduce((sum, { amount }) => sum + amount, 0n);
    const draft = total(({ status }) => status === 'draft');
    const pending = total(({ status }) => status === 'pending');
    const inPayout = total(({ payout }) => payout?.status === 'unpaid');
    const paid = total(({ payout }) => payout?.status === 'paid');
    return { currency, balance: pending + inPayout, draft, pending, inPayout, paid };
  });
}
