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
 * Compares claims by their first touch, oldest first. If the times are equal, the earlier report counts as older. Every
 * tie is won by the oldest claim.
 */
export function byAge(a: Claim, b: Claim): number {
  return a.firstAt - b.firstAt || a.firstVisitId - b.firstVisitId;
}

/** Compares claims by their last touch, newest first. If the times are equal, the later report counts as newer. */
export function byRecency(a: Claim, b: Claim): number {
  return b.lastAt - a.lastAt || b.lastVisitId - a.lastVisitId;
}

/**
 * Returns the weight that `model` gives to each of these claims, which are sorted oldest first. Claims that the model
 * excludes weigh 0.
 */
export function weightsUnder(model: AttributionModel, claims: readonly Claim[]): (claim: Claim) => bigint {
  return MODELS[model](claims);
}

/** Returns the reason why a claim that weighs nothing under `model` has lost. */
export function losingReason(model: AttributionModel): LosingReason | 'share-is-zero' {
  return LOST[model];
}

const MODELS: Readonly<Record<AttributionModel, (claims: readonly Claim[]) => (claim: Claim) => bigint>> = {
  'last-touch': (claims) => only(claims, byRecency),
  'first-touch': (claims) => only(claims, byAge),
  'top-score': (claims) => only(claims, (a, b) => b.score - a.score),
  linear: () => () => 1n,
  weighted: () => (claim) => BigInt(claim.score),
};

const LOST: Readonly<Record<AttributionModel, LosingReason | 'share-is-zero'>> = {
  'last-touch': 'lost-to-newer',
  'first-touch': 'lost-to-older',
  'top-score': 'lost-to-higher',
  // These models exclude no claim. A claim weighs nothing only if its score is 0.
  linear: 'share-is-zero',
  weighted: 'share-is-zero',
};

/**
 * Returns weights of 1 for the first of the claims in this order and 0 for all others. The sort is stable, so the
 * oldest claim wins a tie.
 */
function only(claims: readonly Claim[], order: (a: Claim, b: Claim) => number): (claim: Claim) => bigint {
  const [winner] = claims.toSorted(order);
  return (claim) => (claim === winner ? 1n : 0n);
}
