import type { Kind, Matcher, Period, Reward } from './facts.ts';
import {
  compare,
  decimal,
  type Fraction,
  minus,
  over,
  roundHalfUp,
  split,
  sum,
  times,
  whole,
  ZERO,
} from './fraction.ts';
import { engagementsOf, mayEarn, survivor } from './visitors.ts';
import {
  type Conversion,
  type Explained,
  firstOf,
  isSelf,
  known,
  lastOf,
  type Outcome,
  type Program,
  type Refunded,
  scoreOf,
  type Transaction,
  type World,
} from './world.ts';

/* "Sale → conversions → obligations", rules 2 to 6. */

export type Candidate = {
  readonly program: Program;
  readonly collaborator: string;
  readonly isComplete: boolean;
  /** A renewal's and a manual credit's is given; otherwise the attribution model says it. */
  readonly weight: bigint | null;
  readonly score: number;
  readonly first: number;
  readonly last: number;
};
export type Award = {
  readonly candidate: Candidate;
  readonly weight: bigint;
  readonly amount: bigint;
  readonly currency: string;
  readonly counts: readonly boolean[];
  readonly byQuantity: boolean;
};
export type Decision = { readonly explained: Explained; readonly awards: readonly Award[] };

export function decide(world: World, transaction: Transaction): Decision {
  const { end } = survivor(transaction.opportunity);
  // Nobody is told of who touched a visitor that is gone. What the sale has earned its renewals earn, whatever became of them.
  if (end !== null && transaction.kind !== 'renewal') {
    return { explained: { reason: `opportunity-${end}`, outcomes: [] }, awards: [] };
  }
  const candidates = candidatesOf(world, transaction);
  const { outcomes, awards } = weighUp(world, transaction, candidates);
  const opportunity = survivor(transaction.opportunity);
  // Whoever has a claim is told of with it; the others are told why they have none.
  const claimants = new Set(candidates.map(({ collaborator }) => collaborator));
  const unengaged =
    transaction.kind === 'renewal' ? [] : [...opportunity.unengaged].filter(([name]) => !claimants.has(name));
  const reason = transaction.kind === 'renewal' ? 'no-original-conversion' : 'no-engagement';
  return {
    explained: { ...(candidates.length === 0 ? { reason } : {}), outcomes: [...outcomes, ...unengaged.map(lost)] },
    awards,
  };
}

/** Whoever touched, and got no engagement. */
function lost([collaborator, { reason }]: readonly [name: string, why: { readonly reason: string }]): Outcome {
  return { collaborator, outcome: 'lost', reason, share: 0n };
}

/**
 * Rule 3, without its reasons. A renewal's are the conversions of its sale that no person has rejected, unless all of it was
 * refunded: who was left with nothing by a refund in part may still earn by what is paid anew.
 */
function candidatesOf(world: World, { opportunity, renews }: Transaction): Candidate[] {
  if (renews !== null) {
    return world.conversions
      .filter((one) => one.transaction === renews && renews.status !== 'refunded' && !one.wasRefused)
      .map(({ program, collaborator, weight, moment }) => ({
        program: known(world.programs, program),
        collaborator,
        isComplete: false,
        weight,
        score: 0,
        first: moment,
        last: moment,
      }));
  }
  return engagementsOf(world, survivor(opportunity)).map((engagement) => ({
    program: known(world.programs, engagement.program),
    collaborator: engagement.collaborator,
    isComplete: engagement.completedBy !== null,
    weight: null,
    score: scoreOf(engagement),
    first: firstOf(engagement),
    last: lastOf(engagement),
  }));
}

