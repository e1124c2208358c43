import type { ConfigVersion, ProgramId } from './ids.ts';
import type { Minor } from './money.ts';

export const PROGRAM_STATUSES = ['draft', 'active', 'inactive', 'deleted'] as const;
export const ATTRIBUTION_MODELS = ['last-touch', 'first-touch', 'linear', 'weighted', 'top-score'] as const;
export const LINE_TYPES = ['product', 'shipping', 'tax', 'fee', 'discount'] as const;
export const PAYABLE_KINDS = ['sale', 'lead', 'renewal'] as const;
export const ENROLLMENTS = ['everyone', 'selected'] as const;
export const CREDITS_PER = ['sale', 'opportunity'] as const;

export type ProgramStatus = (typeof PROGRAM_STATUSES)[number];
export type AttributionModel = (typeof ATTRIBUTION_MODELS)[number];
export type LineType = (typeof LINE_TYPES)[number];
export type PayableKind = (typeof PAYABLE_KINDS)[number];
export type Trigger = 'site-visit';
export type Enrollment = (typeof ENROLLMENTS)[number];
export type CreditsPer = (typeof CREDITS_PER)[number];

/** What a program pays. `ratePpm` is millionths of the base (10 % is 100,000); amounts are in the smallest unit. */
export type Reward =
  | { readonly type: 'percent'; readonly ratePpm: number }
  | { readonly type: 'per-sale'; readonly amount: Minor }
  | { readonly type: 'per-product'; readonly amount: Minor };

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
};

export type ProgramVersion = ProgramTerms & {
  readonly programId: ProgramId;
  readonly version: number;
  readonly configVersion: ConfigVersion;
  readonly name: string;
};
