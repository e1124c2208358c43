/*
 * What collaborators earn, computed a second time: from the rules alone (domain.md), in whole pence, sharing no
 * code with the service. It is plain on purpose: one fact after the other, everything in memory. Where the service and
 * this file disagree, one of them misreads a rule.
 */

export type Model = 'last-touch' | 'first-touch' | 'linear' | 'weighted' | 'top-score';
export type LineKind = 'product' | 'shipping' | 'fee' | 'discount';

export type Program = {
  readonly name: string;
  readonly currency: string;
  /** `percent` as its digits, `pence` of a fixed reward. */
  readonly reward:
    | { readonly type: 'percent'; readonly percent: string }
    | { readonly type: 'per-sale'; readonly pence: number }
    | { readonly type: 'per-product'; readonly pence: number };
  readonly attribution: Model;
  readonly countedLines: readonly LineKind[];
  readonly points: number;
  readonly autoApprove: boolean;
};
export type Collaborator = { readonly name: string; readonly userId?: number };

export type Line = {
  readonly externalId: string;
  readonly name: string;
  readonly type: LineKind;
  readonly quantity: number;
  /** Pounds, as their digits. */
  readonly amount: string;
};
export type Visit = {
  readonly kind: 'visit';
  readonly id: string;
  readonly collaborator: string;
  /** The visit whose number the browser still carries. */
  readonly presents?: string;
  readonly userId?: number;
};
export type Sale = {
  readonly kind: 'sale';
  readonly order: string;
  /** The visit whose number the shop kept with the order. */
  readonly visit: string;
  readonly currency: string;
  readonly lines: readonly Line[];
};
export type Refund = { readonly kind: 'refund'; readonly order: string };
export type Fact = Visit | Sale | Refund;

/** What may become of a candidate in a story in which nothing expires, nobody is inactive and every program pays. */
export const OUTCOMES = [
  'won',
  'lost-to-newer',
  'lost-to-older',
  'lost-to-higher',
  'share-is-zero',
  'self-referral',
  'currency-mismatch',
  'nothing-counted',
] as const;

/** One candidate of a sale. Without a program: a collaborator whose visit made no engagement at all. */
export type Outcome = {
  readonly program?: string;
  readonly collaborator: string;
  readonly pence: bigint;
  readonly result: (typeof OUTCOMES)[number];
};
export type DecidedSale = {
  readonly order: string;
  readonly currency: string;
  readonly pence: bigint;
  readonly outcomes: readonly Outcome[];
  refunded: boolean;
};
/** What one collaborator has earned in one program with one sale: a conversion, or the obligation for it. */
export type Owed = {
  readonly order: string;
  readonly program: string;
  readonly collaborator: string;
  readonly currency: string;
  readonly status: string;
  readonly pence: bigint;
};
export type Decided = {
  readonly sales: ReadonlyMap<string, DecidedSale>;
  readonly conversions: readonly Owed[];
  readonly obligations: readonly Owed[];
  /** The opportunity, in a numbering of its own, that each visit and each sale led to when it was reported. */
  readonly opportunities: ReadonlyMap<string, number>;
  readonly merges: number;
};

type Claim = { program: Program; collaborator: Collaborator; score: number; first: number; last: number };
type Opportunity = {
  readonly born: number;
  userId: number | undefined;
  claims: Claim[];
  unengaged: Set<string>;
  mergedInto: Opportunity | undefined;
};

