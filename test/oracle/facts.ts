/*
 * What may be reported or done, in the oracle's words. Everything is named by the teller: programs, collaborators, visits
 * (an opportunity is "that of a visit"), transactions, runs. A conversion is `transaction/program/collaborator/type`, a
 * payout `run/currency/collaborator`, a run of one currency `run/currency`.
 */

export type Kind = 'sale' | 'lead' | 'renewal';
export type Model = 'last-touch' | 'first-touch' | 'linear' | 'weighted' | 'top-score';
export type LineKind = 'product' | 'shipping' | 'tax' | 'fee' | 'discount';
export type Period = 'day' | 'week' | 'month' | 'quarter' | 'year' | 'lifetime';

/** `percent` as its digits; `amount` in the smallest unit. */
export type Reward =
  | { readonly type: 'percent'; readonly percent: string }
  | { readonly type: 'per-sale' | 'per-product' | 'per-lead'; readonly amount: number };
export type Matcher = { readonly externalId: string } | { readonly name: string } | { readonly type: LineKind };

/** A program as the interface has it, except that collaborators and groups go by name. */
export type Terms = {
  readonly status: 'draft' | 'active' | 'inactive';
  readonly currency: string;
  readonly windowDays: number;
  readonly attribution: Model;
  readonly reward: Reward;
  readonly countedLines: readonly LineKind[];
  readonly triggers: Readonly<Record<string, number>>;
  readonly pays: readonly Kind[];
  readonly autoApprove: boolean;
  readonly approveAfterDays: number | null;
  readonly enrollment: 'everyone' | 'selected';
  readonly creditsPer: 'sale' | 'opportunity';
  readonly group: string | null;
  readonly tiers: {
    readonly period: Period;
    readonly by: 'sum' | 'count';
    readonly steps: readonly { readonly from: number; readonly reward: Reward }[];
  } | null;
  readonly capPerOrder: number | null;
  readonly capPerPeriod: { readonly period: Period; readonly amount: number } | null;
  readonly lineFilter: { readonly include: readonly Matcher[]; readonly exclude: readonly Matcher[] } | null;
  readonly minimumOrder: number | null;
  readonly collaboratorRewards: readonly { readonly collaborator: string; readonly reward: Reward }[];
  readonly renewals: { readonly times: number } | null;
  readonly holds: { readonly ownCoupon: boolean; readonly secondsToSale: number | null } | null;
};

/** `amount` in major units, as its digits. */
export type Line = {
  readonly externalId?: string;
  readonly name: string;
  readonly type: LineKind;
  readonly quantity: number;
  readonly amount: string;
};

export type Touch =
  /** `presents` is the visit whose number the browser carries. */
  | {
      readonly do: 'visit';
      readonly as: string;
      readonly collaborator: string;
      readonly presents?: string;
      readonly userId?: number;
    }
  | { readonly do: 'coupon'; readonly visit: string; readonly collaborator: string }
  /** Without a collaborator: for everyone who has an engagement. */
  | { readonly do: 'custom'; readonly visit: string; readonly slug: string; readonly collaborator?: string };

/** All that is left, an amount in major units, or items. */
export type Refund = {
  readonly do: 'refund';
  readonly transaction: string;
  readonly refundId?: string;
  readonly amount?: string;
  readonly items?: readonly { readonly externalId: string; readonly quantity: number }[];
};
type Goods = {
  readonly as: string;
  readonly currency: string;
  readonly total: string;
  /** Absent: one product with the total. */
  readonly lines?: readonly Line[];
};
export type Sale = Goods & {
  readonly do: 'sale';
  readonly visit: string;
  /** Collaborators whose coupons were used. */
  readonly coupons?: readonly string[];
  /** Reported before the pipeline can have decided the sale. */
  readonly refundAtOnce?: Refund;
};
export type Renewal = Goods & { readonly do: 'renewal'; readonly renews: string };
/** One that isn't named is that of the number that is presented. */
export type Lead = { readonly do: 'lead'; readonly as: string; readonly visit: string; readonly isNamed: boolean };
export type Credit = {
  readonly do: 'credit';
  readonly transaction: string;
  readonly program: string;
  readonly collaborator: string;
  readonly amount?: number;
};

export type Configuration =
  | { readonly do: 'program'; readonly as: string; readonly terms: Partial<Terms> }
  | { readonly do: 'change-program'; readonly program: string; readonly change: Partial<Terms> }
  | { readonly do: 'delete-program'; readonly program: string }
  | { readonly do: 'group'; readonly as: string; readonly rule: GroupRule; readonly programs: readonly string[] }
  | {
      readonly do: 'change-group';
      readonly group: string;
      readonly rule?: GroupRule;
      readonly programs?: readonly string[];
    }
  | { readonly do: 'delete-group'; readonly group: string }
  | { readonly do: 'collaborator'; readonly as: string; readonly userId?: number }
  | {
      readonly do: 'change-collaborator';
      readonly collaborator: string;
      readonly status?: 'active' | 'inactive';
      readonly userId?: number | null;
    }
  | { readonly do: 'enrol' | 'remove'; readonly program: string; readonly collaborator: string };
export type GroupRule = 'newest' | 'oldest';

export type Payment =
  | { readonly do: 'approve' | 'reject' | 'release'; readonly conversions: readonly string[] }
  | {
      readonly do: 'run';
      readonly as: string;
      readonly minimum?: number;
      readonly currency?: string;
      /** Only what is owed for these. */
      readonly conversions?: readonly string[];
    }
  | { readonly do: 'process' | 'complete' | 'fail'; readonly run: string }
  | { readonly do: 'mark-paid' | 'mark-unpaid'; readonly payout: string }
  | { readonly do: 'review'; readonly payout: string; readonly resolution: 'keep' | 'claw-back' };

/** A visitor asks to be forgotten. */
export type Erasure = { readonly do: 'erase'; readonly userId: number };

export type Fact = Configuration | Touch | Sale | Lead | Renewal | Refund | Credit | Payment | Erasure;
