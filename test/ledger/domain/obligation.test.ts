import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Owed, settle } from '#ledger/domain/obligation.ts';
import { and, changed, flag, minor, owed, raised, withdrawn } from '#test/support/refunded-sales.ts';

describe('how a refund changes the amount owed', () => {
  const cases: readonly [promise: string, owed: Owed, worth: number, changes: readonly object[]][] = [
    ['reduces an obligation outside a payout', owed('draft'), 700, [changed('reduced', 700)]],
    ['rejects an obligation when nothing is owed', owed('pending'), 0, [changed('rejected', 1000)]],
    ['changes nothing if the right amount is owed', owed('pending'), 1000, []],
    ['leaves a rejected obligation as it is', owed('rejected'), 0, []],
    ['flags a payout with the difference', owed('fulfilled'), 700, [flag(300)]],
    ['flags a difference only once', owed('fulfilled', { flagged: 300 }), 700, []],
    ['counts what was flagged before', owed('fulfilled', { flagged: 300 }), 0, [flag(700)]],
    ['counts what a reviewer kept', owed('fulfilled', { kept: 300 }), 0, [flag(700)]],
    ['counts what was clawed back', owed('fulfilled', { takenBack: -300 }), 700, []],
    ['flags only the rest after a clawback', owed('fulfilled', { takenBack: -300 }), 0, [flag(700)]],
    ['flags an obligation that a review reduced with its rest', owed('fulfilled', { amount: 700 }), 0, [flag(700)]],
    [
      'takes back from the newest open obligation first',
      and(owed('pending'), 'pending', 400),
      900,
      [changed('rejected', 400, 2), changed('reduced', 900)],
    ],
    [
      'takes back from open obligations before payouts',
      and(owed('fulfilled'), 'pending', 400),
      900,
      [changed('rejected', 400, 2), flag(100)],
    ],
    [
      'flags each payout with at most its obligation',
      and(owed('fulfilled'), 'fulfilled', 400),
      300,
      [flag(400, 2), flag(700)],
    ],
    ['adds an obligation for what is owed again', owed('pending', { amount: 700 }), 1000, [raised(300)]],
    ['never reopens a rejected obligation', owed('rejected'), 1000, [raised(1000)]],
    ['adds what was clawed back', owed('fulfilled', { takenBack: -1000 }), 1000, [raised(1000)]],
    ['withdraws an open flag first', owed('fulfilled', { flagged: 300 }), 900, [withdrawn(4, 200)]],
    [
      'withdraws open flags before kept ones',
      owed('fulfilled', { flagged: 300, kept: 200 }),
      900,
      [withdrawn(4, 300), withdrawn(3, 100)],
    ],
    [
      'adds only what no flag covers',
      owed('fulfilled', { flagged: 300, takenBack: -200 }),
      1000,
      [withdrawn(4, 300), raised(200)],
    ],
  ];
  for (const [promise, of, worth, changes] of cases) {
    it(promise, () => assert.deepEqual(settle(of, minor(worth), 'refunded'), changes));
  }
});
