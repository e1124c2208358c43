import type { Fact, GroupRule, Kind, Line, Reward, Terms } from './facts.ts';
import { over, roundHalfUp, times, whole } from './fraction.ts';

/*
 * The state of the oracle after the applied facts. It keeps no versions, because facts are applied one after another
 * and decided immediately.
 */

export type Program = { readonly name: string; terms: Terms; isDeleted: boolean; readonly enrolled: Set<string> };
export type Group = { rule: GroupRule; isDeleted: boolean };
export type Collaborator = {
  readonly name: string;
  status: 'active' | 'inactive';
  userId: number | null;
  userIds: number[];
  /** The erased visitors who had one of the collaborator's user ids, each with that user id. */
  readonly selves: { readonly visitor: number; readonly userId: number }[];
  /** When commissions are put in fraud review: only if there are fraud signals, always, or never. */
  fraudReview: 'signals' | 'always' | 'never';
};

/**
 * The time of a fact. `at` is in minutes after the start of the story: negative for late reports, 0 for other facts.
 * `moment` is the position in the order of reports, for facts with equal times.
 */
export type When = { readonly at: number; readonly moment: number };

/** An engagement. Its score and its first and last touch are computed from `touches`. */
export type Engagement = {
  readonly program: string;
  readonly collaborator: string;
  opportunity: Opportunity;
  touches: (When & { readonly points: number })[];
  /** The name of the transaction that completed the engagement, or null. */
  completedBy: string | null;
  isAbsorbed: boolean;
};
export type Opportunity = {
  readonly born: number;
  /** The visitor's user id. It is null if the user is unknown, and negative if the visitor was erased. */
  userId: number | null;
  /** The erasure's effect: `invalid` if the opportunity has a transaction, otherwise `removed`. Null if not erased. */
  end: 'invalid' | 'removed' | null;
  mergedInto: Opportunity | null;
  /** The reasons why touches made no engagement, by collaborator. */
  readonly unengaged: Map<string, (When & { readonly reason: string })[]>;
  /** The time of the earliest touch that counted for a program, by collaborator and trigger. */
  readonly seen: Map<string, Map<string, number>>;
};

export type Transaction = {
  readonly name: string;
  readonly kind: Kind;
  readonly opportunity: Opportunity;
  /** The user id at the time of the report: null if unknown, negative if erased. A later login does not change it. */
  buyer: number | null;
  readonly currency: string;
  /** The total and the lines after corrections. */
  total: bigint;
  lines: readonly (Omit<Line, 'amount' | 'total'> & { readonly total: bigint })[];
  readonly soldAt: Date;
  /** The time in minutes after the start of the story, as `at` in `When`. */
  readonly at: number;
  readonly renews: Transaction | null;
  readonly renewalNumber: number;
  status: 'complete' | 'refunded';
  refundedAmount: bigint;
  readonly refunds: RefundOnce[];
  /**
   * The states since the last correction: the state after the correction, and the state after each refund and each
   * reversal.
   */
  states: Refunded[];
  /** The terms, at the time of the report, of each program that may pay for the transaction. */
  paying: readonly Terms[];
  /** The transaction's weighed claims, by program. A correction is split among these claims. */
  weighed: readonly (readonly Weighed[])[];
  readonly corrections: Map<string, string>;
  explained: Explained;
};

/** A refund. `amount` is 0 if no amount is refunded, and all `pieces` are 0 if no items are refunded. */
export type RefundOnce = {
  readonly refundId?: string;
  readonly amount: bigint;
  pieces: readonly number[];
  readonly isOfAll: boolean;
  isReversed: boolean;
};

/** Everything refunded so far: amounts, pieces of each line, or the whole transaction. */
export type Refunded = { readonly amounts: bigint; readonly quantities: readonly number[]; readonly isFull: boolean };

/** An outcome. It has no program if the collaborator's touch made no engagement. */
export type Outcome = {
  readonly program?: string;
  readonly collaborator: string;
  readonly outcome: 'won' | 'lost';
  readonly reason?: string;
  readonly share: bigint;
};
export type Explained = { readonly reason?: string; readonly outcomes: readonly Outcome[] };

