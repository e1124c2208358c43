import { weightsUnder } from './attribution.ts';
import { dropReason } from './candidate-drops.ts';
import {
  type Contender,
  explainLoss,
  explainOutcome,
  explainUnengaged,
  type Outcome,
  winnersFirst,
} from './explained-candidates.ts';
import type { ExplainedCandidate, SaleReason } from './explanation.ts';
import type { Candidate, Sale, Unengaged } from './facts.ts';
import { type HoldReason, holdReasons } from '#programs/domain/hold.ts';
import type { CollaboratorId, EngagementId, ProgramId } from '#core/ids.ts';
import { addDays, type Instant } from '#core/instant.ts';
import { payableUnit } from '#core/currency.ts';
import { mergeClaims } from './merged-claims.ts';
import type { Minor } from '#core/money.ts';
import { type Span, spanOf } from '#core/period.ts';
import type { ProgramVersion } from '#programs/domain/program.ts';
import { type Base, baseOf, exactReward, type RenewalTimes, rewardFor } from '#programs/domain/reward.ts';
import { capShare, splitReward } from './reward-split.ts';
import { losersInGroups } from './group-rivals.ts';

export type Award = {
  readonly programId: ProgramId;
  readonly programVersion: number;
  readonly collaboratorId: CollaboratorId;
  readonly engagementId: EngagementId | null;
  readonly amount: Minor;
  /** The currency of the sale or, for a lead, of the program. */
  readonly currency: string;
  /** The award's weight in the split, above zero. Awards of the sale's renewals have the same weight. */
  readonly weight: bigint;
  /** Whether the reward was per piece. Partial refunds then also reduce it per piece. */
  readonly byQuantity: boolean;
  /** The reasons for a fraud review. If there are any, the award is pending until a person reviews it. */
  readonly holdReasons: readonly HoldReason[];
  readonly status: 'pending' | 'approved';
  /**
   * The time when a pending award is approved automatically. Null if only a person can approve it, or if it is approved
   * immediately.
   */
  readonly approveAt: Instant | null;
  /**
   * Whether a coupon of the collaborator was used. The awards of the sale's renewals have the same value. For a sale or
   * a lead, always false if the program has no fraud settings.
   */
  readonly byCoupon: boolean;
  /**
   * Whether the award completes its engagements, because the program credits an opportunity once. A full refund reopens
   * them.
   */
  readonly completes: boolean;
};

export type SaleDecision = {
  /**
   * The sum of the sale's products and discounts, which are the lines that count by default. Each candidate has the
   * base of its own program.
   */
  readonly base: Minor;
  readonly reason: SaleReason | null;
  readonly candidates: readonly ExplainedCandidate[];
  readonly awards: readonly Award[];
};

/**
 * Decides the awards of a sale, lead or renewal, and the reasons why the other candidates earn nothing. Candidates that
 * can't earn are dropped first. Next, the programs of each group compete. Finally, each remaining program splits its
 * reward. The function is pure: the same facts always give the same decision, in any order of the inputs.
 */
export function decideSale(
  sale: Sale,
  candidates: readonly Candidate[],
  unengaged: readonly Unengaged[],
): SaleDecision {
  const base = baseOf(sale.lines, ['product', 'discount'], null).amount;
  const reason = saleReason(sale, candidates);
  if (reason !== null) return { base, reason, candidates: unengaged.map(explainUnengaged), awards: [] };

  const engaged = new Set(candidates.map(({ collaboratorId }) => collaboratorId));
  const apart = unengaged.filter(({ collaboratorId }) => !engaged.has(collaboratorId)).map(explainUnengaged);
  const contests = byProgram(mergeClaims(candidates)).map((contest) => drop(sale, contest));
  const losers = losersInGroups(contests.flatMap(({ standing }) => standing));
  const settled = contests.map((contest) =>
    losers.has(contest.program.programId) ? shutOut(sale, contest) : settle(sale, contest),
  );
  return {
    base,
    reason,
    candidates: winnersFirst([...apart, ...settled.flatMap(({ explained }) => explained)]),
    awards: settled.flatMap(({ awards }) => awards),
  };
}

/**
 * Returns the spans of time for which a decision needs earlier awards: for the program's tiers, and for its cap per
 * collaborator and period. A span is null if the program doesn't need it.
 */
export function countedSpans(
  { tiers, capPerPeriod }: Pick<ProgramVersion, 'tiers' | 'capPerPeriod'>,
  soldAt: Instant,
): { readonly tier: Span | null; readonly cap: Span | null } {
  return {
    tier: tiers === null ? null : spanOf(tiers.period, soldAt),
    cap: capPerPeriod === null ? null : spanOf(capPerPeriod.period, soldAt),
  };
}

/**
 * Returns the reason why no candidate can earn, or null if a candidate may earn. Candidates with a fixed weight, which
 * belong to renewals and manual credits, may earn regardless of the opportunity's state.
 */
