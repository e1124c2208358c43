import type { EventId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import type { AttributionModel } from '#programs/domain/program.ts';

/** The facts that attribution compares: the strength of a claim, and when its first and last touches occurred. */
export type Claim = {
  readonly score: number;
  readonly firstAt: Instant;
  readonly firstVisitId: EventId;
  readonly lastAt: Instant;
  readonly lastVisitId: EventId;
};

export type LosingReason = 'lost-to-newer' | 'lost-to-older' | 'lost-to-higher';

/**
 * Compares claims by their first touch, oldest first. If the times are equal, the claim that was reported first counts
 * as older.
 */
export function byAge(a: Claim, b: Claim): number {
  return a.firstAt - b.firstAt || a.firstVisitId - b.firstVisitId;
}

/**
 * Compares claims by their last touch, newest first. If the times are equal, the claim that was reported last counts as
 * newer.
 */
export function byRecency(a: Claim, b: Claim): number {
  return b.lastAt - a.lastAt || b.lastVisitId - a.lastVisitId;
}

/**
 * Returns a function that returns the weight of each claim under `model`. `claims` must be sorted oldest first. Claims
 * that the model excludes have weight 0.
 */
export function weightsUnder(model: AttributionModel, claims: readonly Claim[]): (claim: Claim) => bigint {
  return MODELS[model](claims);
}

/** Returns the reason why a claim with weight 0 has lost under `model`. */
export function losingReason(model: AttributionModel): LosingReason | 'share-is-zero' {
  return LOST[model];
}

const MODELS: Readonly<Record<AttributionModel, (claims: readonly Claim[]) => (claim: Claim) => bigint>> = {
  'last-touch': (claims) => giveAllToFirst(claims, byRecency),
  'first-touch': (claims) => giveAllToFirst(claims, byAge),
  'top-score': (claims) => giveAllToFirst(claims, (a, b) => b.score - a.score),
  linear: () => () => 1n,
  weighted: () => (claim) => BigInt(claim.score),
};

const LOST: Readonly<Record<AttributionModel, LosingReason | 'share-is-zero'>> = {
  'last-touch': 'lost-to-newer',
  'first-touch': 'lost-to-older',
  'top-score': 'lost-to-higher',
  // `linear` and `weighted` exclude no claim. With `linear`, every claim has weight 1. With `weighted`, a claim has
  // weight 0 only if its score is 0.
  linear: 'share-is-zero',
  weighted: 'share-is-zero',
};

/**
 * Returns a function that returns 1 for the claim that `order` sorts first, and 0 for all other claims. The sort is
 * stable, so the oldest claim wins a tie.
 */
function giveAllToFirst(claims: readonly Claim[], order: (a: Claim, b: Claim) => number): (claim: Claim) => bigint {
  const [winner] = claims.toSorted(order);
  return (claim) => (claim === winner ? 1n : 0n);
}