/** Goes through the facts in their order. Facts of visitors who share nothing may stand in any order to each other. */
export function commissions(
  programs: readonly Program[],
  collaborators: readonly Collaborator[],
  facts: readonly Fact[],
): Decided {
  const all: Opportunity[] = [];
  const ledTo = new Map<string, Opportunity>();
  const opportunities = new Map<string, number>();
  const sales = new Map<string, DecidedSale>();
  for (const [moment, fact] of facts.entries()) {
    switch (fact.kind) {
      case 'visit': {
        const opportunity = place(fact);
        ledTo.set(fact.id, opportunity);
        opportunities.set(fact.id, opportunity.born);
        engage(opportunity, fact.collaborator, moment);
        break;
      }
      case 'sale': {
        const opportunity = survivor(ledTo.get(fact.visit)!);
        opportunities.set(fact.order, opportunity.born);
        sales.set(fact.order, decide(fact, opportunity));
        break;
      }
      case 'refund':
        sales.get(fact.order)!.refunded = true;
        break;
      default:
        fact satisfies never;
    }
  }
  return {
    sales,
    conversions: owed('approved', 'pending'),
    obligations: owed('pending', 'draft'),
    opportunities,
    merges: all.filter(({ mergedInto }) => mergedInto !== undefined).length,
  };

  /** "Visit → engagement", rule 2. */
  function place({ presents, userId }: Visit): Opportunity {
    const header = presents === undefined ? undefined : survivor(ledTo.get(presents)!);
    if (userId === undefined) return header ?? create(undefined);
    const own = all.find((one) => one.userId === userId && one.mergedInto === undefined);
    if (header === undefined) return own ?? create(userId);
    if (header.userId === userId) return header;
    if (header.userId !== undefined) return own ?? create(userId);
    if (own !== undefined) return merge(header, own);
    header.userId = userId;
    return header;
  }

  function create(userId: number | undefined): Opportunity {
    const opportunity = { born: all.length, userId, claims: [], unengaged: new Set<string>(), mergedInto: undefined };
    all.push(opportunity);
    return opportunity;
  }

  /** Rules 3 and 4. */
  function engage(opportunity: Opportunity, name: string, moment: number): void {
    const collaborator = collaborators.find((one) => one.name === name)!;
    if (collaborator.userId !== undefined && collaborator.userId === opportunity.userId) {
      opportunity.unengaged.add(name);
      return;
    }
    for (const program of programs) {
      const claim = opportunity.claims.find((one) => one.program === program && one.collaborator === collaborator);
      if (claim === undefined) {
        opportunity.claims.push({ program, collaborator, score: program.points, first: moment, last: moment });
      } else {
        claim.score += program.points;
        claim.last = moment;
      }
    }
  }

  /** "Sale → conversions → obligations", rules 2 to 7. */
  function decide({ order, currency, lines }: Sale, opportunity: Opportunity): DecidedSale {
    // Whoever has a claim is told of with it; the others are told why they have none.
    const claimants = new Set(opportunity.claims.map((claim) => claim.collaborator.name));
    const outcomes: Outcome[] = [...opportunity.unengaged]
      .filter((collaborator) => !claimants.has(collaborator))
      .map((collaborator) => ({ collaborator, pence: 0n, result: 'self-referral' }));
    for (const program of programs) {
      const claims = opportunity.claims.filter((one) => one.program === program).sort((a, b) => a.first - b.first);
      const counted = lines.filter(({ type }) => program.countedLines.includes(type));
      const standing: Claim[] = [];
      for (const claim of claims) {
        const result = dropped(claim, opportunity, currency, sum(counted));
        if (result === undefined) standing.push(claim);
        else outcomes.push({ program: program.name, collaborator: claim.collaborator.name, pence: 0n, result });
      }
      if (standing.length > 0) outcomes.push(...share(program, standing, counted));
    }
    return { order, currency, pence: sum(lines), outcomes, refunded: false };
  }

  /** Rule 7. A refund, whenever it comes, leaves what the sale has earned or would have earned: rejected. */
  function owed(atOnce: string, later: string): Owed[] {
    return [...sales.values()].flatMap(({ order, currency, outcomes, refunded }) =>
      outcomes.flatMap(({ program = '', collaborator, pence, result }) => {
        if (result !== 'won') return [];
        const isAtOnce = programs.some(({ name, autoApprove }) => name === program && autoApprove);
        const status = refunded ? 'rejected' : isAtOnce ? atOnce : later;
        return [{ order, program, collaborator, currency, status, pence }];
      }),
    );
  }
}

function survivor(opportunity: Opportunity): Opportunity {
  return opportunity.mergedInto === undefined ? opportunity : survivor(opportunity.mergedInto);
}

function merge(one: Opportunity, other: Opportunity): Opportunity {
  const [kept, gone] = one.born < other.born ? [one, other] : [other, one];
  kept.userId = one.userId ?? other.userId;
  gone.mergedInto = kept;
  for (const name of gone.unengaged) kept.unengaged.add(name);
  for (const claim of gone.claims) {
    const same = kept.claims.find((own) => own.program === claim.program && own.collaborator === claim.collaborator);
    if (same === undefined) {
      kept.claims.push({ ...claim });
      continue;
    }
    same.score += claim.score;
    same.first = Math.min(same.first, claim.first);
    same.last = Math.max(same.last, claim.last);
  }
  return kept;
}