function saleReason({ kind, opportunityState }: Sale, candidates: readonly Candidate[]): SaleReason | null {
  if (candidates.some(({ weight }) => weight !== null)) return null;
  if (kind === 'renewal') return 'no-original-conversion';
  if (opportunityState !== 'active') return `opportunity-${opportunityState}`;
  return candidates.length === 0 ? 'no-engagement' : null;
}

/** One program's candidates, oldest first. */
type Rivals = { readonly program: ProgramVersion; readonly candidates: Candidate[] };

function byProgram(candidates: readonly Candidate[]): Rivals[] {
  const programs = new Map<ProgramId, Rivals>();
  for (const candidate of candidates) {
    const { program } = candidate;
    const rivals = programs.get(program.programId);
    if (rivals === undefined) programs.set(program.programId, { program, candidates: [candidate] });
    else rivals.candidates.push(candidate);
  }
  return [...programs.values()].sort((a, b) => a.program.programId - b.program.programId);
}

type Contest = {
  readonly program: ProgramVersion;
  readonly base: Base;
  readonly dropped: readonly ExplainedCandidate[];
  readonly standing: readonly Contender[];
};

/** The result for one program: its awards, and the results of its candidates. */
type Settled = { readonly explained: readonly ExplainedCandidate[]; readonly awards: readonly Award[] };

function drop(sale: Sale, { program, candidates }: Rivals): Contest {
  const base = baseOf(sale.lines, program.countedLines, program.lineFilter);
  const dropped: ExplainedCandidate[] = [];
  const standing: Contender[] = [];
  for (const candidate of candidates) {
    const applied = rewardFor(program, candidate.collaboratorId, candidate.earned.tier, renewalTimes(sale));
    const reason = dropReason(sale, candidate, base, applied);
    if (reason === undefined) standing.push({ ...candidate, applied });
    else dropped.push(explainLoss(sale, candidate, base, reason));
  }
  return { program, base, dropped, standing };
}

function renewalTimes({ renewal, soldAt }: Sale): RenewalTimes | null {
  return renewal && { soldAt, originallySoldAt: renewal.originallySoldAt };
}

/** Returns the result of a program that lost to another program of its group. */
function shutOut(sale: Sale, { base, dropped, standing }: Contest): Settled {
  const lost = standing.map((candidate) => explainLoss(sale, candidate, base, 'lost-in-group'));
  return { explained: [...dropped, ...lost], awards: [] };
}

/** Returns the result of one program: its awards, and the reasons of the candidates without an award. */
function settle(sale: Sale, { program, base, dropped, standing }: Contest): Settled {
  const weightOf = weightsUnder(program.attribution, standing);
  const unit = sale.inPayableUnits ? payableUnit(awardCurrency(sale, program)) : 1n;
  const split = splitReward(
    standing.map((contender) => ({
      contender,
      exactReward: exactReward(contender.applied.reward, base),
      weight: contender.weight ?? weightOf(contender),
    })),
    program.capPerOrder,
    unit,
  );
  const outcomes = split.shares.map((part) => ({
    ...part,
    ...capShare(part.share, program, part.contender.earned.cap.sum, unit),
  }));
  return {
    explained: [...dropped, ...outcomes.map((outcome) => explainOutcome(sale, base, outcome, split))],
    awards: outcomes.filter(({ share }) => share > 0n).map((outcome) => awardOf(sale, outcome)),
  };
}

function awardOf(sale: Sale, { contender, weight, share }: Outcome): Award {
  return award(sale, contender, share, weight, contender.applied.reward.type === 'per-product');
}

/**
 * Returns the award of a candidate. It is approved if its program approves automatically and there is no reason for a
 * fraud review.
 */
export function award(sale: Sale, candidate: Candidate, amount: Minor, weight: bigint, byQuantity: boolean): Award {
  const { program, collaboratorId, engagementId, fraudSignals } = candidate;
  const held = holdReasons(sale, candidate);
  const isHeld = held.length > 0;
  return {
    programId: program.programId,
    programVersion: program.version,
    collaboratorId,
    engagementId,
    amount,
    currency: awardCurrency(sale, program),
    weight,
    byQuantity,
    holdReasons: held,
    status: program.autoApprove && !isHeld ? 'approved' : 'pending',
    approveAt: program.approveAfterDays === null || isHeld ? null : addDays(sale.soldAt, program.approveAfterDays),
    byCoupon: fraudSignals.hasCoupon,
    // A candidate with a fixed weight does not claim an engagement.
    completes: program.creditsPer === 'opportunity' && candidate.weight === null,
  };
}

/** Returns the currency of an award: the currency of the sale or, for a lead, of the program. */
export function awardCurrency(
  sale: Pick<Sale, 'kind' | 'currency'>,
  program: Pick<ProgramVersion, 'currency'>,
): string {
  return sale.kind === 'lead' ? program.currency : sale.currency;
}
