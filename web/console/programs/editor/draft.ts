import { USUAL_HOLDS } from '#examples/recipes/recipes.ts';
import type { CreateProgramBody, Program } from '@whence/sdk';

export type RewardType = Program['reward']['type'];
export type Period = NonNullable<Program['capPerPeriod']>['period'];
export type PayableKind = Program['pays'][number];
export type LineType = Program['countedLines'][number];

/** A reward in the form. An empty field is null, and the service reports it as missing. */
export type RewardDraft = {
  readonly type: RewardType;
  readonly percent: number | null;
  readonly amount: number | null;
};
/** A tier in the form. The key identifies its row in the list, because a tier has no id. */
export type StepDraft = { readonly key: number; readonly from: number | null; readonly reward: RewardDraft };
export type RenewalRewardDraft = {
  readonly key: number;
  readonly afterMonths: number | null;
  readonly reward: RewardDraft;
};
export type CustomRateDraft = {
  readonly key: number;
  readonly collaboratorId: string | null;
  readonly reward: RewardDraft;
};
export type MatcherBy = 'name' | 'externalId' | 'type';
export type MatcherDraft = { readonly key: number; readonly by: MatcherBy; readonly value: string };
export type TriggerDraft = { readonly name: string; readonly points: number | null };

export type HoldsDraft = NonNullable<Program['holds']>;

export type Draft = {
  readonly name: string;
  readonly description: string;
  readonly currency: string;
  readonly reward: RewardDraft;
  readonly attribution: Program['attribution'];
  readonly windowDays: number | null;
  readonly approval: 'by-person' | 'after-days' | 'at-once';
  readonly approveAfterDays: number | null;
  readonly enrollment: Program['enrollment'];
  readonly pays: readonly PayableKind[];
  readonly renewalMonths: number | null;
  readonly renewalTimes: number | null;
  readonly renewalRewards: readonly RenewalRewardDraft[];
  readonly creditsPer: Program['creditsPer'];
  readonly countedLines: readonly LineType[];
  readonly include: readonly MatcherDraft[];
  readonly exclude: readonly MatcherDraft[];
  readonly minimumOrder: number | null;
  readonly capPerOrder: number | null;
  readonly capPerPeriod: { readonly period: Period; readonly amount: number | null } | null;
  readonly tiers: {
    readonly period: Period;
    readonly by: 'sum' | 'count';
    readonly steps: readonly StepDraft[];
  } | null;
  readonly customRates: readonly CustomRateDraft[];
  readonly triggers: readonly TriggerDraft[];
  readonly groupId: string | null;
  readonly holds: HoldsDraft;
};

export type ChangeDraft = (patch: Partial<Draft>) => void;

let keys = 0;

export function newKey(): number {
  keys += 1;
  return keys;
}

/** The initial values of a program without a recipe. */
export const BLANK: CreateProgramBody = { name: '', reward: { type: 'percent', percent: 10 }, holds: USUAL_HOLDS };

type Given = CreateProgramBody | Omit<Program, 'id' | 'version' | 'createdAt' | 'updatedAt'>;

/** Returns a draft of a program or of a creation request. Missing values get the service's defaults. */
export function draftOf(program: Given): Draft {
  const { reward, renewals, lineFilter, capPerPeriod, tiers } = program;
  const after = numberOf(program.approveAfterDays);
  return {
    name: program.name,
    description: program.description ?? '',
    currency: program.currency ?? 'USD',
    reward: rewardDraft(reward),
    attribution: program.attribution ?? 'last-touch',
    windowDays: numberOf(program.windowDays ?? 30),
    approval: program.autoApprove === true ? 'at-once' : after === null ? 'by-person' : 'after-days',
    approveAfterDays: after,
    enrollment: program.enrollment ?? 'everyone',
    pays: program.pays ?? (reward.type === 'per-lead' ? ['lead'] : ['sale']),
    renewalMonths: numberOf(renewals?.months),
    renewalTimes: numberOf(renewals?.times),
    renewalRewards: (program.renewalRewards ?? []).map(({ afterMonths, reward: paid }) => ({
      key: newKey(),
      afterMonths: numberOf(afterMonths),
      reward: rewardDraft(paid),
    })),
    creditsPer: program.creditsPer ?? 'sale',
    countedLines: program.countedLines ?? ['product', 'discount'],
    include: (lineFilter?.include ?? []).map(matcherDraft),
    exclude: (lineFilter?.exclude ?? []).map(matcherDraft),
    minimumOrder: numberOf(program.minimumOrder),
    capPerOrder: numberOf(program.capPerOrder),
    capPerPeriod: capPerPeriod == null ? null : { period: capPerPeriod.period, amount: numberOf(capPerPeriod.amount) },
    tiers:
      tiers == null
        ? null
        : {
            period: tiers.period,
            by: tiers.by,
            steps: tiers.steps.map((step) => ({
              key: newKey(),
              from: numberOf(step.from),
              reward: rewardDraft(step.reward),
            })),
          },
    customRates: (program.collaboratorRewards ?? []).map((own) => ({
      key: newKey(),
      collaboratorId: String(own.collaboratorId),
      reward: rewardDraft(own.reward),
    })),
    triggers: Object.entries(program.triggers ?? { 'site-visit': 1 }).map(([name, points]) => ({
      name,
      points: numberOf(points),
    })),
    groupId: program.groupId == null ? null : String(program.groupId),
    holds: {
      visitsFromAddress: numberOf(program.holds?.visitsFromAddress),
      visitsOfCollaborator: numberOf(program.holds?.visitsOfCollaborator),
      ownCoupon: program.holds?.ownCoupon === true,
      secondsToSale: numberOf(program.holds?.secondsToSale),
      adReferrers: program.holds?.adReferrers ?? [],
      buyerDetails: program.holds?.buyerDetails ?? [],
      minConversionRate: numberOf(program.holds?.minConversionRate),
      maxConversionRate: numberOf(program.holds?.maxConversionRate),
      maxRefundRate: numberOf(program.holds?.maxRefundRate),
    },
  };
}

