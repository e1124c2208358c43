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
import { type HoldReason, holdReasons, type Signs } from './hold.ts';
import type { CollaboratorId, EngagementId, EventId, OpportunityId, ProgramId, UserId } from './ids.ts';
import { addDays, type Instant } from './instant.ts';
import { mergeClaims } from './merged-claims.ts';
import { MAX_MINOR, type Minor } from './money.ts';
import { type Span, spanOf } from './period.ts';
import type { GroupRule, PayableKind, ProgramVersion } from './program.ts';
import { losersInGroups } from './program-group.ts';
import { type Base, baseOf, exactReward, type Line, rewardFor } from './reward.ts';
import { capShare, splitReward } from './reward-split.ts';
import type { UnengagedReason } from './visit.ts';

/** A sale, lead or renewal as its event saw it. */
export type Sale = {
  readonly kind: PayableKind;
  readonly opportunityState: 'active' | 'invalid' | 'removed';
  readonly visitorUserId: UserId | null;
  readonly currency: string;
  readonly total: Minor;
  readonly soldAt: Instant;
  readonly lines: readonly Line[];
  /** Of a renewal: which one of its sale it is, from 1, and when that was. */
  readonly renewal: { readonly number: number; readonly originallySoldAt: Instant } | null;
};

/** What was awarded before this decision in a span of time, and not rejected since, in the program's currency. */
export type Earned = { readonly sum: Minor; readonly count: number };

/** The same within what an amount can be: no tier and no cap is above it, so what is beyond makes no difference. */
export function withinAmounts({ sum, count }: Earned): Earned {
  return { sum: sum < MAX_MINOR ? sum : MAX_MINOR, count };
}

/**
 * A claim to credit, with the configuration that the sale's event names: an engagement as it was when the sale was
 * reported; of a renewal a conversion of its sale; or what a person credits.
 */
export type Candidate = {
  readonly engagementId: EngagementId | null;
  readonly opportunityId: OpportunityId;
  readonly program: ProgramVersion;
  /** Of the program's group; null without one. */
  readonly groupRule: GroupRule | null;
  readonly collaboratorId: CollaboratorId;
  readonly collaborator: { readonly active: boolean; readonly userId: UserId | null; readonly enrolled: boolean };
  /** The event of the sale that has completed it. */
  readonly completedBy: EventId | null;
  readonly score: number;
  /** Fixed, of a renewal or a person's credit; null: the attribution model decides. */
  readonly weight: bigint | null;
  readonly firstVisitId: EventId;
  readonly lastVisitId: EventId;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  /** In the spans of `countedSpans`; zeros where the program has none. */
  readonly earned: { readonly tier: Earned; readonly cap: Earned };
  /** What may make a person look at it first; NO_SIGNS where the program holds nothing. */
  readonly signs: Signs;
};

/** A visit that made no engagement. */
export type Unengaged = { readonly collaboratorId: CollaboratorId; readonly reason: UnengagedReason };

export type Award = {
  readonly programId: ProgramId;
  readonly programVersion: number;
  readonly collaboratorId: CollaboratorId;
  readonly engagementId: EngagementId | null;
  readonly amount: Minor;
  /** The sale's; of a lead the program's. */
  readonly currency: string;
  /** Its part in the split, above zero, which renewals go by. */
  readonly weight: bigint;
  /** The reward was for pieces: what a partial refund leaves of it goes by pieces too. */
  readonly byQuantity: boolean;
  /** Why it is held: then it is pending, and approved by nobody but a person. */
  readonly holdReasons: readonly HoldReason[];
  readonly status: 'pending' | 'approved';
  /** When a pending one is approved without anybody's word. */
  readonly approveAt: Instant | null;
  /** A coupon of the collaborator's was used, which the renewals of the sale remember; told where the program asks. */
  readonly byCoupon: boolean;
  /** The program credits an opportunity once: its engagements there are complete now, until the refund opens them. */
  readonly completes: boolean;
};

