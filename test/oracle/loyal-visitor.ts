import type { Dice } from '#test/support/random.ts';
import type { Fact } from './facts.ts';
import type { World } from './world.ts';

/*
 * Generates stories of one visitor who returns, buys, and sends orders back, in a program that credits an opportunity
 * once. Each full refund reopens engagements and absorbs newer engagements, which happens in few other stories.
 */

const COLLABORATORS = ['ada', 'ben'];
const VISIT = 'v1';

/** Returns the first facts of a story. */
export function loyalBeginning(dice: Dice): Fact[] {
  return [
    ...COLLABORATORS.map((as): Fact => ({ do: 'collaborator', as })),
    {
      do: 'program',
      as: 'P1',
      terms: {
        pays: ['sale'],
        reward: { type: 'percent', percent: '10' },
        currency: 'USD',
        attribution: dice.pick(['weighted', 'weighted', 'linear', 'top-score', 'last-touch', 'first-touch']),
        triggers: { 'site-visit': 1 },
        autoApprove: true,
        creditsPer: 'opportunity',
      },
    },
    { do: 'visit', as: VISIT, collaborator: dice.pick(COLLABORATORS) },
  ];
}

/** Returns the next fact: a visit, a sale, or the full refund of one of the last two unrefunded sales. */
export function loyalFact(dice: Dice, { ledTo, transactions }: World): Fact {
  const complete = [...new Set(transactions.values())].filter(({ status }) => status === 'complete');
  const refunded = complete.at(-1 - dice.roll(2));
  if (refunded !== undefined && dice.chance(0.25)) return { do: 'refund', transaction: refunded.name };
  if (dice.chance(0.4))
    return { do: 'sale', as: `s${transactions.size + 1}`, visit: VISIT, currency: 'USD', total: '100.00' };
  return { do: 'visit', as: `v${ledTo.size + 1}`, collaborator: dice.pick(COLLABORATORS), presents: VISIT };
}
