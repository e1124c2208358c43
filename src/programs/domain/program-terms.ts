import { isCommonTrigger } from './custom-event.ts';
import type { CollaboratorId, ProgramGroupId } from '#core/ids.ts';
import { countStarCharacters, type LineFilter, MAX_STAR_CHARACTERS } from './line-filter.ts';
import type { PayableKind, ProgramTerms, Reward } from './program.ts';

/**
 * An invalid part of a program's terms: its location (a pointer into a program's fields in a request), and the reason.
 */
export type TermsFault = { readonly pointer: string; readonly code: TermsFaultCode; readonly detail: string };
export type TermsFaultCode =
  | 'conflicting'
  | 'not-rising'
  | 'duplicate'
  | 'too-long'
  | 'too-many'
  | 'unknown-group'
  | 'unknown-collaborator'
  | 'unknown-trigger';

/** The existing groups, collaborators and custom events that a program's terms refer to. */
export type KnownReferences = {
  readonly groupIds: ReadonlySet<ProgramGroupId>;
  readonly collaboratorIds: ReadonlySet<CollaboratorId>;
  readonly slugs: ReadonlySet<string>;
};

/**
 * Returns a fault for each contradiction between the terms of a program. New and edited programs must have no faults.
 * Returns no faults for a deleted program, which pays nothing. So a program that is older than one of the rules can be
 * deleted.
 */
export function faultsOf(terms: ProgramTerms): TermsFault[] {
  if (terms.status === 'deleted') return [];
  return [
    ...unfitPays(terms),
    ...mixedRewards(terms),
    ...findFallingThresholds(terms),
    ...findFallingAges(terms),
    ...repeatedCollaborators(terms),
    ...idleRenewals(terms),
    ...doubleApproval(terms),
    ...crossedRates(terms),
  ];
}

/**
 * Returns a fault for each reference in the terms to an object that doesn't exist. An edit passes only changed terms.
 */
export function unknownReferences(
  { groupId, triggers, collaboratorRewards }: Partial<ProgramTerms>,
  known: KnownReferences,
): TermsFault[] {
  const unknownGroup = groupId != null && !known.groupIds.has(groupId);
  return [
    ...(unknownGroup ? [fault('/groupId', 'unknown-group', 'No program group has this id. Check the id.')] : []),
    ...Object.keys(triggers ?? {})
      .filter((trigger) => !isCommonTrigger(trigger) && !known.slugs.has(trigger))
      .map((slug) =>
        fault(`/triggers/${slug}`, 'unknown-trigger', 'No custom event has this slug. Create the custom event first.'),
      ),
    ...(collaboratorRewards ?? []).flatMap(({ collaboratorId }, index) =>
      known.collaboratorIds.has(collaboratorId)
        ? []
        : [
            fault(
              `${ownReward(index)}/collaboratorId`,
              'unknown-collaborator',
              'No collaborator has this id. Check the id.',
            ),
          ],
    ),
  ];
}

/**
 * Returns a fault if the `*` patterns of the line filter and of the other programs' filters exceed MAX_STAR_CHARACTERS
 * together.
 */
export function tooLongPatterns(lineFilter: LineFilter | null, others: readonly LineFilter[]): TermsFault[] {
  const own = lineFilter === null ? 0 : countStarCharacters(lineFilter);
  const left = MAX_STAR_CHARACTERS - others.reduce((sum, filter) => sum + countStarCharacters(filter), 0);
  const most = `At most ${MAX_STAR_CHARACTERS} characters are allowed in the \`*\` patterns of all programs together`;
  return own === 0 || own <= left
    ? []
    : [fault('/lineFilter', 'too-long', `${most}, and ${Math.max(0, left)} are left. Shorten the patterns.`)];
}

/** The maximum number of custom rates in a program. */
export const MAX_OWN_REWARDS = 1_000;

/** The maximum number of custom rates in all programs of an organization together. */
export const MAX_CUSTOM_RATES = 20_000;

/**
 * Returns a fault if the `own` custom rates of a program and the `others` custom rates of the other programs exceed
 * MAX_CUSTOM_RATES together.
 */
export function tooManyRewards(own: number, others: number): TermsFault[] {
  const left = Math.max(0, MAX_CUSTOM_RATES - others);
  const most = `At most ${MAX_CUSTOM_RATES} custom rates are allowed in all programs together`;
  return own <= left
    ? []
    : [fault('/collaboratorRewards', 'too-many', `${most}, and ${left} are left. Remove some custom rates.`)];
}

/** Returns the kinds of events that a program pays for by default. */
export function defaultPays(reward: Reward): readonly PayableKind[] {
  return isPerLead(reward) ? ['lead'] : ['sale'];
}

/** Returns whether a program can have a custom rate. Rewards per lead can't be combined with other rewards. */
export function fitsProgram(
  rate: Pick<Reward, 'type'>,
  { reward }: { readonly reward: Pick<Reward, 'type'> },
): boolean {
  return isPerLead(rate) === isPerLead(reward);
}

/** Returns the terms for a collaborator with a custom rate, which replaces all other rewards of the program. */
export function withCustomRate<Terms extends RewardTerms>(terms: Terms, reward: Reward): Terms {
  return { ...terms, reward, tiers: null, collaboratorRewards: [], renewalRewards: [] };
}

type RewardTerms = Pick<ProgramTerms, 'reward' | 'tiers' | 'collaboratorRewards' | 'renewalRewards'>;