/** Rule 3, for what `OUTCOMES` names. */
function dropped(
  { program, collaborator }: Claim,
  { userId }: Opportunity,
  currency: string,
  base: bigint,
): Outcome['result'] | undefined {
  if (userId !== undefined && userId === collaborator.userId) return 'self-referral';
  if (program.reward.type !== 'percent' && program.currency !== currency) return 'currency-mismatch';
  return base <= 0n ? 'nothing-counted' : undefined;
}

/** Rules 5 and 6: the reward is rounded once, then split by largest remainder, ties to the oldest. */
function share(program: Program, claims: readonly Claim[], counted: readonly Line[]): Outcome[] {
  const weights = weigh(program.attribution, claims);
  const whole = weights.reduce((a, b) => a + b, 0n);
  const reward = rewardOf(program, counted);
  const parts = weights.map((weight) => (reward * weight) / whole);
  const rests = weights.map((weight, index) => ({ index, rest: (reward * weight) % whole }));
  // The sort is stable and claims stand oldest first, so equal rests keep that order.
  rests.sort((a, b) => (a.rest === b.rest ? 0 : a.rest > b.rest ? -1 : 1));
  let left = reward - parts.reduce((a, b) => a + b, 0n);
  for (const { index } of rests) {
    if (left === 0n) break;
    parts[index]! += 1n;
    left -= 1n;
  }
  return claims.map(({ collaborator }, index) => {
    const pence = parts[index]!;
    const result = weights[index] === 0n ? LOST[program.attribution] : pence === 0n ? 'share-is-zero' : 'won';
    return { program: program.name, collaborator: collaborator.name, pence, result };
  });
}

const LOST: Readonly<Record<Model, Outcome['result']>> = {
  'last-touch': 'lost-to-newer',
  'first-touch': 'lost-to-older',
  'top-score': 'lost-to-higher',
  // These split: every claim has a weight.
  linear: 'won',
  weighted: 'won',
};

/** Claims stand oldest first. */
function weigh(model: Model, claims: readonly Claim[]): bigint[] {
  const newest = Math.max(...claims.map(({ last }) => last));
  const highest = Math.max(...claims.map(({ score }) => score));
  const firstHighest = claims.findIndex(({ score }) => score === highest);
  return claims.map(({ score, last }, index) => {
    switch (model) {
      case 'linear':
        return 1n;
      case 'weighted':
        return BigInt(score);
      case 'first-touch':
        return index === 0 ? 1n : 0n;
      case 'last-touch':
        return last === newest ? 1n : 0n;
      case 'top-score':
        return index === firstHighest ? 1n : 0n;
      default:
        return model satisfies never;
    }
  });
}

function rewardOf({ reward }: Program, counted: readonly Line[]): bigint {
  if (reward.type === 'per-sale') return BigInt(reward.pence);
  if (reward.type === 'per-product') {
    const pieces = counted.filter(({ type }) => type !== 'discount').reduce((count, line) => count + line.quantity, 0);
    return BigInt(reward.pence * pieces);
  }
  // A percent of pence is a hundredth of them; the base is positive here, so half up is half away from zero.
  const [numerator, denominator] = fraction(reward.percent);
  const whole = denominator * 100n;
  return (sum(counted) * numerator * 2n + whole) / (whole * 2n);
}

export function sum(lines: readonly Line[]): bigint {
  return lines.reduce((pence, { amount, quantity }) => pence + penceOf(amount) * BigInt(quantity), 0n);
}

/** Exact: an amount with more than two decimals is none of this story's. */
export function penceOf(pounds: string): bigint {
  const [numerator, denominator] = fraction(pounds);
  if (100n % denominator !== 0n) throw new Error(`${pounds} has a part of a penny`);
  return numerator * (100n / denominator);
}

function fraction(decimal: string): readonly [numerator: bigint, denominator: bigint] {
  const [, sign, whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  if (sign === undefined || whole === undefined) throw new Error(`${decimal} is no decimal number`);
  const digits = BigInt(whole + decimals);
  return [sign === '-' ? -digits : digits, 10n ** BigInt(decimals.length)];
}
