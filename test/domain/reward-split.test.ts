import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { MAX_MINOR } from '#domain/money.ts';
import { REWARD_SCALE } from '#domain/reward.ts';
import { capShare, type Part, splitReward } from '#domain/reward-split.ts';
import { minor } from './facts.ts';

/** A claim whose own reward is so much, in the smallest unit or fractions of it. */
const part = (reward: number, weight: number): Part => ({
  exactReward: BigInt(Math.round(reward * Number(REWARD_SCALE))),
  weight: BigInt(weight),
});

describe('a program’s reward', () => {
  const cases: readonly [name: string, parts: Part[], cap: number | null, uncapped: number, shares: number[]][] = [
    ['goes to one claim whole', [part(1000, 1)], null, 1000, [1000]],
    ['is split by weights', [part(1000, 3), part(1000, 5), part(1000, 1)], null, 1000, [333, 556, 111]],
    ['is what each is worth, by its weight', [part(1000, 1), part(2000, 1)], null, 1500, [500, 1000]],
    ['is rounded once: three thirds of 0.10', [part(10, 1), part(10, 1), part(10, 1)], null, 10, [4, 3, 3]],
    ['is rounded half up, as a sum', [part(0.75, 1), part(0.25, 1)], null, 1, [1, 0]],
    ['below half a cent is nothing', [part(0.4, 1)], null, 0, [0]],
    ['goes by who has weight', [part(1000, 0), part(500, 1)], null, 500, [0, 500]],
    ['is nothing where nobody has weight', [part(1000, 0), part(1000, 0)], null, 0, [0, 0]],
    ['is nothing where nobody stands', [], null, 0, []],
    ['is cut to the cap per order', [part(1000, 1), part(2000, 1)], 600, 1500, [200, 400]],
    ['is left alone by a cap that it reaches', [part(1000, 1)], 1000, 1000, [1000]],
    ['ties by a cut go to the oldest', [part(1000, 1), part(1000, 1), part(1000, 1)], 100, 1000, [34, 33, 33]],
  ];
  for (const [name, parts, cap, uncapped, shares] of cases) {
    it(name, () => {
      const split = splitReward(parts, cap === null ? null : minor(cap));
      assert.equal(Number(split.uncapped), uncapped);
      assert.equal(Number(split.reward), Math.min(uncapped, cap ?? uncapped));
      assert.deepEqual(
        split.shares.map(({ share }) => Number(share)),
        shares,
      );
    });
  }

  it('is never more than an amount can be', () => {
    const split = splitReward([{ exactReward: MAX_MINOR * REWARD_SCALE * 1_000n, weight: 1n }], null);
    assert.deepEqual([split.uncapped, split.reward], [MAX_MINOR, MAX_MINOR]);
  });

  it('is the sum of its shares, at most the cap, and to a cent what the shares are exactly', () => {
    const parts = fc.array(fc.record({ exactReward: fc.bigInt(0n, 10n ** 14n), weight: fc.bigInt(0n, 1_000n) }));
    fc.assert(
      fc.property(parts, fc.option(fc.integer({ min: 1, max: 10_000_000 })), (given, cap) => {
        const { uncapped, reward, shares } = splitReward(given, cap === null ? null : minor(cap));
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
  const cases: readonly [cap: number | null, earned: number, share: number, left: number, cut: number][] = [
    [null, 5000, 700, 700, 0],
    [1000, 0, 700, 700, 0],
    [1000, 300, 700, 700, 0],
    [1000, 301, 700, 699, 1],
    [1000, 1000, 700, 0, 700],
    // A cap that was lowered takes nothing back.
    [1000, 1001, 700, 0, 700],
    [1000, 5000, 700, 0, 700],
    [1000, 1000, 0, 0, 0],
  ];
  for (const [cap, earned, share, left, cut] of cases) {
    it(`of ${cap ?? 'nothing'} leaves ${left} of ${share} to who has earned ${earned}`, () => {
      const capPerPeriod = cap === null ? null : { period: 'month' as const, amount: minor(cap) };
      assert.deepEqual(capShare(minor(share), { capPerPeriod }, minor(earned)), {
        share: minor(left),
        cut: minor(cut),
      });
    });
  }
});
