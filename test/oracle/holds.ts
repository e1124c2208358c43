import { survivor } from './visitors.ts';
import { type Conversion, counts, known, type Program, type Transaction, wasSelf, type World } from './world.ts';

/*
 * The oracle's rules for fraud review. In stories, the limit `secondsToSale` is a day and no story lasts longer, so
 * every sale after a visit is within the limit. Stories have no floods of visits.
 */

export type Held = Pick<Conversion, 'holds' | 'byCoupon'>;

export const NOT_HELD: Held = { holds: [], byCoupon: false };

/**
 * Returns the reasons for a fraud review of an award, and whether the visitor used the collaborator's coupon. A renewal
 * inherits both from its sale, except the reason `watched-collaborator` and the reasons of a cleared conversion.
 */
export function holdsOf(world: World, transaction: Transaction, program: Program, collaborator: string): Held {
  const { kind, renews, buyer, opportunity } = transaction;
  const { holds } = program.terms;
  const earlier = world.conversions.filter(
    (one) =>
      one.transaction === renews &&
      one.program === program.name &&
      one.collaborator === collaborator &&
      !one.wasRefused,
  );
  const seen = new Map(
    [...(survivor(opportunity).seen.get(collaborator) ?? [])].filter(([, at]) => counts({ at }, transaction)),
  );
  const byCoupon =
    kind === 'renewal' ? earlier.some((one) => one.byCoupon) : holds !== null && seen.has('coupon-applied');
  const isQuick = kind !== 'renewal' && holds?.secondsToSale != null && seen.has('site-visit');
  const isOwn = holds?.ownCoupon === true && byCoupon && wasSelf(known(world.collaborators, collaborator), buyer);
  const inherited = earlier.flatMap((one) => (one.isCleared ? [] : one.holds));
  const { fraudReview } = known(world.collaborators, collaborator);
  if (fraudReview === 'never') return { holds: [], byCoupon };
  const reasons = new Set([
    ...inherited.filter((reason) => reason !== 'watched-collaborator'),
    ...(isQuick ? ['quick-sale'] : []),
    ...(isOwn ? ['own-coupon'] : []),
    ...(fraudReview === 'always' ? ['watched-collaborator'] : []),
  ]);
  return { holds: [...reasons].sort(), byCoupon };
}

export function isHeld({ holds, isCleared, status }: Conversion): boolean {
  return holds.length > 0 && !isCleared && status === 'pending';
}
