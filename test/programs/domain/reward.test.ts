import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CollaboratorId } from '#core/ids.ts';
import type { LineFilter } from '#programs/domain/line-filter.ts';
import type { Reward, Tiers } from '#programs/domain/program.ts';
import type { LineType } from '#programs/domain/line.ts';
import { baseOf, type Earned, exactReward, REWARD_SCALE, rewardFor } from '#programs/domain/reward.ts';
import { earned, fixed, line, minor, percent, program } from '../../support/decision-facts.ts';

describe('baseOf: the base of 3 shirts at 19.99, 5.00 off, 4.90 shipping, 9.50 tax and a fee of 1.00', () => {
  const lines = [
    line(19_99, { name: 'Shirt', externalId: 'shirt', quantity: 3 }),
    line(-5_00, { name: 'Spring', type: 'discount' }),
    line(4_90, { type: 'shipping' }),
    line(9_50, { type: 'tax' }),
    line(1_00, { type: 'fee' }),
  ];
  const none: LineFilter = { include: [], exclude: [] };
  const shirts: LineFilter = { ...none, include: [{ by: 'externalId', value: 'shirt' }] };
  const noSpring: LineFilter = { ...none, exclude: [{ by: 'name', pattern: 'spring*' }] };
  const cases: readonly [string, LineType[], LineFilter | null, amount: number, quantity: number][] = [
    ['of products and discounts', ['product', 'discount'], null, 54_97, 3],
    ['with shipping and fees', ['product', 'discount', 'shipping', 'fee'], null, 60_87, 5],
    ['of what a filter includes', ['product', 'discount'], shirts, 59_97, 3],
    ['less what a filter excludes', ['product', 'discount'], noSpring, 59_97, 3],
    ['of what a filter includes, where its type does not count', ['discount'], shirts, 0, 0],
    ['of discounts alone, which are no pieces', ['discount'], null, -5_00, 0],
  ];
  for (const [name, counted, filter, amount, quantity] of cases) {
    it(`${name} is ${amount / 100} for ${quantity} pieces`, () => {
      assert.deepEqual(baseOf(lines, counted, filter), { amount: minor(amount), quantity: BigInt(quantity) });
    });
  }
});

describe('exactReward for 50.00 and 4 pieces', () => {
  const cases: readonly [Reward, millionths: bigint][] = [
    [percent(10), 500n * REWARD_SCALE],
    [percent(12.3456), 617_280_000n],
    [fixed('per-sale', 250), 250n * REWARD_SCALE],
    [fixed('per-product', 100), 400n * REWARD_SCALE],
    [fixed('per-lead', 2500), 2500n * REWARD_SCALE],
  ];
  for (const [reward, millionths] of cases) {
    it(`${reward.type} is ${Number(millionths) / 1e8}`, () => {
      assert.equal(exactReward(reward, { amount: minor(50_00), quantity: 4n }), millionths);
    });
  }
});

describe('rewardFor: the reward that applies', () => {
  const steps = [
    { from: 10n, reward: percent(15) },
    { from: 20n, reward: percent(20) },
  ];
  const tiers = (by: Tiers['by']): Tiers => ({ period: 'month', by, steps });
  const own = [{ collaboratorId: 7 as CollaboratorId, reward: percent(30) }];
  const cases: readonly [string, Partial<Parameters<typeof rewardFor>[0]>, Earned, ReturnType<typeof rewardFor>][] = [
    ['is the program’s', {}, earned(50, 50), { terms: 'program', reward: percent(10) }],
    [
      'is the program’s below the first step',
      { tiers: tiers('sum') },
      earned(9, 50),
      { terms: 'program', reward: percent(10) },
    ],
    [
      'is a step’s as soon as it is reached',
      { tiers: tiers('sum') },
      earned(10, 0),
      { terms: 'tier', reward: percent(15), tierFrom: 10n },
    ],
    [
      'is the step’s below the next one',
      { tiers: tiers('sum') },
      earned(19, 50),
      { terms: 'tier', reward: percent(15), tierFrom: 10n },
    ],
    [
      'is the last step’s that is reached',
      { tiers: tiers('sum') },
      earned(500, 0),
      { terms: 'tier', reward: percent(20), tierFrom: 20n },
    ],
    [
      'goes by conversions where tiers do',
      { tiers: tiers('count') },
      earned(500, 10),
      { terms: 'tier', reward: percent(15), tierFrom: 10n },
    ],
    [
      'is the collaborator’s own before any tier’s',
      { tiers: tiers('sum'), collaboratorRewards: own },
      earned(500, 50),
      { terms: 'own', reward: percent(30) },
    ],
    [
      'is not another collaborator’s own',
      { collaboratorRewards: [{ collaboratorId: 8 as CollaboratorId, reward: percent(30) }] },
      earned(0, 0),
      { terms: 'program', reward: percent(10) },
    ],
  ];
  for (const [name, change, before, expected] of cases) {
    it(name, () => assert.deepEqual(rewardFor(program(change), 7 as CollaboratorId, before), expected));
  }
});