/** A claim with everything that its share depends on, except the content of the sale. */
export type Weighed = {
  readonly program: string;
  readonly collaborator: string;
  readonly terms: Terms;
  readonly weight: bigint;
  readonly reward: Reward;
  /** The remaining amount of the cap per period, or null without a cap. */
  readonly left: bigint | null;
};

export type Conversion = {
  readonly key: string;
  readonly type: Kind | 'manual';
  readonly transaction: Transaction;
  readonly program: string;
  readonly collaborator: string;
  readonly currency: string;
  readonly awarded: bigint;
  readonly weight: bigint;
  /** The moment of the award. It counts as the claim's last touch in renewals. */
  readonly moment: number;
  /** The claim's first touch, or the time of a manual credit. It counts as the claim's first touch in renewals. */
  readonly first: number;
  /** The award after corrections of the sale. */
  corrected: bigint;
  /** The terms that decide which lines count. */
  readonly terms: Terms;
  /** Whether the award depends on the quantity of the lines instead of their price. */
  readonly byQuantity: boolean;
  amount: bigint;
  status: 'pending' | 'approved' | 'rejected';
  /** Whether a person rejected the conversion. False if only a refund or a correction rejected it. */
  wasRefused: boolean;
  /** The status before a refund or a correction rejected the conversion. */
  before: 'pending' | 'approved';
  /** The fraud signals that put the conversion in review, if any. */
  readonly holds: readonly string[];
  readonly byCoupon: boolean;
  /** The status after a person clears the conversion from review. */
  readonly cleared: 'pending' | 'approved';
  isCleared: boolean;
};

export type Obligation = {
  readonly conversion: Conversion;
  readonly isClawBack: boolean;
  amount: bigint;
  status: 'draft' | 'pending' | 'fulfilled' | 'rejected';
  payout: Payout | null;
};
export type Flag = {
  readonly conversion: Conversion;
  readonly obligation: Obligation;
  amount: bigint;
  resolution: 'keep' | 'claw-back' | 'void' | null;
};
export type Payout = {
  readonly key: string;
  readonly run: Run;
  readonly collaborator: string;
  readonly currency: string;
  status: 'unpaid' | 'paid' | 'void';
  readonly flags: Flag[];
  wasClawedBackPaid: boolean;
};
export type Run = {
  readonly key: string;
  readonly currency: string;
  status: 'pending' | 'processing' | 'complete' | 'failed';
};

export type World = {
  /** A counter of facts and touches. A fact with a lower moment was reported earlier. */
  moment: number;
  erasures: number;
  readonly programs: Map<string, Program>;
  readonly groups: Map<string, Group>;
  readonly collaborators: Map<string, Collaborator>;
  readonly opportunities: Opportunity[];
  readonly engagements: Engagement[];
  /** The opportunity in the response to each visit, by the visit's name. */
  readonly ledTo: Map<string, Opportunity>;
  readonly transactions: Map<string, Transaction>;
  /** The leads without a name, by the opportunity whose tracking id was presented. */
  readonly leads: Map<Opportunity, Transaction>;
  readonly conversions: Conversion[];
  readonly obligations: Obligation[];
  readonly runs: Map<string, Run>;
  readonly payouts: Payout[];
};

export function emptyWorld(): World {
  return {
    moment: 0,
    erasures: 0,
    programs: new Map(),
    groups: new Map(),
    collaborators: new Map(),
    opportunities: [],
    engagements: [],
    ledTo: new Map(),
    transactions: new Map(),
    leads: new Map(),
    conversions: [],
    obligations: [],
    runs: new Map(),
    payouts: [],
  };
}

