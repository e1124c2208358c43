import type { Kind, Matcher, Period, Reward, Terms } from './facts.ts';
import { compare, decimal, type Fraction, minus, over, roundTo, split, sum, times, whole, ZERO } from './fraction.ts';
import { engagementsOf, mayEarn, survivor } from './visitors.ts';
import {
  type Conversion,
  type Explained,
  counts,
  firstOf,
  isSelf,
  known,
  lastOf,
  orderOf,
  type Outcome,
  type Program,
  type Refunded,
  returnedOf,
  scoreOf,
  type Transaction,
  type Weighed,
  type World,
} from './world.ts';

/* The oracle's rules for the conversions and obligations of a decided transaction. */

export type Candidate = {
  readonly program: Program;
  readonly collaborator: string;
  readonly isComplete: boolean;
  /** The weight in a renewal or manual credit. Otherwise null, because the attribution model determines the weight. */
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
  readonly terms: Terms;
  readonly byQuantity: boolean;
};
export type Decision = {
  readonly explained: Explained;
  readonly awards: readonly Award[];
  readonly weighed: readonly (readonly Weighed[])[];
};

export function decide(world: World, transaction: Transaction): Decision {
  const { end } = survivor(transaction.opportunity);
  // For an erased visitor, the explanation names no collaborator. Renewals still pay the collaborators who earned from
  // the sale.
  if (end !== null && transaction.kind !== 'renewal') {
    return { explained: { reason: `opportunity-${end}`, outcomes: [] }, awards: [], weighed: [] };
  }
  const candidates = candidatesOf(world, transaction);
  const { outcomes, awards, weighed } = weighUp(world, transaction, candidates);
  const opportunity = survivor(transaction.opportunity);
  // A collaborator without a claim is listed with the reason why the claim is missing.
  const claimants = new Set(candidates.map(({ collaborator }) => collaborator));
  const unengaged =
    transaction.kind === 'renewal'
      ? []
      : [...opportunity.unengaged].flatMap(([name, all]): (readonly [string, { readonly reason: string }])[] => {
          const newest = all.filter((one) => counts(one, transaction)).sort((a, b) => orderOf(b) - orderOf(a))[0];
          return newest === undefined || claimants.has(name) ? [] : [[name, newest]];
        });
  const reason = transaction.kind === 'renewal' ? 'no-original-conversion' : 'no-engagement';
  return {
    explained: { ...(candidates.length === 0 ? { reason } : {}), outcomes: [...outcomes, ...unengaged.map(lost)] },
    awards,
    weighed,
  };
}

/** Returns the outcome of a collaborator whose touch made no engagement. */
function lost([collaborator, { reason }]: readonly [name: string, why: { readonly reason: string }]): Outcome {
  return { collaborator, outcome: 'lost', reason, share: 0n };
}

/**
 * Returns the candidates of a transaction. The candidates of a renewal are the conversions of its sale that no person
 * has rejected, unless the sale is fully refunded. A conversion that a partial refund reduced to zero still counts.
 */
function candidatesOf(world: World, transaction: Transaction): Candidate[] {
  const { opportunity, renews } = transaction;
  if (renews !== null) {
    return world.conversions
      .filter((one) => one.transaction === renews && renews.status !== 'refunded' && !one.wasRefused)
      .map(({ program, collaborator, weight, moment, first }) => ({
        program: known(world.programs, program),
        collaborator,
        isComplete: false,
        weight,
        score: 0,
        first,
        last: moment,
      }));
  }
  return engagementsOf(world, survivor(opportunity)).flatMap(({ program, collaborator, completedBy, touches }) => {
    const counted = { touches: touches.filter((one) => counts(one, transaction)) };
    if (counted.touches.length === 0) return [];
    return {
      program: known(world.programs, program),
      collaborator,
      isComplete: completedBy !== null,
      weight: null,
      score: scoreOf(counted),
      first: firstOf(counted),
      last: lastOf(counted),
    };
  });
}

/** Returns the outcomes and awards of the candidates of a transaction or of a manual credit. */
export function weighUp(
  world: World,
  transaction: Transaction,
  candidates: readonly Candidate[],
): Omit<Decision, 'explained'> & { readonly outcomes: readonly Outcome[] } {
  const outcomes: Outcome[] = [];
  const awards: Award[] = [];
  const weighedUp: (readonly Weighed[])[] = [];
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
    const weighed = measure(world, transaction, own);
    weighedUp.push(weighed);
    for (const [index, { share, reason }] of shareOut(transaction, weighed).entries()) {
      const candidate = own[index]!;
      const { weight, reward } = weighed[index]!;
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
        terms: program.terms,
        byQuantity: reward.type === 'per-product',
      });
    }
  }
  return { outcomes, awards, weighed: weighedUp };
}

