import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { MAX_MINOR } from '#core/money.ts';
import { REWARD_SCALE } from '#programs/domain/reward.ts';
import { capShare, type Part, splitReward } from '#attribution/domain/reward-split.ts';
import { minor } from '../../support/decision-facts.ts';

/** Returns a claim with a weight and its own reward. The reward is in cents, and can be a fraction. */
const part = (reward: number, weight: number): Part => ({
  exactReward: BigInt(Math.round(reward * Number(REWARD_SCALE))),
  weight: BigInt(weight),
});

describe('a program’s reward', () => {
  const cases: readonly [name: string, parts: Part[], cap: number | null, uncapped: number, shares: number[]][] = [
    ['is paid in full to a single claim', [part(1000, 1)], null, 1000, [1000]],
    ['is split by weights', [part(1000, 3), part(1000, 5), part(1000, 1)], null, 1000, [333, 556, 111]],
    ['is the weighted sum of the claims’ own rewards', [part(1000, 1), part(2000, 1)], null, 1500, [500, 1000]],
    ['is rounded once for the sum: three thirds of 0.10', [part(10, 1), part(10, 1), part(10, 1)], null, 10, [4, 3, 3]],
    ['is rounded half up after its parts are added', [part(0.75, 1), part(0.25, 1)], null, 1, [1, 0]],
    ['is zero below half a cent', [part(0.4, 1)], null, 0, [0]],
    ['is paid only to claims with a weight', [part(1000, 0), part(500, 1)], null, 500, [0, 500]],
    ['is zero if no claim has a weight', [part(1000, 0), part(1000, 0)], null, 0, [0, 0]],
    ['is zero without claims', [], null, 0, []],
    ['is cut to the cap per order', [part(1000, 1), part(2000, 1)], 600, 1500, [200, 400]],
    ['is unchanged by a cap that it equals', [part(1000, 1)], 1000, 1000, [1000]],
    [
      'gives the extra cent to the oldest claim if it is cut to a cap',
      [part(1000, 1), part(1000, 1), part(1000, 1)],
      100,
      1000,
      [34, 33, 33],
    ],
  ];
  for (const [name, parts, cap, uncapped, shares] of cases) {
    it(name, () => {
      const split = splitReward(parts, cap === null ? null : minor(cap), 1n);
      assert.equal(Number(split.uncapped), uncapped);
      assert.equal(Number(split.reward), Math.min(uncapped, cap ?? uncapped));
      assert.deepEqual(
        split.shares.map(({ share }) => Number(share)),
        shares,
      );
    });
  }

  const whole: readonly [name: string, parts: Part[], cap: number | null, uncapped: number, shares: number[]][] = [
    ['is rounded to whole units', [part(12_340, 1)], null, 12_300, [12_300]],
    ['is rounded half up to whole units', [part(12_350, 1)], null, 12_400, [12_400]],
    ['is zero below half a unit', [part(49.99, 1)], null, 0, [0]],
    [
      'is split into whole units',
      [part(10_000, 1), part(10_000, 1), part(10_000, 1)],
      null,
      10_000,
      [3400, 3300, 3300],
    ],
    ['is reduced by a cap to whole units', [part(12_340, 1)], 5_099, 12_300, [5_000]],
    ['is zero under a cap of less than one unit', [part(12_340, 1)], 99, 12_300, [0]],
  ];
  for (const [name, parts, cap, uncapped, shares] of whole) {
    it(`a reward in a currency payable in whole units ${name}`, () => {
      const split = splitReward(parts, cap === null ? null : minor(cap), 100n);
      assert.equal(Number(split.uncapped), uncapped);
      assert.deepEqual(
        split.shares.map(({ share }) => Number(share)),
        shares,
      );
    });
  }

  it('never exceeds the maximum amount', () => {
    const split = splitReward([{ exactReward: MAX_MINOR * REWARD_SCALE * 1_000n, weight: 1n }], null, 1n);
    assert.deepEqual([split.uncapped, split.reward], [MAX_MINOR, MAX_MINOR]);
  });

  it('equals the sum of its shares, is at most the cap, and is rounded only once', () => {
    const parts = fc.array(fc.record({ exactReward: fc.bigInt(0n, 10n ** 14n), weight: fc.bigInt(0n, 1_000n) }));
    fc.assert(
      fc.property(parts, fc.option(fc.integer({ min: 1, max: 10_000_000 })), (given, cap) => {
        const { uncapped, reward, shares } = splitReward(given, cap === null ? null : minor(cap), 1n);
        const sum = shares.reduce((total, { share }) => total + share, 0n);
        assert.equal(sum, reward);
        assert.ok(reward <= uncapped && (cap === null || reward <= minor(cap)));
        const exact = given.reduce((total, each) => total + each.exactReward * each.weight, 0n);
        const whole = given.reduce((total, each) => total + each.weight, 0n) * REWARD_SCALE;
        const difference = 2n * (uncapped * whole - exact);
        assert.ok(whole === 0n ? uncapped === 0n : -whole < difference && difference <= whole);
      }),
    );
  });
});

describe('the cap per collaborator and period', () => {
  it('leaves whole units in a currency payable in whole units', () => {
    const cap = (amount: number, earned: number) =>
      capShare(minor(700), { capPerPeriod: { period: 'month', amount: minor(amount) } }, minor(earned), 100n);
    assert.deepEqual(cap(1050, 400), { share: minor(600), cut: minor(100) });
    assert.deepEqual(cap(1050, 960), { share: minor(0), cut: minor(700) });
    assert.deepEqual(cap(1050, 350), { share: minor(700), cut: minor(0) });
  });

  const cases: readonly [cap: number | null, earned: number, share: number, left: number, cut: number][] = [
    [null, 5000, 700, 700, 0],
    [1000, 0, 700, 700, 0],
    [1000, 300, 700, 700, 0],
    [1000, 301, 700, 699, 1],
    [1000, 1000, 700, 0, 700],
    // Earlier earnings can exceed the cap, because a merchant can lower the cap.
    [1000, 1001, 700, 0, 700],
    [1000, 5000, 700, 0, 700],
    [1000, 1000, 0, 0, 0],
  ];
  for (const [cap, earned, share, left, cut] of cases) {
    it(`${cap === null ? 'no cap' : `a cap of ${cap}`} leaves ${left} of ${share} after earnings of ${earned}`, () => {
      const capPerPeriod = cap === null ? null : { period: 'month' as const, amount: minor(cap) };
      assert.deepEqual(capShare(minor(share), { capPerPeriod }, minor(earned), 1n), {
        share: minor(left),
        cut: minor(cut),
      });
    });
  }
});
