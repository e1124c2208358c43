import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CollaboratorId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import type { LineFilter } from '#programs/domain/line-filter.ts';
import type { Reward, Tiers } from '#programs/domain/program.ts';
import type { LineType } from '#programs/domain/line.ts';
import { baseOf, type Earned, exactReward, REWARD_SCALE, rewardFor } from '#programs/domain/reward.ts';
import { earned, fixed, line, minor, percent, program } from '../../support/decision-facts.ts';

describe('baseOf for 3 shirts at 19.99, 5.00 off, 4.90 shipping, 9.50 tax and a fee of 1.00', () => {
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
    ['the base of products and discounts', ['product', 'discount'], null, 54_97, 3],
    ['the base with shipping and fees', ['product', 'discount', 'shipping', 'fee'], null, 60_87, 5],
    ['the base of the lines that a filter includes', ['product', 'discount'], shirts, 59_97, 3],
    ['the base without the lines that a filter excludes', ['product', 'discount'], noSpring, 59_97, 3],
    ['the base of included lines whose type does not count', ['discount'], shirts, 0, 0],
    ['the base of discounts alone, which have no units,', ['discount'], null, -5_00, 0],
  ];
  for (const [name, counted, filter, amount, quantity] of cases) {
    it(`${name} is ${amount / 100} for ${quantity} units`, () => {
      assert.deepEqual(baseOf(lines, counted, filter), { amount: minor(amount), quantity: BigInt(quantity) });
    });
  }
});

describe('exactReward for 50.00 and 4 units', () => {
  const cases: readonly [Reward, millionths: bigint][] = [
    [percent(10), 500n * REWARD_SCALE],
    [percent(12.3456), 617_280_000n],
    [fixed('per-sale', 250), 250n * REWARD_SCALE],
    [fixed('per-product', 100), 400n * REWARD_SCALE],
    [fixed('per-lead', 2500), 2500n * REWARD_SCALE],
  ];
  for (const [reward, millionths] of cases) {
    const value = 'ratePpm' in reward ? reward.ratePpm / 1e4 : Number(reward.amount) / 100;
    it(`a ${reward.type} reward with the value ${value} is ${Number(millionths) / 1e8}`, () => {
      assert.equal(exactReward(reward, { amount: minor(50_00), quantity: 4n }), millionths);
    });
  }
});

const instant = (time: string) => (Date.parse(time) * 1000) as Instant;

describe('rewardFor: the reward that applies', () => {
  const steps = [
    { from: 10n, reward: percent(15) },
    { from: 20n, reward: percent(20) },
  ];
  const tiers = (by: Tiers['by']): Tiers => ({ period: 'month', by, steps });
  const own = [{ collaboratorId: 7 as CollaboratorId, reward: percent(30) }];
  const cases: readonly [string, Partial<Parameters<typeof rewardFor>[0]>, Earned, ReturnType<typeof rewardFor>][] = [
    [
      'is the reward of the program if there are no other rewards',
      {},
      earned(50, 50),
      { terms: 'program', reward: percent(10) },
    ],
    [
      'is the reward of the program below the first tier',
      { tiers: tiers('sum') },
      earned(9, 50),
      { terms: 'program', reward: percent(10) },
    ],
    [
      'is the reward of a tier once its threshold is reached',
      { tiers: tiers('sum') },
      earned(10, 0),
      { terms: 'tier', reward: percent(15), tierFrom: 10n },
    ],
    [
      'is still the reward of a tier just below the threshold of the next tier',
      { tiers: tiers('sum') },
      earned(19, 50),
      { terms: 'tier', reward: percent(15), tierFrom: 10n },
    ],
    [
      'is the reward of the highest tier that is reached',
      { tiers: tiers('sum') },
      earned(500, 0),
      { terms: 'tier', reward: percent(20), tierFrom: 20n },
    ],
    [
      'is decided by the number of conversions if the tiers count conversions',
      { tiers: tiers('count') },
      earned(500, 10),
      { terms: 'tier', reward: percent(15), tierFrom: 10n },
    ],
    [
      'is the collaborator’s own reward, which takes precedence over tiers',
      { tiers: tiers('sum'), collaboratorRewards: own },
      earned(500, 50),
      { terms: 'own', reward: percent(30) },
    ],
    [
      'is not another collaborator’s own reward',
      { collaboratorRewards: [{ collaboratorId: 8 as CollaboratorId, reward: percent(30) }] },
      earned(0, 0),
      { terms: 'program', reward: percent(10) },
    ],
  ];
  for (const [name, change, before, expected] of cases) {
    it(name, () => assert.deepEqual(rewardFor(program(change), 7 as CollaboratorId, before, null), expected));
  }

  const aged = {
    renewalRewards: [
      { afterMonths: 1, reward: percent(5) },
      { afterMonths: 12, reward: percent(2) },
    ],
  };
  const renewals: readonly [string, Parameters<typeof program>[0], string | null, ReturnType<typeof rewardFor>][] = [
    ['is the program’s reward for a sale', aged, null, { terms: 'program', reward: percent(10) }],
    [
      'is the program’s reward for a renewal before the first age',
      aged,
      '2026-02-28T09:59:59.999Z',
      { terms: 'program', reward: percent(10) },
    ],
    [
      'is the reward for an age of one month from February 28 on, for a sale on January 31',
      aged,
      '2026-02-28T10:00:00.000Z',
      { terms: 'renewal', reward: percent(5), afterMonths: 1 },
    ],
    [
      'is the reward for the highest age that is reached',
      aged,
      '2027-01-31T10:00:00.000Z',
      { terms: 'renewal', reward: percent(2), afterMonths: 12 },
    ],
    [
      'is the reward for the age, which takes precedence over tiers',
      { ...aged, tiers: tiers('sum') },
      '2026-03-01T10:00:00.000Z',
      { terms: 'renewal', reward: percent(5), afterMonths: 1 },
    ],
    [
      'is the collaborator’s own reward at any age',
      { ...aged, collaboratorRewards: own },
      '2027-03-01T10:00:00.000Z',
      { terms: 'own', reward: percent(30) },
    ],
    [
      'is the reward for age 0 from the first renewal on',
      { renewalRewards: [{ afterMonths: 0, reward: percent(4) }] },
      '2026-01-31T10:00:00.000Z',
      { terms: 'renewal', reward: percent(4), afterMonths: 0 },
    ],
  ];
  for (const [name, change, renewedAt, expected] of renewals) {
    it(name, () => {
      const originallySoldAt = instant('2026-01-31T10:00:00.000Z');
      const times = renewedAt === null ? null : { soldAt: instant(renewedAt), originallySoldAt };
      assert.deepEqual(rewardFor(program(change), 7 as CollaboratorId, earned(500, 50), times), expected);
    });
  }
});
