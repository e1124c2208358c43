import type { CollaboratorId, ProgramId } from '#core/ids.ts';
import type { LineFilter, LineMatcher } from '../../domain/line-filter.ts';
import type { Minor } from '#core/money.ts';
import type { RenewalLimit, Reward, Tiers } from '../../domain/program.ts';
import type { LineType } from '../../domain/line.ts';
import { readTerms } from '../program-versions.ts';
import { PROGRAM_FIELDS, type ProgramFields, type StoredFields } from '../programs.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';

/** A reward in the API. A rate of 105,000 parts per million is shown as 10.5 percent. */
export type ShownReward =
  | { readonly type: 'percent'; readonly percent: number }
  | { readonly type: 'per-sale' | 'per-product' | 'per-lead'; readonly amount: Minor };

type ShownMatcher = { readonly externalId: string } | { readonly name: string } | { readonly type: LineType };

type ShownTerms = {
  readonly reward: ShownReward;
  readonly tiers:
    | (Omit<Tiers, 'steps'> & { readonly steps: readonly { readonly from: bigint; readonly reward: ShownReward }[] })
    | null;
  readonly lineFilter: { readonly include: readonly ShownMatcher[]; readonly exclude: readonly ShownMatcher[] } | null;
  readonly collaboratorRewards: readonly { readonly collaboratorId: CollaboratorId; readonly reward: ShownReward }[];
  readonly renewals: RenewalLimit | null;
  readonly renewalRewards: readonly { readonly afterMonths: number; readonly reward: ShownReward }[];
};

type ShownFields = Omit<ProgramFields, keyof ShownTerms | 'renewalLimit'> & ShownTerms;

export type ProgramResource = ShownFields & {
  readonly id: ProgramId;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type ProgramVersionResource = ShownFields & {
  readonly programId: ProgramId;
  readonly version: number;
  readonly createdAt: Date;
};

type Stored<Resource extends ShownFields> = Omit<Resource, keyof ShownFields> & StoredFields;

/** The number of programs that a list reads first. It is small, because a program can have 1,000 custom rates. */
const FIRST_PROGRAMS = 10;

export const programs: Relation<Stored<ProgramResource>, ProgramResource> = {
  query: `
    select p.organization_id, p.id, v.version, ${PROGRAM_FIELDS}, p.created_at as "createdAt", v.created_at as "updatedAt"
    from programs p
    join program_versions v on v.organization_id = p.organization_id and v.program_id = p.id and v.version = p.version`,
  key: 'id',
  sorts: { id: 'bigint', name: 'text', createdAt: 'timestamptz' },
  searched: 'position(:text in lower(concat_ws(chr(10), r.name, r.description))) > 0',
  hidden: 'deleted',
  firstSlice: FIRST_PROGRAMS,
  read: showTerms,
};

export const programVersions: Relation<Stored<ProgramVersionResource>, ProgramVersionResource> = {
  query: `
    select v.organization_id, v.program_id as "programId", v.version, ${PROGRAM_FIELDS}, v.created_at as "createdAt"
    from program_versions v`,
  key: 'version',
  sorts: { version: 'bigint', createdAt: 'timestamptz' },
  firstSlice: FIRST_PROGRAMS,
  read: showTerms,
};

/** Returns the row with its terms as the API shows them. */
export function showTerms<Row extends StoredFields>(row: Row) {
  const { reward, tiers, lineFilter, collaboratorRewards, renewalLimit, renewalRewards, ...rest } = readTerms(row);
  return {
    ...rest,
    reward: showReward(reward),
    tiers: tiers && { ...tiers, steps: tiers.steps.map(showRewardOf) },
    lineFilter: lineFilter && showFilter(lineFilter),
    collaboratorRewards: collaboratorRewards.map(showRewardOf),
    renewals: renewalLimit,
    renewalRewards: renewalRewards.map(showRewardOf),
  };
}

const PPM_PER_PERCENT = 10_000;

/** Returns a reward as the API shows it. */
export function showReward(reward: Reward): ShownReward {
  // Dividing gives the double nearest to the exact percentage, so the percentage is printed with at most four decimals.
  return reward.type === 'percent' ? { type: 'percent', percent: reward.ratePpm / PPM_PER_PERCENT } : reward;
}

function showRewardOf<Of extends { readonly reward: Reward }>(of: Of): Omit<Of, 'reward'> & { reward: ShownReward } {
  return { ...of, reward: showReward(of.reward) };
}

function showFilter({ include, exclude }: LineFilter) {
  return { include: include.map(showMatcher), exclude: exclude.map(showMatcher) };
}

function showMatcher(matcher: LineMatcher): ShownMatcher {
  switch (matcher.by) {
    case 'externalId':
      return { externalId: matcher.value };
    case 'name':
      return { name: matcher.pattern };
    case 'type':
      return { type: matcher.type };
    default:
      return matcher satisfies never;
  }
}