function currencyOf(transaction: Transaction, { terms }: { readonly terms: Terms }): string {
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
  // The oracle has no clock, so it ignores attribution windows.
  if (renews !== null && terms.renewals !== null && renewalNumber > terms.renewals.times) return 'renewal-limit';
  if (kind === 'lead') return null;
  if (hasFixedAmount(transaction, program, candidate, reward) && terms.currency !== transaction.currency)
    return 'currency-mismatch';
  if (baseOf(transaction, terms) <= 0n) return 'nothing-counted';
  if (terms.minimumOrder !== null && transaction.total < BigInt(terms.minimumOrder)) return 'below-minimum';
  return null;
}

/**
 * Returns whether a program pays for the kind of a transaction. A per-lead reward pays only for leads. Any other reward
 * pays only for sales and renewals.
 */
function pays({ terms }: Program, kind: Kind, reward: Reward): boolean {
  return terms.pays.includes(kind) && (kind === 'lead') === (reward.type === 'per-lead');
}

/**
 * Returns whether the award depends on an amount in the program's currency: a fixed reward, a cap, a minimum order or a
 * tier by sum. The tier counts only if neither the collaborator nor the renewal has a reward of its own.
 */
function hasFixedAmount(
  transaction: Transaction,
  program: Program,
  { collaborator }: Candidate,
  reward: Reward,
): boolean {
  const { terms } = program;
  const hasOwn =
    terms.collaboratorRewards.some((one) => one.collaborator === collaborator) ||
    agedReward(transaction, program) !== undefined;
  return (
    reward.type !== 'percent' ||
    terms.capPerOrder !== null ||
    terms.capPerPeriod !== null ||
    terms.minimumOrder !== null ||
    (!hasOwn && terms.tiers?.by === 'sum')
  );
}

/**
 * Returns the program's reward for renewals of age 0 and above, or undefined if there is none. Also returns undefined
 * if the transaction is no renewal, or is a renewal that occurred before its sale and so has no age.
 */
function agedReward({ renews, soldAt }: Transaction, { terms }: Program): Reward | undefined {
  if (renews === null || soldAt < renews.soldAt) return undefined;
  return terms.renewalRewards.find(({ afterMonths }) => afterMonths === 0)?.reward;
}

/** Returns the first reward that exists: the collaborator's own, the renewal's, the reached tier's, the program's. */
function rewardOf(world: World, transaction: Transaction, { program, collaborator }: Candidate): Reward {
  const { tiers, reward, collaboratorRewards } = program.terms;
  const own = collaboratorRewards.find((one) => one.collaborator === collaborator);
  if (own !== undefined) return own.reward;
  const aged = agedReward(transaction, program);
  if (aged !== undefined) return aged;
  let reached = reward;
  if (tiers === null) return reached;
  const earned = earnedBefore(world, program, collaborator, tiers.period, transaction.soldAt);
  for (const step of tiers.steps) if (earned[tiers.by] >= BigInt(step.from)) reached = step.reward;
  return reached;
}

/**
 * Returns the sum and count of a collaborator's unrejected awards in a program and period. Only awards in the program's
 * currency are included.
 */
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

/** Returns a unique name for each period of the UTC calendar. A week begins on Monday. */
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

