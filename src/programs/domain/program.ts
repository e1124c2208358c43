import type { Holds } from './hold.ts';
import type { CollaboratorId, ConfigVersion, ProgramGroupId, ProgramId } from '#core/ids.ts';
import type { LineFilter } from './line-filter.ts';
import type { Minor } from '#core/money.ts';
import type { Period } from '#core/period.ts';
import type { LineType } from './line.ts';

/**
 * The maximum number of programs of an organization that are not deleted. The time to decide a sale grows with the
 * number of programs.
 */
export const MAX_PROGRAMS = 200;

export const PROGRAM_STATUSES = ['draft', 'active', 'inactive', 'deleted'] as const;
export const ATTRIBUTION_MODELS = ['last-touch', 'first-touch', 'linear', 'weighted', 'top-score'] as const;
export const PAYABLE_KINDS = ['sale', 'lead', 'renewal'] as const;
export const ENROLLMENTS = ['everyone', 'selected'] as const;
export const CREDITS_PER = ['sale', 'opportunity'] as const;
export const GROUP_RULES = ['newest', 'oldest'] as const;
export const TIER_MEASURES = ['sum', 'count'] as const;

export type ProgramStatus = (typeof PROGRAM_STATUSES)[number];
export type AttributionModel = (typeof ATTRIBUTION_MODELS)[number];
export type PayableKind = (typeof PAYABLE_KINDS)[number];
/** A trigger: `site-visit`, `coupon-applied`, or the slug of a custom event of the organization. */
export type Trigger = string;
export type Enrollment = (typeof ENROLLMENTS)[number];
export type CreditsPer = (typeof CREDITS_PER)[number];
export type GroupRule = (typeof GROUP_RULES)[number];
export type TierMeasure = (typeof TIER_MEASURES)[number];

/**
 * The reward of a program. `ratePpm` is in millionths of the base (10% is 100,000). Amounts are in the program's
 * currency, in hundredths of its major unit.
 */
export type Reward =
  | { readonly type: 'percent'; readonly ratePpm: number }
  | { readonly type: 'per-sale'; readonly amount: Minor }
  | { readonly type: 'per-product'; readonly amount: Minor }
  | { readonly type: 'per-lead'; readonly amount: Minor };

/**
 * Rewards for collaborators who have reached a threshold in the period. The last step whose `from` is reached applies.
 * Below the first step, no tier applies. `from` is a number of conversions, or a sum in hundredths of the major unit.
 */
export type Tiers = {
  readonly period: Period;
  readonly by: TierMeasure;
  /** The tiers, in ascending order of `from`. */
  readonly steps: readonly { readonly from: bigint; readonly reward: Reward }[];
};

/** The maximum sum of a collaborator's awards in a period, in hundredths of the major unit. */
export type CapPerPeriod = { readonly period: Period; readonly amount: Minor };

/** The limit of paid renewals of a sale: a number of calendar months after the sale, a number of renewals, or both. */
export type RenewalLimit = { readonly months: number | null; readonly times: number | null };

/** The reward of renewals that occur at least `afterMonths` calendar months after their sale. */
export type RenewalReward = { readonly afterMonths: number; readonly reward: Reward };

/** All fields of a program that affect decisions. An edit creates a new version. Existing versions never change. */
export type ProgramTerms = {
  readonly status: ProgramStatus;
  readonly currency: string;
  readonly windowDays: number;
  readonly attribution: AttributionModel;
  readonly reward: Reward;
  readonly countedLines: readonly LineType[];
  /** The points that each trigger adds to the score of an engagement. Missing triggers are off. */
  readonly triggers: Readonly<Partial<Record<Trigger, number>>>;
  readonly pays: readonly PayableKind[];
  readonly autoApprove: boolean;
  readonly approveAfterDays: number | null;
  readonly enrollment: Enrollment;
  readonly creditsPer: CreditsPer;
  /** The program's group. Only one program of a group pays for a transaction. */
  readonly groupId: ProgramGroupId | null;
  readonly tiers: Tiers | null;
  /**
   * The maximum that the program pays for one transaction, to all collaborators together, in hundredths of the major
   * unit.
   */
  readonly capPerOrder: Minor | null;
  readonly capPerPeriod: CapPerPeriod | null;
  /** The filter for lines, in addition to the counted types. Null without a filter. */
  readonly lineFilter: LineFilter | null;
  /** The minimum total of a sale or renewal that the program pays for, in hundredths of the major unit. */
  readonly minimumOrder: Minor | null;
  /**
   * Rewards of individual collaborators, in ascending order of their ids. They take precedence over renewal rewards,
   * tiers and the program's reward.
   */
  readonly collaboratorRewards: readonly { readonly collaboratorId: CollaboratorId; readonly reward: Reward }[];
  readonly renewalLimit: RenewalLimit | null;
  /**
   * Other rewards for renewals, in ascending order of `afterMonths`. The last reward whose age is reached applies.
   * Renewal rewards take precedence over tiers and the program's reward.
   */
  readonly renewalRewards: readonly RenewalReward[];
  /** The fraud settings, which determine the awards that a person must review. Null if all settings are off. */
  readonly holds: Holds | null;
};

export type ProgramVersion = ProgramTerms & {
  readonly programId: ProgramId;
  readonly version: number;
  readonly configVersion: ConfigVersion;
  readonly name: string;
};

/** The possible statuses of a new program. */
export const FIRST_PROGRAM_STATUSES = ['draft', 'active', 'inactive'] as const;

/** The statuses to which a program can change, by its current status. Keeping the status is always allowed. */
export const NEXT_PROGRAM_STATUSES: Readonly<Record<ProgramStatus, readonly ProgramStatus[]>> = {
  draft: ['active', 'deleted'],
  active: ['inactive', 'deleted'],
  inactive: ['active', 'deleted'],
  deleted: [],
};

/** Returns whether a program can change from one status to another. */
export function canProgramBecome(from: ProgramStatus, to: ProgramStatus): boolean {
  return from === to || NEXT_PROGRAM_STATUSES[from].includes(to);
}
