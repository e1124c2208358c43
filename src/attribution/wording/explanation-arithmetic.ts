import type { Explanation, WeighedCandidate } from '../domain/explanation.ts';
import { count } from '#core/count.ts';
import { payableUnit } from '#core/currency.ts';
import { divideHalfUp, formatMajor, type Minor } from '#core/money.ts';
import { formatPercent } from '#core/percent.ts';
import type { Period } from '#core/period.ts';
import type { ProgramVersion, Reward, TierMeasure } from '#programs/domain/program.ts';
import { exactReward, REWARD_SCALE } from '#programs/domain/reward.ts';

/**
 * Returns the calculation of a candidate's share as steps: the reward, the cap per order, the split, the cap per
 * period. `rivals` are the program's candidates that have a weight, including this candidate.
 *
 * Throws if the program version lacks the terms of the decision, which can't happen because a version never changes.
 */
export function arithmetic(
  explanation: Explanation,
  program: ProgramVersion,
  candidate: WeighedCandidate,
  rivals: readonly WeighedCandidate[],
): string[] {
  const calculation = { explanation, program, candidate, currency: candidate.currency ?? explanation.currency };
  return [...split(calculation, rivals), ...capPerPeriod(calculation)];
}

type Calculation = {
  readonly explanation: Explanation;
  readonly program: ProgramVersion;
  readonly candidate: WeighedCandidate;
  readonly currency: string;
};

/** Returns the steps up to the share of a candidate, before the cap per period. */
function split(calculation: Calculation, rivals: readonly WeighedCandidate[]): string[] {
  const { explanation, candidate, currency } = calculation;
  const reward = `${base(calculation)}${terms(calculation)}`;
  const full = `${money(candidate.uncapped ?? candidate.reward, currency)}${rounding(calculation, rivals)}`;
  const part = money(partOf(candidate), currency);
  const stepsWithSum = (weighted: string): string[] => [
    weighted,
    `The sum of all shares is ${full}`,
    ...capPerOrder(calculation),
    `The share is ${part}`,
  ];
  if (explanation.omitted > 0) {
    // Without the weights and terms of the omitted candidates, the text can't show how the reward was split.
    return stepsWithSum(`${reward}, weight ${candidate.weight}`);
  }
  if (rivals.length === 1) return [`${reward} = ${full}`, ...capPerOrder(calculation)];
  const weight = `${candidate.weight} of ${rivals.reduce((sum, rival) => sum + rival.weight, 0)}`;
  return sameTerms(rivals)
    ? [
        `${reward} = ${full}`,
        ...capPerOrder(calculation),
        `The share by ${splitBy(calculation)}, with weight ${weight}, is ${part}`,
      ]
    : stepsWithSum(`${reward}, weight ${weight}`);
}

/**
 * Returns a text with the reward before rounding to the payable unit, or an empty text if rounding didn't change it.
 * Earlier releases rounded to hundredths, so their decisions never have this text.
 */
function rounding(
  { explanation, program, candidate, currency }: Calculation,
  rivals: readonly WeighedCandidate[],
): string {
  if (payableUnit(currency) === 1n || explanation.omitted > 0) return '';
  const weight = (of: WeighedCandidate) => BigInt(of.weight);
  const exact = rivals.reduce((sum, rival) => {
    const reward = appliedReward({ explanation, program, candidate: rival, currency });
    return sum + exactReward(reward, { amount: rival.base, quantity: BigInt(rival.quantity) }) * weight(rival);
  }, 0n);
  const weights = rivals.reduce((sum, rival) => sum + weight(rival), 0n);
  const hundredths = divideHalfUp(exact, weights * REWARD_SCALE) as Minor;
  if (hundredths === (candidate.uncapped ?? candidate.reward)) return '';
  return ` (${formatMajor(hundredths)} rounded, since ${currency} has no decimals)`;
}

function splitBy({ explanation, program }: Calculation): string {
  return explanation.kind === 'renewal' ? 'the split of the sale' : `${program.attribution} attribution`;
}

function sameTerms(rivals: readonly WeighedCandidate[]): boolean {
  return rivals.every(({ terms, tierFrom }) => terms !== 'own' && tierFrom === rivals[0]?.tierFrom);
}