/**
 * Returns the request for a draft. Empty required fields are omitted or sent as an empty text, so that the service
 * reports them as faults.
 */
export function bodyOf(draft: Draft): CreateProgramBody {
  const { renewalMonths: months, renewalTimes: times, include, exclude, capPerPeriod, tiers } = draft;
  const filter = { include: include.map(matcherBody), exclude: exclude.map(matcherBody) };
  const body = {
    name: draft.name,
    description: draft.description === '' ? null : draft.description,
    currency: draft.currency,
    reward: rewardBody(draft.reward),
    attribution: draft.attribution,
    windowDays: needed(draft.windowDays),
    autoApprove: draft.approval === 'at-once',
    approveAfterDays: draft.approval === 'after-days' ? needed(draft.approveAfterDays) : null,
    enrollment: draft.enrollment,
    pays: draft.pays,
    renewals: draft.pays.includes('renewal') && (months ?? times) !== null ? { months, times } : null,
    renewalRewards: draft.pays.includes('renewal')
      ? draft.renewalRewards.map(({ afterMonths, reward }) => ({
          afterMonths: needed(afterMonths),
          reward: rewardBody(reward),
        }))
      : [],
    creditsPer: draft.creditsPer,
    countedLines: draft.countedLines,
    lineFilter: include.length + exclude.length === 0 ? null : filter,
    minimumOrder: draft.minimumOrder,
    capPerOrder: draft.capPerOrder,
    capPerPeriod: capPerPeriod === null ? null : { period: capPerPeriod.period, amount: needed(capPerPeriod.amount) },
    tiers:
      tiers === null
        ? null
        : {
            period: tiers.period,
            by: tiers.by,
            steps: tiers.steps.map((step) => ({ from: needed(step.from), reward: rewardBody(step.reward) })),
          },
    collaboratorRewards: draft.customRates.map((own) => ({
      collaboratorId: own.collaboratorId === null ? undefined : Number(own.collaboratorId),
      reward: rewardBody(own.reward),
    })),
    triggers: Object.fromEntries(draft.triggers.map(({ name, points }) => [name, needed(points)])),
    groupId: draft.groupId === null ? null : Number(draft.groupId),
    holds: countSignals(draft.holds) === 0 ? null : draft.holds,
  };
  return body as unknown as CreateProgramBody;
}

export function countSignals(holds: HoldsDraft): number {
  return Object.values(holds).filter((value) =>
    Array.isArray(value) ? value.length > 0 : value !== null && value !== false,
  ).length;
}

/** Returns the fields of `after` that differ from `before`. The request for an edit contains only these fields. */
export function changedFields(before: CreateProgramBody, after: CreateProgramBody): Partial<CreateProgramBody> {
  return Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof CreateProgramBody]),
    ),
  );
}

/**
 * Returns the changes of a draft for another reward. A program pays either for leads, or for sales and renewals, so a
 * switch between the two resets the paid events and the terms of renewals.
 */
export function withReward(draft: Draft, reward: RewardDraft): Partial<Draft> {
  const isOfLeads = reward.type === 'per-lead';
  if (isOfLeads === (draft.reward.type === 'per-lead')) return { reward };
  const pays = isOfLeads ? (['lead'] as const) : (['sale'] as const);
  return { reward, pays, renewalMonths: null, renewalTimes: null, renewalRewards: [] };
}

/** The value of a missing number in a request. The service refuses this value, but null would select the default. */
const MISSING = '';

function needed(value: number | null): number | string {
  return value ?? MISSING;
}

export function rewardDraft(reward: Given['reward']): RewardDraft {
  return reward.type === 'percent'
    ? { type: 'percent', percent: Number(reward.percent), amount: null }
    : { type: reward.type, percent: null, amount: Number(reward.amount) };
}

export function rewardBody({ type, percent, amount }: RewardDraft) {
  return type === 'percent' ? { type, percent: percent ?? undefined } : { type, amount: amount ?? undefined };
}

type Matcher = NonNullable<NonNullable<NonNullable<Given['lineFilter']>['include']>>[number];

function matcherDraft(matcher: Matcher): MatcherDraft {
  const [by, value] = Object.entries(matcher).find(([, each]) => each != null) ?? ['name', ''];
  return { key: newKey(), by: by as MatcherBy, value: String(value) };
}

function matcherBody({ by, value }: MatcherDraft) {
  return { [by]: value };
}

function numberOf(value: number | string | null | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}
