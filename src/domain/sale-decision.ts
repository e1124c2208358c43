import { byAge, losingReason, weigh } from './attribution.ts';
import type { ConversionStatus } from './conversion.ts';
import type { Candidate as ExplainedCandidate, DropReason, SaleReason } from './explanation.ts';
import type { CollaboratorId, EngagementId, EventId, OpportunityId, ProgramId, UserId } from './ids.ts';
import { addDays, type Instant } from './instant.ts';
import { divideHalfUp, MAX_MINOR, type Minor, splitByLargestRemainder } from './money.ts';
import type { ProgramVersion } from './program.ts';
import { type Base, baseOf, exactReward, type Line, REWARD_SCALE } from './reward.ts';
import type { UnengagedReason } from './visit.ts';

/** A sale as its event saw it. */
export type Sale = {
  readonly opportunityState: 'active' | 'invalid' | 'removed';
  readonly visitorUserId: UserId | null;
  readonly currency: string;
  readonly soldAt: Instant;
  /** The money has gone back meanwhile: decided all the same, rejected from the start. */
  readonly refunded: boolean;
  readonly lines: readonly Line[];
};

/** An engagement as it was when the sale was reported, with the configuration that the sale's event names. */
export type Candidate = {
  readonly engagementId: EngagementId;
  readonly opportunityId: OpportunityId;
  readonly program: ProgramVersion;
  readonly collaboratorId: CollaboratorId;
  readonly collaborator: { readonly active: boolean; readonly userId: UserId | null; readonly enrolled: boolean };
  readonly complete: boolean;
  readonly score: number;
  readonly firstVisitId: EventId;
  readonly lastVisitId: EventId;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
};

/** A visit that made no engagement. */
export type Unengaged = { readonly collaboratorId: CollaboratorId; readonly reason: UnengagedReason };

