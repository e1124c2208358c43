import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CollaboratorId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import { goalsOf } from '#portal/domain/program-goal.ts';
import type { Reward } from '#programs/domain/program.ts';
import type { Earned } from '#programs/domain/reward.ts';

const ADA = 7 as CollaboratorId;
const reward: Reward = { type: 'percent', ratePpm: 200_000 };
const steps = [3n, 10n].map((from) => ({ from, reward }));
const none = { tiers: null, capPerPeriod: null, collaboratorRewards: [] };
const earned = (sum: bigint, count: number): { tier: Earned; cap: Earned } => {
  const value = { sum: sum as Minor, count };
  return { tier: value, cap: value };
};

it('goalsOf: a program without tiers and caps has no goals', () => {
  assert.deepEqual(goalsOf(none, ADA, earned(5n, 5)), []);
});

it('goalsOf: the next tier is the first threshold above the count or the sum', () => {
  const goal = (by: 'count' | 'sum', sum: bigint, count: number) =>
    goalsOf({ ...none, tiers: { by, period: 'month', steps } }, ADA, earned(sum, count));
  const month = { kind: 'tier', period: 'month' };
  assert.deepEqual(goal('count', 99n, 2), [{ ...month, by: 'count', reached: 2n, goal: 3n }]);
  assert.deepEqual(goal('count', 99n, 3), [{ ...month, by: 'count', reached: 3n, goal: 10n }]);
  assert.deepEqual(goal('sum', 9n, 99), [{ ...month, by: 'sum', reached: 9n, goal: 10n }]);
  assert.deepEqual(goal('count', 0n, 10), [], 'the highest tier');
});

it('goalsOf: a collaborator with their own reward has the cap as a goal, but no tier', () => {
  const program = {
    tiers: { by: 'count', period: 'month', steps },
    capPerPeriod: { period: 'year', amount: 100n as Minor },
    collaboratorRewards: [{ collaboratorId: ADA, reward }],
  } as const;
  const cap = { kind: 'cap', by: 'sum', period: 'year', reached: 40n, goal: 100n };
  assert.deepEqual(goalsOf(program, ADA, earned(40n, 1)), [cap]);
  assert.equal(goalsOf(program, 8 as CollaboratorId, earned(40n, 1)).length, 2);
});
