import { isHeld } from './holds.ts';
import type { Payment } from './facts.ts';
import { worthOf } from './decision.ts';
import { type Conversion, known, type Obligation, type Payout, type Refunded, type Run, type World } from './world.ts';

/* Obligations, refunds and payout runs: sections 5 and 6. */

/**
 * Records the obligation of a decided transaction or a manual credit. `conversion.status` says whether it is payable at
 * once.
 */
export function owe(world: World, conversion: Conversion): void {
  world.conversions.push(conversion);
  world.obligations.push({
    conversion,
    isClawBack: false,
    amount: conversion.amount,
    status: conversion.status === 'approved' ? 'pending' : 'draft',
    payout: null,
  });
}

/** Revises conversions to their worth after a refund. */
export function revise(world: World, conversions: readonly Conversion[], refunded: Refunded): void {
  for (const conversion of conversions) {
    if (conversion.status === 'rejected') continue;
    const worth = worthOf(conversion, refunded);
    // The amount stays for later reading.
    if (worth === 0n) conversion.status = 'rejected';
    else conversion.amount = worth;
    followUp(world, conversion);
  }
}

/** Reduces an open obligation. An obligation in a payout stays, and the payout is flagged with the difference. */
function followUp(world: World, conversion: Conversion): void {
  const main = mainOf(world, conversion);
  const worth = conversion.status === 'rejected' ? 0n : conversion.amount;
  if (main.payout !== null) {
    const owed = world.obligations
      .filter((one) => one.conversion === conversion && one.status !== 'rejected')
      .reduce((total, { amount }) => total + amount, 0n);
    const flagged = world.payouts
      .flatMap(({ flags }) => flags)
      .filter((flag) => flag.conversion === conversion && (flag.resolution === null || flag.resolution === 'keep'))
      .reduce((total, { amount }) => total + amount, 0n);
    const difference = owed - worth - flagged;
    if (difference > 0n) main.payout.flags.push({ conversion, amount: difference, resolution: null });
  } else if (main.status !== 'rejected') {
    reopen(main, worth, main.status);
  }
}

export function mainOf(world: World, conversion: Conversion): Obligation {
  return world.obligations.find((one) => one.conversion === conversion && !one.isClawBack)!;
}

function reopen(obligation: Obligation, worth: bigint, status: Obligation['status']): void {
  obligation.payout = null;
  obligation.status = worth === 0n ? 'rejected' : status;
  if (worth > 0n) obligation.amount = worth;
}

/** Applies a person's or a timer's change of money. Returns false if it is refused. */
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
    if (conversion.status === 'rejected') return true;
    conversion.status = 'rejected';
    conversion.wasRefused = true;
    followUp(world, conversion);
    return true;
  }
  if (conversion.status === 'rejected') return false;
  if (action === 'release' && !isHeld(conversion)) return true;
  const becomes = action === 'approve' ? 'approved' : conversion.released;
  if (conversion.holds.length > 0) conversion.isReleased = true;
  if (conversion.status === 'pending' && becomes === 'approved') {
    conversion.status = 'approved';
    mainOf(world, conversion).status = 'pending';
  }
  return true;
}

/** Creates one run per currency with a payable collaborator (rule 1). */
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

/** Moves a run to its next state (rule 3). Repeating an action changes nothing. */
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

/** Makes the payout's obligations pending again at their present worth. */
function voidPayout(world: World, payout: Payout): void {
  for (const flag of payout.flags) if (flag.resolution !== 'claw-back') flag.resolution = 'void';
  for (const obligation of obligationsIn(world, payout)) {
    const { conversion, isClawBack } = obligation;
    const worth = conversion.status === 'rejected' ? 0n : conversion.amount;
    if (isClawBack) Object.assign(obligation, { status: 'pending', payout: null });
    else reopen(obligation, worth, 'pending');
  }
  payout.status = 'void';
}

function mark(action: 'mark-paid' | 'mark-unpaid', payout: Payout): boolean {
  const isDone = payout.status === (action === 'mark-paid' ? 'paid' : 'unpaid');
  if (isDone) return true;
  if (payout.status === 'void' || !['pending', 'processing'].includes(payout.run.status)) return false;
  if (action === 'mark-paid' ? isFlagged(payout) : payout.wasClawedBackPaid) return false;
  payout.status = action === 'mark-paid' ? 'paid' : 'unpaid';
  return true;
}

/** Decides a flagged payout (section 5, rule 3). */
function review(world: World, payout: Payout, resolution: 'keep' | 'claw-back'): boolean {
  if (!isFlagged(payout)) return false;
  const open = payout.flags.filter((flag) => flag.resolution === null);
  for (const flag of open) flag.resolution = resolution;
  for (const conversion of resolution === 'keep' ? [] : new Set(open.map((flag) => flag.conversion))) {
    const flags = open.filter((flag) => flag.conversion === conversion);
    clawBack(
      world,
      payout,
      conversion,
      flags.reduce((sum, { amount }) => sum + amount, 0n),
    );
  }
  // A payout must be positive.
  if (payout.status === 'unpaid' && amountOf(world, payout) <= 0n) voidPayout(world, payout);
  return true;
}

function clawBack(world: World, payout: Payout, conversion: Conversion, amount: bigint): void {
  if (payout.status === 'paid') {
    payout.wasClawedBackPaid = true;
    world.obligations.push({ conversion, isClawBack: true, amount: -amount, status: 'pending', payout: null });
    return;
  }
  const main = mainOf(world, conversion);
  main.amount -= amount;
  if (main.amount === 0n) Object.assign(main, { status: 'rejected', payout: null });
}

export type Balance = {
  readonly currency: string;
  readonly balance: bigint;
  readonly draft: bigint;
  readonly pending: bigint;
  readonly inPayout: bigint;
  readonly paid: bigint;
};

/** Returns balances from obligations and payouts alone (rule 4). Currencies that were never used are omitted. */
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
