/*
 * Defines everything that a story can report or do. The story names programs, program groups, collaborators, visits,
 * transactions and payout runs. These names identify the other resources:
 *
 * - an opportunity: the name of a visit
 * - a conversion: `transaction/program/collaborator/type`
 * - a run of one currency: `run/currency`
 * - a payout: `run/currency/collaborator`
 */

export type Kind = 'sale' | 'lead' | 'renewal';
export type Model = 'last-touch' | 'first-touch' | 'linear' | 'weighted' | 'top-score';
export type LineKind = 'product' | 'shipping' | 'tax' | 'fee' | 'discount';
export type Period = 'day' | 'week' | 'month' | 'quarter' | 'year' | 'lifetime';

/** A reward. `percent` is a decimal number, and `amount` is in hundredths of the currency. */
export type Reward =
  | { readonly type: 'percent'; readonly percent: string }
  | { readonly type: 'per-sale' | 'per-product' | 'per-lead'; readonly amount: number };
export type Matcher = { readonly externalId: string } | { readonly name: string } | { readonly type: LineKind };

/** A program as in the API, with names instead of ids for collaborators and groups. */
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
  /** A story is shorter than a month, so only the rewards after 0 months apply. */
  readonly renewalRewards: readonly { readonly afterMonths: number; readonly reward: Reward }[];
  readonly holds: { readonly ownCoupon: boolean; readonly secondsToSale: number | null } | null;
};

/** Amounts in major units as decimal digits: `amount` is the unit price, and `total` is for the whole line. */
export type Line = {
  readonly externalId?: string;
  readonly name: string;
  readonly type: LineKind;
  readonly quantity: number;
  readonly amount?: string;
  readonly total?: string;
};

/** When a fact occurs: `ago` minutes before the start of the story or, without `ago`, when it is reported. */
type Occurrence = { readonly ago?: number };

export type Touch = Occurrence &
  /** `presents` is the visit whose tracking id the browser sends. */
  (
    | {
        readonly do: 'visit';
        readonly as: string;
        readonly collaborator: string;
        readonly presents?: string;
        readonly userId?: number;
      }
    | { readonly do: 'coupon'; readonly visit: string; readonly collaborator: string }
    /** Without a collaborator, the event counts for each active collaborator who has an engagement. */
    | { readonly do: 'custom'; readonly visit: string; readonly slug: string; readonly collaborator?: string }
  );

/** A refund of an amount in major units, or of items. Without both, it is a refund of the whole remainder. */
export type Refund = {
  readonly do: 'refund';
  readonly transaction: string;
  readonly refundId?: string;
  readonly amount?: string;
  /** Whether to refund only the remainder if it is less than the amount. */
  readonly upTo?: boolean;
  readonly items?: readonly { readonly externalId: string; readonly quantity: number }[];
};
/** A reversal of a refund that was reported with an id. */
export type RefundReversal = { readonly do: 'reverse-refund'; readonly transaction: string; readonly refundId: string };
type Goods = {
  readonly as: string;
  readonly currency: string;
  readonly total: string;
  /** Without lines, the sale has one product with the total. */
  readonly lines?: readonly Line[];
};
/** The new content of a sale or renewal. It has the currency of the sale. */
export type Correction = Omit<Goods, 'as' | 'currency'> & {
  readonly do: 'correct';
  readonly transaction: string;
  readonly correctionId: string;
};
export type Sale = Goods &
  Occurrence & {
    readonly do: 'sale';
    readonly visit: string;
    /** Collaborators whose coupons were used. */
    readonly coupons?: readonly string[];
    /** A refund that is reported before the pipeline can decide the sale. */
    readonly refundAtOnce?: Refund;
  };
export type Renewal = Goods & Occurrence & { readonly do: 'renewal'; readonly renews: string };
/** A lead. If `isNamed` is false, it is reported without an external id, and the tracking id identifies it. */
export type Lead = Occurrence & {
  readonly do: 'lead';
  readonly as: string;
  readonly visit: string;
  readonly isNamed: boolean;
};
export type Credit = {
  readonly do: 'credit';
  readonly transaction: string;
  readonly program: string;
  readonly collaborator: string;
  readonly amount?: number;
  readonly aboveTotal?: true;
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
      readonly fraudReview?: 'signals' | 'always' | 'never';
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
      /** The conversions whose obligations the run pays. Clawbacks are deducted in any case. Default: all. */
      readonly conversions?: readonly string[];
    }
  | { readonly do: 'process' | 'complete' | 'fail'; readonly run: string }
  | { readonly do: 'mark-paid' | 'mark-unpaid'; readonly payout: string }
  | { readonly do: 'review'; readonly payout: string; readonly resolution: 'keep' | 'claw-back' };

/** The erasure of a visitor. */
export type Erasure = { readonly do: 'erase'; readonly userId: number };

export type Fact =
  Configuration | Touch | Sale | Lead | Renewal | Refund | RefundReversal | Correction | Credit | Payment | Erasure;