/** Returns the terms with `collaboratorRewards` in ascending order of collaborator id, as they are stored. */
export function sortRewards<Terms extends Partial<Pick<ProgramTerms, 'collaboratorRewards'>>>(terms: Terms): Terms {
  if (terms.collaboratorRewards === undefined) return terms;
  const collaboratorRewards = terms.collaboratorRewards.toSorted((a, b) => a.collaboratorId - b.collaboratorId);
  return { ...terms, collaboratorRewards };
}

/**
 * Returns whether payments under the given terms depend on earlier decisions. If they do, the organization's events are
 * decided sequentially. The schema computes the same value for each version (program_versions.decided_in_order).
 */
export function isDecidedInOrder({
  creditsPer,
  tiers,
  capPerPeriod,
}: Pick<ProgramTerms, 'creditsPer' | 'tiers' | 'capPerPeriod'>): boolean {
  return creditsPer === 'opportunity' || tiers !== null || capPerPeriod !== null;
}

function isPerLead({ type }: Pick<Reward, 'type'>): boolean {
  return type === 'per-lead';
}

/**
 * Returns the conflicts between the reward and `pays`. Leads need a reward per lead, and such a reward pays only leads.
 */
function unfitPays({ reward, pays }: ProgramTerms): TermsFault[] {
  if (isPerLead(reward)) {
    return pays.some((kind) => kind !== 'lead')
      ? [
          fault(
            '/pays',
            'conflicting',
            'A reward per lead can only be paid for leads. Remove the other kinds from pays.',
          ),
        ]
      : [];
  }
  return pays.includes('lead')
    ? [
        fault(
          '/pays',
          'conflicting',
          'Leads can only be paid with a reward of the type per-lead. Remove lead from pays, or change the reward.',
        ),
      ]
    : [];
}

/** The advice for a reward that doesn't fit the program's reward. */
export const MIXED_REWARDS =
  'Rewards per lead can’t be combined with other rewards. Use only rewards per lead, or none.';

function mixedRewards({ reward, tiers, collaboratorRewards, renewalRewards }: ProgramTerms): TermsFault[] {
  const others = [
    ...(tiers?.steps ?? []).map((step, index) => [`/tiers/steps/${index}`, step.reward] as const),
    ...collaboratorRewards.map((own, index) => [ownReward(index), own.reward] as const),
    ...renewalRewards.map((each, index) => [`/renewalRewards/${index}`, each.reward] as const),
  ];
  return others
    .filter(([, other]) => !fitsProgram(other, { reward }))
    .map(([at]) => fault(`${at}/reward/type`, 'conflicting', MIXED_REWARDS));
}

function findFallingThresholds({ tiers }: ProgramTerms): TermsFault[] {
  const steps = tiers?.steps ?? [];
  return steps.flatMap(({ from }, index) => {
    const before = steps[index - 1];
    return before === undefined || before.from < from
      ? []
      : [fault(`/tiers/steps/${index}/from`, 'not-rising', 'Thresholds must increase.')];
  });
}

function findFallingAges({ renewalRewards }: ProgramTerms): TermsFault[] {
  return renewalRewards.flatMap(({ afterMonths }, index) => {
    const before = renewalRewards[index - 1];
    return before === undefined || before.afterMonths < afterMonths
      ? []
      : [fault(`/renewalRewards/${index}/afterMonths`, 'not-rising', 'The months must increase.')];
  });
}

function repeatedCollaborators({ collaboratorRewards }: ProgramTerms): TermsFault[] {
  const seen = new Set<CollaboratorId>();
  return collaboratorRewards.flatMap(({ collaboratorId }, index) => {
    const repeated = seen.has(collaboratorId);
    seen.add(collaboratorId);
    return repeated
      ? [
          fault(
            `${ownReward(index)}/collaboratorId`,
            'duplicate',
            'This collaborator is listed twice. Remove one of the custom rates.',
          ),
        ]
      : [];
  });
}

function idleRenewals({ pays, renewalLimit, renewalRewards }: ProgramTerms): TermsFault[] {
  if (pays.includes('renewal')) return [];
  return [
    ...(renewalLimit === null
      ? []
      : [
          fault(
            '/renewals',
            'conflicting',
            'Only a program that pays renewals can limit them. Add renewal to pays, or remove the limit.',
          ),
        ]),
    ...(renewalRewards.length === 0
      ? []
      : [
          fault(
            '/renewalRewards',
            'conflicting',
            'Only a program that pays renewals can have rewards for them. Add renewal to pays, or remove the rewards.',
          ),
        ]),
  ];
}

function doubleApproval({ autoApprove, approveAfterDays }: ProgramTerms): TermsFault[] {
  const detail =
    'A program can approve at once or after some days, not both. Set autoApprove to false, or approveAfterDays to null.';
  return autoApprove && approveAfterDays !== null ? [fault('/approveAfterDays', 'conflicting', detail)] : [];
}

/**
 * Returns a fault if the minimum conversion rate is above the maximum. With such limits, every rate would cause a fraud
 * signal.
 */
function crossedRates({ holds }: ProgramTerms): TermsFault[] {
  const { minConversionRate = null, maxConversionRate = null } = holds ?? {};
  if (minConversionRate === null || maxConversionRate === null || minConversionRate <= maxConversionRate) return [];
  const detail =
    'The minimum conversion rate is above the maximum. Lower minConversionRate, or raise maxConversionRate.';
  return [fault('/holds/minConversionRate', 'conflicting', detail)];
}

function ownReward(index: number): string {
  return `/collaboratorRewards/${index}`;
}

function fault(pointer: string, code: TermsFaultCode, detail: string): TermsFault {
  return { pointer, code, detail };
}
