import type { Holds } from './hold.ts';
import type { CollaboratorId, ConfigVersion, ProgramGroupId, ProgramId } from './ids.ts';
import type { LineFilter } from './line-filter.ts';
import type { Minor } from './money.ts';
import type { Period } from './period.ts';

export const PROGRAM_STATUSES = ['draft', 'active', 'inactive', 'deleted'] as const;
export const ATTRIBUTION_MODELS = ['last-touch', 'first-touch', 'linear', 'weighted', 'top-score'] as const;
export const LINE_TYPES = ['product', 'shipping', 'tax', 'fee', 'discount'] as const;
export const PAYABLE_KINDS = ['sale', 'lead', 'renewal'] as const;
export const ENROLLMENTS = ['everyone', 'selected'] as const;
export const CREDITS_PER = ['sale', 'opportunity'] as const;
export const GROUP_RULES = ['newest', 'oldest'] as const;
export const TIER_MEASURES = ['sum', 'count'] as const;

export type ProgramStatus = (typeof PROGRAM_STATUSES)[number];
export type AttributionModel = (typeof ATTRIBUTION_MODELS)[number];
export type LineType = (typeof LINE_TYPES)[number];
export type PayableKind = (typeof PAYABLE_KINDS)[number];
/** `site-visit`, `coupon-applied`, or the slug of a custom event of the organization. */
export type Trigger = string;
export type Enrollment = (typeof ENROLLMENTS)[number];
export type CreditsPer = (typeof CREDITS_PER)[number];
export type GroupRule = (typeof GROUP_RULES)[number];
export type TierMeasure = (typeof TIER_MEASURES)[number];

/** What a program pays. `ratePpm` is millionths of the base (10% is 100,000); amounts are in the smallest unit. */
export type Reward =
  | { readonly type: 'percent'; readonly ratePpm: number }
  | { readonly type: 'per-sale'; readonly amount: Minor }
  | { readonly type: 'per-product'; readonly amount: Minor }
  | { readonly type: 'per-lead'; readonly amount: Minor };

/**
 * Other rewards for those who have earned enough in the period: the last step whose `from` is reached counts, none below
 * the first. `from` is a sum in the smallest unit of the program's currency, or a number of conversions.
 */
export type Tiers = {
  readonly period: Period;
  readonly by: TierMeasure;
  /** By `from`, rising. */
  readonly steps: readonly { readonly from: bigint; readonly reward: Reward }[];
};

/** What one collaborator may be awarded in a period, in the program's currency. */
export type CapPerPeriod = { readonly period: Period; readonly amount: Minor };

/** How long renewals of a sale are paid: so many calendar months after it, so many of them, or both. */
export type RenewalLimit = { readonly months: number | null; readonly times: number | null };

/** Everything of a program that decides. An edit makes a new version; none is ever changed. */
export type ProgramTerms = {
  readonly status: ProgramStatus;
  readonly currency: string;
  readonly windowDays: number;
  readonly attribution: AttributionModel;
  readonly reward: Reward;
  readonly countedLines: readonly LineType[];
  /** Points that each trigger adds to an engagement; a trigger that is absent is off. */
  readonly triggers: Readonly<Partial<Record<Trigger, number>>>;
  readonly pays: readonly PayableKind[];
  readonly autoApprove: boolean;
  readonly approveAfterDays: number | null;
  readonly enrollment: Enrollment;
  readonly creditsPer: CreditsPer;
  /** Of the programs in one group only one pays for a transaction. */
  readonly groupId: ProgramGroupId | null;
  readonly tiers: Tiers | null;
  /** What the program pays for one transaction at most, to all together. */
  readonly capPerOrder: Minor | null;
  readonly capPerPeriod: CapPerPeriod | null;
  /** Which of the counted lines count. */
  readonly lineFilter: LineFilter | null;
  /** The total that a sale must have. */
  readonly minimumOrder: Minor | null;
  /** Rewards of single collaborators, which go before tiers and the program's own; by collaborator, rising. */
  readonly collaboratorRewards: readonly { readonly collaboratorId: CollaboratorId; readonly reward: Reward }[];
  readonly renewalLimit: RenewalLimit | null;
  /** What a person looks at before it is paid. */
  readonly holds: Holds | null;
};

export type ProgramVersion = ProgramTerms & {
  readonly programId: ProgramId;
  readonly version: number;
  readonly configVersion: ConfigVersion;
  readonly name: string;
};

/** The statuses that a program may start with. */
export const FIRST_PROGRAM_STATUSES = ['draft', 'active', 'inactive'] as const;

/** Staying where one is is always allowed, and is no change. */
const NEXT: Readonly<Record<ProgramStatus, readonly ProgramStatus[]>> = {
  draft: ['active', 'deleted'],
  active: ['inactive', 'deleted'],
  inactive: ['active', 'deleted'],
  deleted: [],
};

/** Whether a program may go from one state to another. */
export function mayProgramBecome(from: ProgramStatus, to: ProgramStatus): boolean {
  return from === to || NEXT[from].includes(to);
}
