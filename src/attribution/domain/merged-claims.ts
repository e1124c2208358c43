import { byAge, byRecency } from './attribution.ts';
import { joinFraudSignals } from '#programs/domain/hold.ts';
import { MAX_ID } from '#core/ids.ts';
import type { Candidate } from './facts.ts';

/**
 * Merges the claims of each program and collaborator. A collaborator can have several claims in a program after
 * opportunities were merged or, for a renewal, if the renewed sale has a manual credit. Scores and fixed weights are
 * added. The earliest first touch and the latest last touch are kept.
 *
 * Completed claims are merged only if the same sale completed them. The result is sorted oldest first, regardless of
 * the input order.
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
 * Returns whether an earlier sale has completed the engagement. Returns false for a candidate with a fixed weight,
 * which is not a new claim on the engagement.
 */
export function isSpent({ completedBy, weight }: Candidate): boolean {
  return completedBy !== null && weight === null;
}

/**
 * Compares candidates, oldest first. A visit can touch several programs, so equal first touches are ordered by the
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
    // Either all claims of a program have fixed weights, or none have.
    weight: older.weight === null ? null : older.weight + (newer.weight as bigint),
    lastVisitId: last.lastVisitId,
    lastAt: last.lastAt,
    fraudSignals: joinFraudSignals(older.fraudSignals, newer.fraudSignals),
  };
}
