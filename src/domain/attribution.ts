import type { EventId } from './ids.ts';
import type { AttributionModel } from './program.ts';

/** What attribution looks at: how strong a claim is, and its first and last touch in the order of events. */
export type Claim = { readonly score: number; readonly firstVisitId: EventId; readonly lastVisitId: EventId };

export type LosingReason = 'lost-to-newer' | 'lost-to-older' | 'lost-to-higher';

/** Oldest first: the lowest first touch. Every tie goes to the oldest. */
export function byAge(a: Claim, b: Claim): number {
  return a.firstVisitId - b.firstVisitId;
}

/**
 * The weight of each claim under `model`, in the order given; `claims` stand oldest first. Those that a model leaves
 * out weigh 0.
 */
export function weigh(model: AttributionModel, claims: readonly Claim[]): bigint[] {
  switch (model) {
    case 'last-touch':
      return only(claims, (a, b) => b.lastVisitId - a.lastVisitId);
    case 'first-touch':
      return only(claims, byAge);
    case 'top-score':
      return only(claims, (a, b) => b.score - a.score);
    case 'linear':
      return claims.map(() => 1n);
    case 'weighted':
      return claims.map(({ score }) => BigInt(score));
    default:
      return model satisfies never;
  }
}

/** Why a claim that a model leaves out has lost; the models that split leave nobody out. */
export function losingReason(model: AttributionModel): LosingReason {
  switch (model) {
    case 'last-touch':
      return 'lost-to-newer';
    case 'first-touch':
      return 'lost-to-older';
    case 'top-score':
    case 'linear':
    case 'weighted':
      return 'lost-to-higher';
    default:
      return model satisfies never;
  }
}

function only(claims: readonly Claim[], better: (a: Claim, b: Claim) => number): bigint[] {
  const winner = claims.reduce<Claim | undefined>(
    (best, claim) => (best === undefined || better(claim, best) < 0 ? claim : best),
    undefined,
  );
  return claims.map((claim) => (claim === winner ? 1n : 0n));
}