export const DEFAULT_TERMS: Terms = {
  status: 'active',
  currency: 'USD',
  windowDays: 30,
  attribution: 'last-touch',
  reward: { type: 'percent', percent: '10' },
  countedLines: ['product', 'discount'],
  triggers: { 'site-visit': 1 },
  pays: ['sale'],
  autoApprove: false,
  approveAfterDays: null,
  enrollment: 'everyone',
  creditsPer: 'sale',
  group: null,
  tiers: null,
  capPerOrder: null,
  capPerPeriod: null,
  lineFilter: null,
  minimumOrder: null,
  collaboratorRewards: [],
  renewals: null,
  renewalRewards: [],
  holds: null,
};

/** Returns the worth of returned pieces of a line in hundredths. A half rounds away from zero. */
export function returnedOf({ total, quantity }: Transaction['lines'][number], pieces: number): bigint {
  const share = over(times(whole(total < 0n ? -total : total), whole(pieces)), whole(quantity));
  return total < 0n ? -roundHalfUp(share) : roundHalfUp(share);
}

/** Adds up the refunds of a transaction that were not reversed. */
export function refundedOf({ refunds, lines, total }: Transaction): Refunded & { readonly refundedAmount: bigint } {
  const standing = refunds.filter(({ isReversed }) => !isReversed);
  const sum = (of: (refund: RefundOnce) => bigint) => standing.reduce((all, one) => all + of(one), 0n);
  const quantities = lines.map((_, index) => Number(sum(({ pieces }) => BigInt(pieces[index]!))));
  const returned = lines.reduce((all, line, index) => all + returnedOf(line, quantities[index]!), 0n);
  const isReturned = lines.length > 0 && lines.every(({ quantity }, index) => quantities[index] === quantity);
  const amounts = sum(({ amount }) => amount);
  const given = amounts + returned;
  // A transaction with a total of 0 is refunded once all pieces are returned, or if a correction removed its total
  // after its money was refunded.
  const isFull = standing.some(({ isOfAll }) => isOfAll) || isReturned || (total + amounts > 0n && given >= total);
  // Items may be worth more than the paid total.
  const refundedAmount = isFull || given > total ? total : given;
  return { amounts, quantities, isFull, refundedAmount };
}

/** Returns an existing value. Throws if the story has not created it. */
export function known<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`the story has no ${String(key)}`);
  return value;
}

/** Returns whether the buyer has the collaborator's current user id, or had it before being erased. */
export function isSelf({ userId, selves }: Collaborator, buyer: number | null): boolean {
  return (
    buyer !== null && (buyer === userId || selves.some((self) => self.visitor === buyer && self.userId === userId))
  );
}

/** Returns whether the buyer has, or had before being erased, any current or earlier user id of the collaborator. */
export function wasSelf({ userIds, selves }: Collaborator, buyer: number | null): boolean {
  return buyer !== null && (userIds.includes(buyer) || selves.some(({ visitor }) => visitor === buyer));
}

const MANY = 1_000_000;

/** Returns a number that increases with the time of occurrence, then with the order of reports. */
export function orderOf({ at, moment }: When): number {
  return at * MANY + moment;
}

/** Returns whether a touch counts for a transaction: it occurred at most five minutes after the transaction. */
export function counts({ at }: Pick<When, 'at'>, sold: Pick<Transaction, 'at'>): boolean {
  return at <= sold.at + 5;
}

export function firstOf({ touches }: Pick<Engagement, 'touches'>): number {
  return Math.min(...touches.map(orderOf));
}

export function lastOf({ touches }: Pick<Engagement, 'touches'>): number {
  return Math.max(...touches.map(orderOf));
}

export function scoreOf({ touches }: Pick<Engagement, 'touches'>): number {
  return touches.reduce((sum, { points }) => sum + points, 0);
}

export function changeCollaborator(
  collaborator: Collaborator,
  { status, userId, fraudReview }: Extract<Fact, { readonly do: 'change-collaborator' }>,
): void {
  if (status !== undefined) collaborator.status = status;
  if (fraudReview !== undefined) collaborator.fraudReview = fraudReview;
  if (userId !== undefined) collaborator.userId = userId;
  if (userId != null) collaborator.userIds.push(userId);
}