/** Returns for each line whether it counts for a program with the given terms. */
export function countedLines({ lines }: Pick<Transaction, 'lines'>, { countedLines, lineFilter }: Terms): boolean[] {
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

/** Returns whether a text matches a pattern in which `*` matches any text. */
function isLike(text: string, pattern: string): boolean {
  if (pattern === '') return text === '';
  if (pattern.startsWith('*')) return isLike(text, pattern.slice(1)) || (text !== '' && isLike(text.slice(1), pattern));
  return text !== '' && pattern[0] === text[0] && isLike(text.slice(1), pattern.slice(1));
}

export function baseOf(transaction: Transaction, terms: Terms): bigint {
  const counts = countedLines(transaction, terms);
  let base = 0n;
  for (const [index, { total }] of transaction.lines.entries()) {
    if (counts[index]) base += total;
  }
  return base;
}

function quantityOf(transaction: Transaction, terms: Terms): bigint {
  const counts = countedLines(transaction, terms);
  let pieces = 0n;
  for (const [index, { type, quantity }] of transaction.lines.entries()) {
    if (counts[index] && type !== 'discount') pieces += BigInt(quantity);
  }
  return pieces;
}

/**
 * Returns which program of a program's group pays, or the program itself if it has no group. Under the rule `newest`,
 * the newest touch wins. Otherwise, and in a tie, the oldest first touch wins, then the oldest program.
 */
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

type Share = { readonly share: bigint; readonly reason?: string };

/** The currencies that have no decimals in ISO 4217. Banks pay only whole units of such currencies. */
const WHOLE = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '));

/** Returns the unit of awards in a currency, in hundredths. */
export function unitOf(currency: string): bigint {
  return WHOLE.has(currency) ? 100n : 1n;
}

function downTo(unit: bigint, amount: bigint): bigint {
  return (amount / unit) * unit;
}

/** Returns the claims of one program's remaining candidates, with all data that their shares depend on. */
function measure(world: World, transaction: Transaction, candidates: readonly Candidate[]): Weighed[] {
  const weights = weigh(candidates);
  return candidates.map((candidate, index) => ({
    program: candidate.program.name,
    collaborator: candidate.collaborator,
    terms: candidate.program.terms,
    weight: weights[index]!,
    reward: rewardOf(world, transaction, candidate),
    left: leftOfCap(world, transaction, candidate),
  }));
}

/** Splits the reward among the weighed candidates of one program. */
function shareOut(transaction: Transaction, weighed: readonly Weighed[]): Share[] {
  const { terms } = weighed[0]!;
  const allWeights = whole(weighed.reduce((all, { weight }) => all + weight, 0n));
  const exact = weighed.map(({ weight, reward }) =>
    over(times(exactReward(transaction, terms, reward), whole(weight)), allWeights),
  );
  const unit = unitOf(currencyOf(transaction, { terms }));
  const rounded = roundTo(unit, sum(exact));
  const cap = terms.capPerOrder === null ? rounded : downTo(unit, BigInt(terms.capPerOrder));
  const parts = split((rounded < cap ? rounded : cap) / unit, exact).map((units) => units * unit);
  return weighed.map(({ weight, left }, index): Share => {
    const part = parts[index]!;
    if (weight === 0n) return { share: 0n, reason: LOST[terms.attribution] };
    if (part === 0n) return { share: 0n };
    if (left === null || part <= left) return { share: part };
    return { share: downTo(unit, left), reason: 'cap-reached' };
  });
}

/** Returns the amount of each claim after a correction of the transaction, by `program/collaborator`. */
export function divideCorrected(transaction: Transaction): Map<string, bigint> {
  const shares = new Map<string, bigint>();
  for (const weighed of transaction.weighed) {
    const { terms } = weighed[0]!;
    const isPaid =
      baseOf(transaction, terms) > 0n &&
      (terms.minimumOrder === null || transaction.total >= BigInt(terms.minimumOrder));
    const parts = isPaid ? shareOut(transaction, weighed) : weighed.map(() => ({ share: 0n }));
    for (const [index, { program, collaborator }] of weighed.entries()) {
      shares.set(`${program}/${collaborator}`, parts[index]!.share);
    }
  }
  return shares;
}

const LOST = {
  'last-touch': 'lost-to-newer',
  'first-touch': 'lost-to-older',
  'top-score': 'lost-to-higher',
  // Linear and weighted split the reward. Every candidate has a weight, so no candidate loses.
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

function exactReward(transaction: Transaction, terms: Terms, reward: Reward): Fraction {
  switch (reward.type) {
    case 'percent':
      return over(times(whole(baseOf(transaction, terms)), decimal(reward.percent)), whole(100));
    case 'per-product':
      return whole(BigInt(reward.amount) * quantityOf(transaction, terms));
    case 'per-sale':
    case 'per-lead':
      return whole(reward.amount);
    default:
      return reward satisfies never;
  }
}

/** Returns the worth of a conversion in hundredths after refunds and corrections. */
export function worthOf(
  { transaction, corrected: awarded, currency, terms, byQuantity }: Conversion,
  refunded: Refunded,
): bigint {
  if (refunded.isFull) return 0n;
  const counts = countedLines(transaction, terms);
  let sold = 0n;
  let back = 0n;
  for (const [index, line] of transaction.lines.entries()) {
    if (counts[index] !== true || (byQuantity && line.type === 'discount')) continue;
    const returned = refunded.quantities[index]!;
    sold += byQuantity ? BigInt(line.quantity) : line.total;
    back += byQuantity ? BigInt(returned) : returnedOf(line, returned);
  }
  // If no line counts for the program, a refund cannot reduce the credit.
  if (sold <= 0n) return awarded;
  // With a total of 0, no amount can be refunded.
  const { total } = transaction;
  const byAmount = total > 0n ? over(whole(sold * refunded.amounts), whole(total)) : ZERO;
  // The remainder is below 0 only if the program was credited after the refunds. Otherwise, the refund would be
  // refused.
  const left = minus(whole(back > 0n ? sold - back : sold), byAmount);
  return compare(left, ZERO) <= 0 ? 0n : roundTo(unitOf(currency), over(times(whole(awarded), left), whole(sold)));
}