export type Award = {
  readonly programId: ProgramId;
  readonly programVersion: number;
  readonly collaboratorId: CollaboratorId;
  readonly engagementId: EngagementId;
  readonly amount: Minor;
  readonly status: ConversionStatus;
  /** Why it is rejected from the start. */
  readonly reason: 'refunded' | null;
  /** When a pending one is approved without anybody's word. */
  readonly approveAt: Instant | null;
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

/** Who earned what by a sale, and why the others did not. Pure: the same facts give the same decision, always. */
export function decideSale(
  sale: Sale,
  candidates: readonly Candidate[],
  unengaged: readonly Unengaged[],
): SaleDecision {
  const base = baseOf(sale.lines, ['product', 'discount']).amount;
  if (sale.opportunityState !== 'active') {
    return { base, reason: `opportunity-${sale.opportunityState}`, candidates: [], awards: [] };
  }
  const engaged = new Set(candidates.map(({ collaboratorId }) => collaboratorId));
  const apart = unengaged.filter(({ collaboratorId }) => !engaged.has(collaboratorId)).map(explainUnengaged);
  const decided = byProgram(mergeClaims(candidates)).map(([program, rivals]) => decideProgram(sale, program, rivals));
  return {
    base,
    reason: candidates.length === 0 ? 'no-engagement' : null,
    candidates: winnersFirst([...apart, ...decided.flatMap(({ explained }) => explained)]),
    awards: decided.flatMap(({ awards }) => awards),
  };
}

/** What one program pays for a sale: to whom, and why not to the others. */
function decideProgram(
  sale: Sale,
  program: ProgramVersion,
  rivals: readonly Candidate[],
): { readonly explained: readonly ExplainedCandidate[]; readonly awards: readonly Award[] } {
  const base = baseOf(sale.lines, program.countedLines);
  const explained: ExplainedCandidate[] = [];
  const awards: Award[] = [];
  const standing: Candidate[] = [];
  for (const candidate of rivals) {
    const drop = dropReason(sale, base, candidate);
    if (drop === undefined) standing.push(candidate);
    else explained.push(explain(candidate, base, drop));
  }
  for (const { candidate, reward, weight, share } of splitReward(program, base, standing)) {
    const reason = weight === 0n ? losingReason(program.attribution) : share === 0n ? 'share-is-zero' : undefined;
    explained.push({ ...explain(candidate, base, reason), weight: Number(weight), reward, share });
    if (share > 0n) awards.push(award(sale, candidate, share));
  }
  return { explained, awards };
}

/**
 * Active engagements of one program and collaborator on merged opportunities count as one: scores added, earliest first
 * touch, latest last touch. Complete ones stay apart. Oldest first.
 */
function mergeClaims(candidates: readonly Candidate[]): Candidate[] {
  const merged = new Map<string, Candidate>();
  for (const candidate of [...candidates].sort(byAge)) {
    const key = candidate.complete
      ? `complete ${candidate.engagementId}`
      : `${candidate.program.programId} ${candidate.collaboratorId}`;
    const older = merged.get(key);
    merged.set(key, older === undefined ? candidate : combine(older, candidate));
  }
  return [...merged.values()];
}

function combine(older: Candidate, newer: Candidate): Candidate {
  const last = newer.lastVisitId > older.lastVisitId ? newer : older;
  return {
    ...older,
    score: older.score + newer.score,
    lastVisitId: last.lastVisitId,
    lastAt: Math.max(older.lastAt, newer.lastAt) as Instant,
  };
}

function byProgram(candidates: readonly Candidate[]): [ProgramVersion, Candidate[]][] {
  const groups = Map.groupBy(candidates, ({ program }) => program.programId);
  return [...groups.entries()]
    .sort(([a], [b]) => a - b)
    .flatMap(([, rivals]) => (rivals[0] === undefined ? [] : [[rivals[0].program, rivals]]));
}

/** The first of these that is true drops a candidate, so that a program that can't pay never shuts out another. */
function dropReason(sale: Sale, base: Base, candidate: Candidate): DropReason | undefined {
  const { program, collaborator } = candidate;
  if (program.status !== 'active') return 'program-inactive';
  if (!program.pays.includes('sale')) return 'event-not-paid';
  if (!collaborator.active) return 'collaborator-inactive';
  if (program.enrollment === 'selected' && !collaborator.enrolled) return 'not-enrolled';
  if (sale.visitorUserId !== null && sale.visitorUserId === collaborator.userId) return 'self-referral';
  if (candidate.complete) return 'already-credited';
  if (addDays(candidate.lastAt, program.windowDays) < sale.soldAt) return 'window-expired';
  if (program.reward.type !== 'percent' && program.currency !== sale.currency) return 'currency-mismatch';
  if (base.amount <= 0n) return 'nothing-counted';
  return undefined;
}

/**
 * The shares of those left after the drops, oldest first: each is exactly reward × weight ÷ all weights; their sum is rounded once, and split in
 * proportion by largest remainder, ties to the oldest.
 */
function splitReward(program: ProgramVersion, base: Base, standing: readonly Candidate[]) {
  const weights = weigh(program.attribution, standing);
  const allWeights = weights.reduce((sum, weight) => sum + weight, 0n);
  if (allWeights === 0n) return [];
  const reward = exactReward(program.reward, base);
  const exactShares = weights.map((weight) => reward * weight); // × 1 ÷ (allWeights × REWARD_SCALE)
  const exactSum = exactShares.reduce((sum, share) => sum + share, 0n);
  // Beyond what an amount can be (a fixed reward for a billion pieces) nobody pays.
  const total = least(divideHalfUp(exactSum, allWeights * REWARD_SCALE) as Minor, MAX_MINOR);
  const shares = splitByLargestRemainder(total, exactShares);
  return standing.map((candidate, index) => ({
    candidate,
    reward: total,
    weight: weights[index] ?? 0n,
    share: shares[index] ?? (0n as Minor),
  }));
}

function least(a: Minor, b: Minor): Minor {
  return a < b ? a : b;
}

function award(sale: Sale, { program, collaboratorId, engagementId }: Candidate, amount: Minor): Award {
  return {
    programId: program.programId,
    programVersion: program.version,
    collaboratorId,
    engagementId,
    amount,
    status: sale.refunded ? 'rejected' : program.autoApprove ? 'approved' : 'pending',
    reason: sale.refunded ? 'refunded' : null,
    approveAt: program.approveAfterDays === null ? null : addDays(sale.soldAt, program.approveAfterDays),
    completes: program.creditsPer === 'opportunity',
  };
}

/** Without a reason against it a candidate has won. */
function explain(candidate: Candidate, base: Base, reason: ExplainedCandidate['reason']): ExplainedCandidate {
  return {
    programId: candidate.program.programId,
    programVersion: candidate.program.version,
    collaboratorId: candidate.collaboratorId,
    engagementId: candidate.engagementId,
    ...(reason === undefined ? { outcome: 'won' } : { outcome: 'lost', reason }),
    score: candidate.score,
    firstAt: candidate.firstAt,
    lastAt: candidate.lastAt,
    base: base.amount,
    quantity: Number(base.quantity),
  };
}

function explainUnengaged({ collaboratorId, reason }: Unengaged): ExplainedCandidate {
  return { collaboratorId, outcome: 'lost', reason };
}

/** Where a list is cut, the winners are what must be seen. */
function winnersFirst(candidates: readonly ExplainedCandidate[]): ExplainedCandidate[] {
  return [
    ...candidates.filter(({ outcome }) => outcome === 'won'),
    ...candidates.filter(({ outcome }) => outcome === 'lost'),
  ];
}