/** The candidates of one transaction, or of a manual credit the one. */
export function weighUp(
  world: World,
  transaction: Transaction,
  candidates: readonly Candidate[],
): { readonly outcomes: readonly Outcome[]; readonly awards: readonly Award[] } {
  const outcomes: Outcome[] = [];
  const awards: Award[] = [];
  const lose = ({ program, collaborator }: Candidate, reason: string): void => {
    outcomes.push({ program: program.name, collaborator, outcome: 'lost', reason, share: 0n });
  };
  const standing: Candidate[] = [];
  for (const candidate of candidates) {
    const reason = dropReason(world, transaction, candidate);
    if (reason === null) standing.push(candidate);
    else lose(candidate, reason);
  }
  for (const program of new Set(standing.map(({ program }) => program))) {
    const own = standing.filter((one) => one.program === program).sort((a, b) => a.first - b.first);
    if (programOfGroup(world, program, standing) !== program) {
      for (const candidate of own) lose(candidate, 'lost-in-group');
      continue;
    }
    for (const { candidate, weight, share, reason } of shareOut(world, transaction, own)) {
      if (share === 0n) {
        lose(candidate, reason ?? 'share-is-zero');
        continue;
      }
      const { collaborator } = candidate;
      outcomes.push({ program: program.name, collaborator, outcome: 'won', ...(reason && { reason }), share });
      awards.push({
        candidate,
        weight,
        amount: share,
        currency: currencyOf(transaction, program),
        counts: countedLines(transaction, program),
        byQuantity: rewardOf(world, transaction, candidate).type === 'per-product',
      });
    }
  }
  return { outcomes, awards };
}

function currencyOf(transaction: Transaction, { terms }: Program): string {
  return transaction.kind === 'lead' ? terms.currency : transaction.currency;
}

function dropReason(world: World, transaction: Transaction, candidate: Candidate): string | null {
  const { kind, buyer, renews, renewalNumber } = transaction;
  const { program, weight, isComplete } = candidate;
  const { terms } = program;
  const collaborator = known(world.collaborators, candidate.collaborator);
  const reward = rewardOf(world, transaction, candidate);
  if (terms.status !== 'active' || program.isDeleted) return 'program-inactive';
  if (!pays(program, kind, reward)) return 'event-not-paid';
  if (collaborator.status !== 'active') return 'collaborator-inactive';
  if (!mayEarn(program, collaborator)) return 'not-enrolled';
  if (renews === null && isSelf(collaborator, buyer)) return 'self-referral';
  if (weight === null && isComplete) return 'already-credited';
  // Windows are not told of: the oracle has no clock.
  if (renews !== null && terms.renewals !== null && renewalNumber > terms.renewals.times) return 'renewal-limit';
  if (kind === 'lead') return null;
  if (hasFixedAmount(program, candidate, reward) && terms.currency !== transaction.currency) return 'currency-mismatch';
  if (baseOf(transaction, program) <= 0n) return 'nothing-counted';
  if (terms.minimumOrder !== null && transaction.total < BigInt(terms.minimumOrder)) return 'below-minimum';
  return null;
}

/** A fixed reward for leads pays leads, any other one sales and renewals. */
function pays({ terms }: Program, kind: Kind, reward: Reward): boolean {
  return terms.pays.includes(kind) && (kind === 'lead') === (reward.type === 'per-lead');
}

/** Of a tier by sum only where the tiers are looked at: a collaborator's own terms go before them. */
function hasFixedAmount({ terms }: Program, { collaborator }: Candidate, reward: Reward): boolean {
  const hasOwn = terms.collaboratorRewards.some((one) => one.collaborator === collaborator);
  return (
    reward.type !== 'percent' ||
    terms.capPerOrder !== null ||
    terms.capPerPeriod !== null ||
    terms.minimumOrder !== null ||
    (!hasOwn && terms.tiers?.by === 'sum')
  );
}

/** The collaborator's own terms, or the highest tier that is reached, or those of the program. */
function rewardOf(world: World, transaction: Transaction, { program, collaborator }: Candidate): Reward {
  const { tiers, reward, collaboratorRewards } = program.terms;
  const own = collaboratorRewards.find((one) => one.collaborator === collaborator);
  if (own !== undefined) return own.reward;
  let reached = reward;
  if (tiers === null) return reached;
  const earned = earnedBefore(world, program, collaborator, tiers.period, transaction.soldAt);
  for (const step of tiers.steps) if (earned[tiers.by] >= BigInt(step.from)) reached = step.reward;
  return reached;
}

