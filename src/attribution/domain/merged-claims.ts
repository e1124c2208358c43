import { byAge, byRecency } from './attribution.ts';
import { joinFraudSignals } from '#programs/domain/hold.ts';
import { MAX_ID } from '#core/ids.ts';
import type { Candidate } from './facts.ts';

/**
 * Merges claims of one program and collaborator into one. They come from merged opportunities or, for a renewal, from a
 * sale and an additional manual credit. Scores and fixed weights are added, with the earliest first touch and the
 * latest last touch.
 *
 * Completed claims are not merged with others, except with those completed by the same sale. The result is sorted
 * oldest first, regardless of the input order.
 */
export function mergeClaims(candidates: readonly Candidate[]): Candidate[] {
  const merged = new Map<string, Candidate>();
  for (const candidate of candidates.toSorted(oldestFirst)) {
    const triple = `${candidate.program.programId} ${candidate.collaboratorId}`;
    const key = isSpent(candidate) ? `${triple} completed by ${candidate.completedBy}` : triple;
    const older = merged.get(key);
    merged.set(key, older === undefined ? candidate : combine(older, candidate));
  }
  return [...merged.values()];
}

/**
 * Returns whether an earlier sale has completed the engagement. A candidate with a fixed weight is not a new claim on
 * the engagement.
 */
export function isSpent({ completedBy, weight }: Candidate): boolean {
  return completedBy !== null && weight === null;
}

/**
 * Compares candidates, oldest first. One visit may touch several programs, so equal first touches are ordered by the
 * creation of their engagements.
 */
function oldestFirst(a: Candidate, b: Candidate): number {
  return byAge(a, b) || engagementOrder(a) - engagementOrder(b) || a.collaboratorId - b.collaboratorId;
}

function engagementOrder({ engagementId }: Candidate): number {
  return engagementId ?? MAX_ID;
}

function combine(older: Candidate, newer: Candidate): Candidate {
  const last = byRecency(newer, older) < 0 ? newer : older;
  return {
    ...older,
    engagementId: older.engagementId ?? newer.engagementId,
    score: older.score + newer.score,
    // Either all claims of a program have fixed weights, or none has.
    weight: older.weight === null ? null : older.weight + (newer.weight as bigint),
    lastVisitId: last.lastVisitId,
    lastAt: last.lastAt,
    fraudSignals: joinFraudSignals(older.fraudSignals, newer.fraudSignals),
  };
}
