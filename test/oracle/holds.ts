import { survivor } from './visitors.ts';
import { type Conversion, known, type Program, type Transaction, wasSelf, type World } from './world.ts';

/* "Holds". Stories take seconds, so a sale is sooner than any bound, or there is none; floods of visits are none of theirs. */

export type Held = Pick<Conversion, 'holds' | 'byCoupon'>;

export const NOT_HELD: Held = { holds: [], byCoupon: false };

/** Why a person looks at what is awarded, and what its renewals will have to know. */
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
  const seen = survivor(opportunity).seen.get(collaborator);
  const byCoupon =
    kind === 'renewal' ? earlier.some((one) => one.byCoupon) : holds !== null && seen?.has('coupon-applied') === true;
  const isQuick = kind !== 'renewal' && holds?.secondsToSale != null && seen?.has('site-visit') === true;
  const isOwn = holds?.ownCoupon === true && byCoupon && wasSelf(known(world.collaborators, collaborator), buyer);
  const inherited = earlier.flatMap((one) => (one.isReleased ? [] : one.holds));
  const reasons = new Set([...inherited, ...(isQuick ? ['quick-sale'] : []), ...(isOwn ? ['own-coupon'] : [])]);
  return { holds: [...reasons].sort(), byCoupon };
}

export function isHeld({ holds, isReleased, status }: Conversion): boolean {
  return holds.length > 0 && !isReleased && status === 'pending';
}