/** Rule 6: what was awarded in the period, in the program's currency, and not rejected since. */
function earnedBefore(
  world: World,
  { name, terms }: Program,
  collaborator: string,
  period: Period,
  soldAt: Date,
): { readonly sum: bigint; readonly count: bigint } {
  const all = world.conversions.filter(
    (one) =>
      one.program === name &&
      one.collaborator === collaborator &&
      one.currency === terms.currency &&
      one.status !== 'rejected' &&
      periodOf(one.transaction.soldAt, period) === periodOf(soldAt, period),
  );
  return { sum: all.reduce((total, { awarded }) => total + awarded, 0n), count: BigInt(all.length) };
}

/** A name of its own for each, by the UTC calendar; a week begins on Monday. */
export function periodOf(moment: Date, period: Period): string {
  const day = moment.toISOString().slice(0, 10);
  const [year = '', month = ''] = day.split('-');
  switch (period) {
    case 'day':
      return day;
    case 'week': {
      const monday = new Date(moment);
      monday.setUTCDate(moment.getUTCDate() - ((moment.getUTCDay() + 6) % 7));
      return monday.toISOString().slice(0, 10);
    }
    case 'month':
      return `${year}-${month}`;
    case 'quarter':
      return `${year} ${Math.ceil(Number(month) / 3)}`;
    case 'year':
      return year;
    case 'lifetime':
      return '';
    default:
      return period satisfies never;
  }
}

/** Rule 2, with the program's filter: which lines count. */
export function countedLines({ lines }: Transaction, { terms }: Program): boolean[] {
  const { countedLines, lineFilter } = terms;
  return lines.map((line) => {
    const matches = (matchers: readonly Matcher[]): boolean => matchers.some((one) => isMatch(one, line));
    if (!countedLines.includes(line.type)) return false;
    if (lineFilter === null) return true;
    return (lineFilter.include.length === 0 || matches(lineFilter.include)) && !matches(lineFilter.exclude);
  });
}

function isMatch(matcher: Matcher, { externalId, name, type }: Transaction['lines'][number]): boolean {
  if ('externalId' in matcher) return matcher.externalId === externalId;
  if ('type' in matcher) return matcher.type === type;
  return isLike(name.toLowerCase(), matcher.name.toLowerCase());
}

/** `*` is any text. */
function isLike(text: string, pattern: string): boolean {
  if (pattern === '') return text === '';
  if (pattern.startsWith('*')) return isLike(text, pattern.slice(1)) || (text !== '' && isLike(text.slice(1), pattern));
  return text !== '' && pattern[0] === text[0] && isLike(text.slice(1), pattern.slice(1));
}

export function baseOf(transaction: Transaction, program: Program): bigint {
  const counts = countedLines(transaction, program);
  let base = 0n;
  for (const [index, { amount, quantity }] of transaction.lines.entries()) {
    if (counts[index]) base += amount * BigInt(quantity);
  }
  return base;
}

function quantityOf(transaction: Transaction, program: Program): bigint {
  const counts = countedLines(transaction, program);
  let pieces = 0n;
  for (const [index, { type, quantity }] of transaction.lines.entries()) {
    if (counts[index] && type !== 'discount') pieces += BigInt(quantity);
  }
  return pieces;
}

/** Rule 4. Where touches are the same (one visit touches several programs) the oldest claim's goes on, then the oldest program. */
function programOfGroup(world: World, program: Program, standing: readonly Candidate[]): Program {
  const { group } = program.terms;
  if (group === null) return program;
  const { rule } = known(world.groups, group);
  const order = [...world.programs.keys()];
  const [chosen] = standing
    .filter((one) => one.program.terms.group === group)
    .sort(
      (a, b) =>
        (rule === 'newest' ? b.last - a.last : 0) ||
        a.first - b.first ||
        order.indexOf(a.program.name) - order.indexOf(b.program.name),
    );
  return chosen?.program ?? program;
}

type Share = {
  readonly candidate: Candidate;
  readonly weight: bigint;
  readonly share: bigint;
  readonly reason?: string;
};