function base(calculation: Calculation): string {
  const { explanation, candidate, currency } = calculation;
  const reward = appliedReward(calculation);
  if (reward.type === 'percent') {
    return `${formatPercent(reward.ratePpm / 10_000)} of ${money(candidate.base, currency)}${lines(calculation)}`;
  }
  if (reward.type === 'per-product') {
    return `${money(reward.amount, currency)} × ${candidate.quantity} ${candidate.quantity === 1 ? 'unit' : 'units'}${lines(calculation)}`;
  }
  // A fixed reward is for the whole transaction: per-sale for a sale or a renewal, per-lead for a lead.
  return `${money(reward.amount, currency)} a ${explanation.kind}`;
}

function appliedReward({ program, candidate }: Calculation): Reward {
  const reward = rewardOf(program, candidate);
  if (reward !== undefined) return reward;
  throw new Error(`Program ${program.programId}, version ${program.version}, lacks the reward of its decision.`);
}

function rewardOf(
  program: ProgramVersion,
  { terms: origin, tierFrom, afterMonths, collaboratorId }: WeighedCandidate,
): Reward | undefined {
  if (origin === undefined) return program.reward;
  if (origin === 'own') return program.collaboratorRewards.find((own) => own.collaboratorId === collaboratorId)?.reward;
  if (origin === 'renewal') return program.renewalRewards.find((aged) => aged.afterMonths === afterMonths)?.reward;
  return program.tiers?.steps.find(({ from }) => from === tierFrom)?.reward;
}

/** Returns a description of the counted lines, or an empty text if the base is simply the products and discounts. */
function lines({ explanation, program, candidate }: Calculation): string {
  if (program.lineFilter !== null) return ' of the lines that pass the program’s filter';
  return candidate.base === explanation.base ? '' : ' of the lines that count in the program';
}

function terms({ program, candidate, currency }: Calculation): string {
  if (candidate.terms === 'own') return ' (custom rate)';
  if (candidate.afterMonths !== undefined) return agedTerms(candidate.afterMonths);
  const { earnedForTier, tierFrom } = candidate;
  const from = tierFrom ?? program.tiers?.steps[0]?.from;
  if (program.tiers === null || from === undefined || earnedForTier === undefined) return '';
  const { by, period } = program.tiers;
  const step = `${tierFrom === undefined ? 'below the ' : ''}tier from ${threshold(by, from, currency)}`;
  const counted = by === 'sum' ? money(earnedForTier.sum, currency) : `${earnedForTier.count}`;
  return ` (${step}, with ${counted} counted ${SPAN[period]})`;
}

function agedTerms(afterMonths: number): string {
  return afterMonths === 0 ? ' (reward for renewals)' : ` (reward from ${count(afterMonths, 'month')} after the sale)`;
}

function threshold(by: TierMeasure, from: bigint, currency: string): string {
  if (by === 'sum') return money(from as Minor, currency);
  return from === 1n ? '1 conversion' : `${from} conversions`;
}

function capPerOrder({ program, candidate, currency }: Calculation): string[] {
  const { uncapped, reward } = candidate;
  if (uncapped === undefined) return [];
  const cap = program.capPerOrder ?? reward;
  const roundedDown = cap > reward ? ` (${formatMajor(cap)} rounded down, since ${currency} has no decimals)` : '';
  return [`The cap per order reduces this to ${money(reward, currency)}${roundedDown}`];
}

function capPerPeriod({ program, candidate, currency }: Calculation): string[] {
  const { cut, share, earnedForCap } = candidate;
  if (cut === undefined || earnedForCap === undefined || program.capPerPeriod === null) return [];
  const { amount, period } = program.capPerPeriod;
  const left = amount - earnedForCap;
  const roundedDown =
    left > share ? ` (${formatMajor(left as Minor)} rounded down, since ${currency} has no decimals)` : '';
  return [
    `The cap of ${money(amount, currency)} ${EACH[period]}, with ${money(earnedForCap, currency)} awarded before, ` +
      `reduces this to ${money(share, currency)}${roundedDown}`,
  ];
}

/** Returns the candidate's share of the program's reward, before the cap per period. */
function partOf({ share, cut }: WeighedCandidate): Minor {
  return (share + (cut ?? 0n)) as Minor;
}

const SPAN: Readonly<Record<Period, string>> = {
  day: 'that day',
  week: 'that week',
  month: 'that month',
  quarter: 'that quarter',
  year: 'that year',
  lifetime: 'in all',
};

const EACH: Readonly<Record<Period, string>> = {
  day: 'a day',
  week: 'a week',
  month: 'a month',
  quarter: 'a quarter',
  year: 'a year',
  lifetime: 'in all',
};

function money(amount: Minor, currency: string): string {
  return `${formatMajor(amount)} ${currency}`;
}
