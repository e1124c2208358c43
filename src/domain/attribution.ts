import type { EventId } from './ids.ts';
import type { AttributionModel } from './program.ts';

/** What attribution looks at: how strong a claim is, and its first and last touch in the order of events. */
export type Claim = { readonly score: number; readonly firstVisitId: EventId; readonly lastVisitId: EventId };

export type LosingReason = 'lost-to-newer' | 'lost-to-older' | 'lost-to-higher';

/** Oldest first: the lowest first touch. Every tie goes to the oldest. */
export function byAge(a: Claim, b: Claim): number {
  return a.firstVisitId - b.firstVisitId;
}

/** Newest first: the highest last touch. */
export function byRecency(a: Claim, b: Claim): number {
  return b.lastVisitId - a.lastVisitId;
}

/**
 * The weight that `model` gives to each of these claims, which stand oldest first. Those that it leaves out weigh 0.
 */
export function weightsUnder(model: AttributionModel, claims: readonly Claim[]): (claim: Claim) => bigint {
  return MODELS[model](claims);
}

/** Why a claim that weighs nothing under `model` has lost. */
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
  // These leave nobody out: what weighs nothing has a score of 0.
  linear: 'share-is-zero',
  weighted: 'share-is-zero',
};

/** Weighs 1 for the first of the claims by this order, 0 for all others. The sort is stable: a tie stays with the oldest. */
function only(claims: readonly Claim[], order: (a: Claim, b: Claim) => number): (claim: Claim) => bigint {
  const [winner] = claims.toSorted(order);
  return (claim) => (claim === winner ? 1n : 0n);
}