/** Rules 5 and 6, for the candidates of one program that are left, the oldest first. */
function shareOut(world: World, transaction: Transaction, candidates: readonly Candidate[]): Share[] {
  const { terms } = candidates[0]!.program;
  const weights = weigh(candidates);
  const allWeights = whole(weights.reduce((a, b) => a + b, 0n));
  const exact = candidates.map((candidate, index) => {
    const reward = exactReward(transaction, candidate.program, rewardOf(world, transaction, candidate));
    return over(times(reward, whole(weights[index]!)), allWeights);
  });
  const rounded = roundHalfUp(sum(exact));
  const cap = terms.capPerOrder === null ? rounded : BigInt(terms.capPerOrder);
  const parts = split(rounded < cap ? rounded : cap, exact);
  return candidates.map((candidate, index): Share => {
    const weight = weights[index]!;
    const part = parts[index]!;
    if (weight === 0n) return { candidate, weight, share: 0n, reason: LOST[terms.attribution] };
    if (part === 0n) return { candidate, weight, share: 0n };
    const left = leftOfCap(world, transaction, candidate);
    if (left === null || part <= left) return { candidate, weight, share: part };
    return { candidate, weight, share: left, reason: 'cap-reached' };
  });
}

const LOST = {
  'last-touch': 'lost-to-newer',
  'first-touch': 'lost-to-older',
  'top-score': 'lost-to-higher',
  // These split: every candidate has a weight.
  linear: '',
  weighted: '',
};

function leftOfCap(world: World, { soldAt }: Transaction, { program, collaborator }: Candidate): bigint | null {
  const { capPerPeriod: cap } = program.terms;
  if (cap === null) return null;
  const left = BigInt(cap.amount) - earnedBefore(world, program, collaborator, cap.period, soldAt).sum;
  return left > 0n ? left : 0n;
}

function weigh(candidates: readonly Candidate[]): bigint[] {
  const { attribution } = candidates[0]!.program.terms;
  const newest = Math.max(...candidates.map(({ last }) => last));
  const highest = Math.max(...candidates.map(({ score }) => score));
  const one = (index: number, chosen: number): bigint => (index === chosen ? 1n : 0n);
  return candidates.map(({ weight, score }, index) => {
    if (weight !== null) return weight;
    switch (attribution) {
      case 'last-touch':
        return one(
          index,
          candidates.findIndex(({ last }) => last === newest),
        );
      case 'first-touch':
        return one(index, 0);
      case 'top-score':
        return one(
          index,
          candidates.findIndex(({ score }) => score === highest),
        );
      case 'linear':
        return 1n;
      case 'weighted':
        return BigInt(score);
      default:
        return attribution satisfies never;
    }
  });
}

function exactReward(transaction: Transaction, program: Program, reward: Reward): Fraction {
  switch (reward.type) {
    case 'percent':
      return over(times(whole(baseOf(transaction, program)), decimal(reward.percent)), whole(100));
    case 'per-product':
      return whole(BigInt(reward.amount) * quantityOf(transaction, program));
    case 'per-sale':
    case 'per-lead':
      return whole(reward.amount);
    default:
      return reward satisfies never;
  }
}

/** What a conversion is worth after refunds: section 5, rule 5. */
export function worthOf({ transaction, awarded, counts, byQuantity }: Conversion, refunded: Refunded): bigint {
  if (refunded.isFull) return 0n;
  let sold = 0n;
  let back = 0n;
  for (const [index, { type, amount, quantity }] of transaction.lines.entries()) {
    if (counts[index] !== true || (byQuantity && type === 'discount')) continue;
    const each = byQuantity ? 1n : amount;
    sold += each * BigInt(quantity);
    back += each * BigInt(refunded.quantities[index]!);
  }
  const byAmount = over(whole(sold * refunded.amounts), whole(transaction.total));
  // No share ever rises, though a discount may be taken back alone.
  const left = minus(whole(back > 0n ? sold - back : sold), byAmount);
  return compare(left, ZERO) <= 0 ? 0n : roundHalfUp(over(times(whole(awarded), left), whole(sold)));
}
