import { payableUnit } from '#core/currency.ts';
import { type CollaboratorId, MAX_ID, type ProgramId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { Line } from '#programs/domain/line.ts';
import type { PayableKind, ProgramVersion, Reward } from '#programs/domain/program.ts';
import { type Base, baseOf, exactReward } from '#programs/domain/reward.ts';
import type { ExplainedCandidate } from './explanation.ts';
import { capShare, splitReward } from './reward-split.ts';
import { awardCurrency } from './sale-decision.ts';

/** The recorded decision of a sale or renewal, with the program versions of its candidates. */
export type RecordedDecision = {
  readonly kind: PayableKind;
  readonly currency: string;
  readonly inPayableUnits: boolean;
  readonly candidates: readonly ExplainedCandidate[];
  readonly programs: readonly ProgramVersion[];
};

/** The total and the lines of a sale, as reported or as corrected. */
export type SaleContent = { readonly total: Minor; readonly lines: readonly Line[] };

/**
 * Returns the amount that each candidate of a recorded decision would earn on the corrected sale. The keys have the
 * form of `awardKey`. The candidates, their weights, their rewards and the sums that caps counted are taken from the
 * decision. Only the base and the check of the minimum order use the corrected content. For the original content, the
 * result is the original award.
 *
 * A candidate without an award keeps its part of the split, so the result can contain an amount for it. That amount
 * isn't paid, because a correction adds no earners.
 *
 * `baseIn` returns the base of the content in a program. Programs that count the same lines have the same base.
 */
export function correctedAwards(
  decision: RecordedDecision,
  content: SaleContent,
  baseIn: (program: ProgramVersion) => Base = ({ countedLines, lineFilter }) =>
    baseOf(content.lines, countedLines, lineFilter),
): Map<string, Minor> {
  const awards = new Map<string, Minor>();
  for (const program of decision.programs) {
    for (const { candidate, share } of sharesIn(program, decision, content, baseIn(program))) {
      awards.set(awardKey({ programId: program.programId, collaboratorId: candidate.collaboratorId }), share);
    }
  }
  return awards;
}

export function awardKey(of: { readonly programId: ProgramId; readonly collaboratorId: CollaboratorId }): string {
  return `${of.programId} ${of.collaboratorId}`;
}

function sharesIn(
  program: ProgramVersion,
  { kind, currency, inPayableUnits, candidates }: RecordedDecision,
  { total }: SaleContent,
  base: Base,
) {
  const isPaid = base.amount > 0n && (program.minimumOrder === null || total >= program.minimumOrder);
  const unit = inPayableUnits ? payableUnit(awardCurrency({ kind, currency }, program)) : 1n;
  const parts = candidates
    .filter(({ programId, programVersion }) => programId === program.programId && programVersion === program.version)
    .flatMap((candidate) => {
      const { weight } = candidate;
      if (weight === undefined) return [];
      return [{ candidate, exactReward: exactReward(rewardOf(candidate, program), base), weight: BigInt(weight) }];
    })
    .toSorted((a, b) => oldestFirst(a.candidate, b.candidate));
  if (!isPaid) return parts.map(({ candidate }) => ({ candidate, share: NOTHING }));
  return splitReward(parts, program.capPerOrder, unit).shares.map(({ candidate, share }) => ({
    candidate,
    share: capShare(share, program, candidate.earnedForCap ?? NOTHING, unit).share,
  }));
}

const NOTHING = 0n as Minor;

/** Compares candidates by age, as the decision does. */
function oldestFirst(a: ExplainedCandidate, b: ExplainedCandidate): number {
  return (
    Number(a.firstAt) - Number(b.firstAt) ||
    Number(a.firstVisitId) - Number(b.firstVisitId) ||
    (a.engagementId ?? MAX_ID) - (b.engagementId ?? MAX_ID) ||
    a.collaboratorId - b.collaboratorId
  );
}

/** Returns the reward that the decision applied to a candidate. Throws if the program version has no such reward. */
function rewardOf(candidate: ExplainedCandidate, program: ProgramVersion): Reward {
  const { terms, collaboratorId, tierFrom, afterMonths } = candidate;
  const applied = {
    own: () => program.collaboratorRewards.find((rule) => rule.collaboratorId === collaboratorId),
    tier: () => program.tiers?.steps.find(({ from }) => from === tierFrom),
    renewal: () => program.renewalRewards.find((each) => each.afterMonths === afterMonths),
    program: () => program,
  }[terms ?? 'program']();
  if (applied === undefined) throw new Error(`Program ${program.programId} has no reward of the kind ${terms}.`);
  return applied.reward;
}
