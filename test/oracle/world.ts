import type { GroupRule, Kind, Line, Terms } from './facts.ts';

/*
 * All that the oracle knows, as it is after the facts that it was told. Nothing is kept in versions: facts are told one
 * after the other, and each is decided at once.
 */

export type Program = { readonly name: string; terms: Terms; isDeleted: boolean; readonly enrolled: Set<string> };
export type Group = { rule: GroupRule; isDeleted: boolean };
export type Collaborator = {
  readonly name: string;
  status: 'active' | 'inactive';
  userId: number | null;
  userIds: number[];
  /** The erased visitors that they were, under which user. */
  readonly selves: { readonly visitor: number; readonly userId: number }[];
};

/** The touches' moments and points; its score and its ends follow from them. */
export type Engagement = {
  readonly program: string;
  readonly collaborator: string;
  opportunity: Opportunity;
  touches: { readonly moment: number; readonly points: number }[];
  /** The sale that was credited with it. */
  completedBy: string | null;
  isAbsorbed: boolean;
};
export type Opportunity = {
  readonly born: number;
  /** Below zero: one who was erased. */
  userId: number | null;
  /** Its visitor was erased: something was sold to them, or nothing. */
  end: 'invalid' | 'removed' | null;
  mergedInto: Opportunity | null;
  /** Who touched it and got no engagement, with the newest reason. */
  readonly unengaged: Map<string, { readonly reason: string; readonly moment: number }>;
  /** By what each collaborator touched it, where that made an engagement. */
  readonly seen: Map<string, Set<string>>;
};

export type Transaction = {
  readonly name: string;
  readonly kind: Kind;
  readonly opportunity: Opportunity;
  /** The visitor's user as it was reported: who signs in later does not change whose order it was. Below zero: erased. */
  buyer: number | null;
  readonly currency: string;
  readonly total: bigint;
  readonly lines: readonly (Omit<Line, 'amount'> & { readonly amount: bigint })[];
  readonly soldAt: Date;
  readonly renews: Transaction | null;
  readonly renewalNumber: number;
  status: 'complete' | 'refunded';
  refundedAmount: bigint;
  /** How it stood after each refund. */
  readonly refunds: Refunded[];
  readonly refundIds: Set<string>;
  explained: Explained;
};

/** What was given back until then: amounts, pieces of each line, or all of it. */
export type Refunded = { readonly amounts: bigint; readonly quantities: readonly number[]; readonly isFull: boolean };

/** Without a program: a collaborator whose touch made no engagement at all. */
export type Outcome = {
  readonly program?: string;
  readonly collaborator: string;
  readonly outcome: 'won' | 'lost';
  readonly reason?: string;
  readonly share: bigint;
};
export type Explained = { readonly reason?: string; readonly outcomes: readonly Outcome[] };

export type Conversion = {
  readonly key: string;
  readonly type: Kind | 'manual';
  readonly transaction: Transaction;
  readonly program: string;
  readonly collaborator: string;
  readonly currency: string;
  readonly awarded: bigint;
  readonly weight: bigint;
  /** When it was awarded: a renewal goes by it, since no touch counts for one. */
  readonly moment: number;
  /** What it was paid for: which lines count, and whether their pieces do instead of their prices. */
  readonly counts: readonly boolean[];
  readonly byQuantity: boolean;
  amount: bigint;
  status: 'pending' | 'approved' | 'rejected';
  /** By a person, not by a refund. */
  wasRefused: boolean;
  /** Why a person looks first; what becomes of it once one has let it go. */
  readonly holds: readonly string[];
  readonly byCoupon: boolean;
  readonly released: 'pending' | 'approved';
  isReleased: boolean;
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
  readonly amount: bigint;
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
  /** Counts facts: what has a lower moment happened before. */
  moment: number;
  erasures: number;
  readonly programs: Map<string, Program>;
  readonly groups: Map<string, Group>;
  readonly collaborators: Map<string, Collaborator>;
  readonly opportunities: Opportunity[];
  readonly engagements: Engagement[];
  /** The opportunity that each visit's answer named. */
  readonly ledTo: Map<string, Opportunity>;
  readonly transactions: Map<string, Transaction>;
  /** The leads that go by the number that was presented. */
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
  holds: null,
};

export function refundedOf({ refunds, lines }: Transaction): Refunded {
  return refunds.at(-1) ?? { amounts: 0n, quantities: lines.map(() => 0), isFull: false };
}

/** What must be there: the teller names nothing that it has not told of. */
export function known<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`nothing was told of ${String(key)}`);
  return value;
}

/** Whether who bought is this collaborator, by the user that they have now. */
export function isSelf({ userId, selves }: Collaborator, buyer: number | null): boolean {
  return (
    buyer !== null && (buyer === userId || selves.some((self) => self.visitor === buyer && self.userId === userId))
  );
}

/** The same by any user that they have had. */
export function wasSelf({ userIds, selves }: Collaborator, buyer: number | null): boolean {
  return buyer !== null && (userIds.includes(buyer) || selves.some(({ visitor }) => visitor === buyer));
}

export function firstOf({ touches }: Engagement): number {
  return Math.min(...touches.map(({ moment }) => moment));
}

export function lastOf({ touches }: Engagement): number {
  return Math.max(...touches.map(({ moment }) => moment));
}

export function scoreOf({ touches }: Engagement): number {
  return touches.reduce((sum, { points }) => sum + points, 0);
}
