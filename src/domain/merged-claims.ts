import { byAge } from './attribution.ts';
import { joinSigns } from './hold.ts';
import { MAX_ID } from './ids.ts';
import type { Instant } from './instant.ts';
import type { Candidate } from './sale-decision.ts';

/**
 * Claims of one program and collaborator count as one, whether they come from merged opportunities or, in a renewal, from
 * a sale and a credit beside it: scores and fixed weights added, earliest first touch, latest last touch. What
 * was completed stays apart, what one sale completed together. Oldest first, whatever order they are given in.
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

/** Whether an earlier sale has completed the engagement. What has a fixed weight is no new claim on it. */
export function isSpent({ completedBy, weight }: Candidate): boolean {
  return completedBy !== null && weight === null;
}

/** The claims of a renewal were all decided at once: of those the engagement that was made first is the oldest. */
function oldestFirst(a: Candidate, b: Candidate): number {
  return byAge(a, b) || engagementOrder(a) - engagementOrder(b) || a.collaboratorId - b.collaboratorId;
}

function engagementOrder({ engagementId }: Candidate): number {
  return engagementId ?? MAX_ID;
}

function combine(older: Candidate, newer: Candidate): Candidate {
  const last = newer.lastVisitId > older.lastVisitId ? newer : older;
  return {
    ...older,
    engagementId: older.engagementId ?? newer.engagementId,
    score: older.score + newer.score,
    // A program's claims have fixed weights all, or none of them.
    weight: older.weight === null ? null : older.weight + (newer.weight as bigint),
    lastVisitId: last.lastVisitId,
    lastAt: Math.max(older.lastAt, newer.lastAt) as Instant,
    signs: joinSigns(older.signs, newer.signs),
  };
}
