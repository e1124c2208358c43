import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Owed, settle } from '#ledger/domain/obligation.ts';
import { and, changed, flag, owed, raised, toMinor, withdrawn } from '#test/support/refunded-sales.ts';

describe('settle: the obligations of a conversion after its worth changed', () => {
  const cases: readonly [promise: string, owed: Owed, worth: number, changes: readonly object[]][] = [
    ['reduces an obligation outside a payout', owed('draft'), 700, [changed('reduced', 700)]],
    ['rejects an obligation when nothing is owed', owed('pending'), 0, [changed('rejected', 1000)]],
    ['changes nothing if the obligations already equal the amount due', owed('pending'), 1000, []],
    ['does not change a rejected obligation', owed('rejected'), 0, []],
    ['flags a payout with the difference', owed('fulfilled'), 700, [flag(300)]],
    ['flags a difference only once', owed('fulfilled', { flagged: 300 }), 700, []],
    ['flags only the amount that no earlier flag covers', owed('fulfilled', { flagged: 300 }), 0, [flag(700)]],
    ['flags only the amount that no reviewer has kept', owed('fulfilled', { kept: 300 }), 0, [flag(700)]],
    ['flags nothing if the difference was already clawed back', owed('fulfilled', { takenBack: -300 }), 700, []],
    ['flags only the remainder after a clawback', owed('fulfilled', { takenBack: -300 }), 0, [flag(700)]],
    ['flags the remainder of an obligation that a review reduced', owed('fulfilled', { amount: 700 }), 0, [flag(700)]],
    [
      'reduces the newest open obligation first',
      and(owed('pending'), 'pending', 400),
      900,
      [changed('rejected', 400, 2), changed('reduced', 900)],
    ],
    [
      'reduces open obligations before it flags payouts',
      and(owed('fulfilled'), 'pending', 400),
      900,
      [changed('rejected', 400, 2), flag(100)],
    ],
    [
      'flags each payout with at most the amount of its obligation',
      and(owed('fulfilled'), 'fulfilled', 400),
      300,
      [flag(400, 2), flag(700)],
    ],
    ['adds an obligation for a restored amount', owed('pending', { amount: 700 }), 1000, [raised(300)]],
    [
      'leaves an older open obligation unchanged if the newest open obligation covers the difference',
      and(owed('pending'), 'pending', 400),
      1200,
      [changed('reduced', 200, 2)],
    ],
    [
      'flags no payout if open obligations cover the difference',
      and(owed('fulfilled'), 'pending', 400),
      1000,
      [changed('rejected', 400, 2)],
    ],
    [
      'withdraws only part of the open flag if the flag exceeds the increase, and leaves kept flags',
      owed('fulfilled', { flagged: 300, kept: 200 }),
      700,
      [withdrawn(4, 200)],
    ],
    ['never reopens a rejected obligation', owed('rejected'), 1000, [raised(1000)]],
    [
      'adds an obligation for a restored amount that was clawed back',
      owed('fulfilled', { takenBack: -1000 }),
      1000,
      [raised(1000)],
    ],
    [
      'withdraws an open flag before it adds an obligation',
      owed('fulfilled', { flagged: 300 }),
      900,
      [withdrawn(4, 200)],
    ],
    [
      'withdraws open flags but never flags of kept amounts',
      owed('fulfilled', { flagged: 300, kept: 200 }),
      900,
      [withdrawn(4, 300)],
    ],
    [
      'changes nothing if the full amount is owed and a reviewer kept a flagged part',
      owed('fulfilled', { kept: 300 }),
      1000,
      [],
    ],
    [
      'adds only the amount that no flag covers',
      owed('fulfilled', { flagged: 300, takenBack: -200 }),
      1000,
      [withdrawn(4, 300), raised(200)],
    ],
  ];
  for (const [promise, of, worth, changes] of cases) {
    it(promise, () => assert.deepEqual(settle(of, toMinor(worth), 'refunded'), changes));
  }
});