export type SaleDecision = {
  /** Of the line types that count by default; each candidate has its own program's. */
  readonly base: Minor;
  readonly reason: SaleReason | null;
  readonly candidates: readonly ExplainedCandidate[];
  readonly awards: readonly Award[];
};

/**
 * Who earned what by a sale, lead or renewal, and why the others did not. Drops come first, then groups, then each
 * program for itself. Pure: the same facts give the same decision, always, in whatever order they are given.
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
 * The spans of time in which a decision has to know what was awarded: for the program's tiers, and for its cap per
 * collaborator and period. Null where it has none.
 */
export function countedSpans(
  { tiers, capPerPeriod }: ProgramVersion,
  soldAt: Instant,
): { readonly tier: Span | null; readonly cap: Span | null } {
  return {
    tier: tiers === null ? null : spanOf(tiers.period, soldAt),
    cap: capPerPeriod === null ? null : spanOf(capPerPeriod.period, soldAt),
  };
}

/** Why nobody can earn. What somebody was credited before, or by a person, stands whatever became of the visitor. */
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

/** What is settled of one program: what it awards, and what became of its candidates. */
type Settled = { readonly explained: readonly ExplainedCandidate[]; readonly awards: readonly Award[] };

function drop(sale: Sale, { program, candidates }: Rivals): Contest {
  const base = baseOf(sale.lines, program.countedLines, program.lineFilter);
  const dropped: ExplainedCandidate[] = [];
  const standing: Contender[] = [];
  for (const candidate of candidates) {
    const applied = rewardFor(program, candidate.collaboratorId, candidate.earned.tier);
    const reason = dropReason(sale, candidate, base, applied);
    if (reason === undefined) standing.push({ ...candidate, applied });
    else dropped.push(explainLoss(sale, candidate, base, reason));
  }
  return { program, base, dropped, standing };
}

/** Another program of the group goes on. */
function shutOut(sale: Sale, { base, dropped, standing }: Contest): Settled {
  const lost = standing.map((candidate) => explainLoss(sale, candidate, base, 'lost-in-group'));
  return { explained: [...dropped, ...lost], awards: [] };
}

/** What one program pays: to whom, and why not to the others. */
function settle(sale: Sale, { program, base, dropped, standing }: Contest): Settled {
  const weightOf = weightsUnder(program.attribution, standing);
  const split = splitReward(
    standing.map((contender) => ({
      contender,
      exactReward: exactReward(contender.applied.reward, base),
      weight: contender.weight ?? weightOf(contender),
    })),
    program.capPerOrder,
  );
  const outcomes = split.shares.map((part) => ({
    ...part,
    ...capShare(part.share, program, part.contender.earned.cap.sum),
  }));
  return {
    explained: [...dropped, ...outcomes.map((outcome) => explainOutcome(sale, base, outcome, split))],
    awards: outcomes.filter(({ share }) => share > 0n).map((outcome) => awardOf(sale, outcome)),
  };
}

function awardOf(sale: Sale, { contender, weight, share }: Outcome): Award {
  return award(sale, contender, share, weight, contender.applied.reward.type === 'per-product');
}

/** What is awarded to a candidate, approved when its program says so and nothing holds it. */
export function award(sale: Sale, candidate: Candidate, amount: Minor, weight: bigint, byQuantity: boolean): Award {
  const { program, collaboratorId, engagementId, signs } = candidate;
  const held = holdReasons(sale, candidate);
  const isHeld = held.length > 0;
  return {
    programId: program.programId,
    programVersion: program.version,
    collaboratorId,
    engagementId,
    amount,
    currency: sale.kind === 'lead' ? program.currency : sale.currency,
    weight,
    byQuantity,
    holdReasons: held,
    status: program.autoApprove && !isHeld ? 'approved' : 'pending',
    approveAt: program.approveAfterDays === null || isHeld ? null : addDays(sale.soldAt, program.approveAfterDays),
    byCoupon: signs.hasCoupon,
    // What had a fixed weight was no claim of an engagement.
    completes: program.creditsPer === 'opportunity' && candidate.weight === null,
  };
}
