import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  completeRun,
  failRun,
  type PendingObligations,
  planRuns,
  processRun,
  type RunPayout,
} from '#payouts/domain/fulfillment.ts';
import { FULFILLMENT_STATUSES, type FulfillmentStatus } from '#payouts/domain/run-status.ts';
import type { CollaboratorId, ObligationId, PayoutId } from '#core/ids.ts';
import { MAX_MINOR, type Minor } from '#core/money.ts';

/** A line of obligations, which are numbered by their place in the list: collaborator, amount and differing fields. */
type Line = readonly [collaborator: number, amount: number | bigint, change?: Partial<PendingObligations>];

function owed(lines: readonly Line[]): PendingObligations[] {
  return lines.map(([collaborator, amount, change = {}], index) => ({
    obligationIds: [(index + 1) as ObligationId],
    collaboratorId: collaborator as CollaboratorId,
    currency: 'USD',
    amount: BigInt(amount),
    goesBack: false,
    ...change,
  }));
}

/** Shows planned runs: `7: 300 of 1+2` for a payout, `8: -5 nothing-owed` for an amount carried forward. */
function shown(lines: readonly Line[], minimum: bigint | null = null): Record<string, string[]> {
  const runs = planRuns(owed(lines), minimum as Minor | null);
  for (const { amount, payouts } of runs)
    assert.equal(
      amount,
      payouts.reduce((sum, each) => sum + each.amount, 0n),
    );
  return Object.fromEntries(
    runs.map(({ currency, payouts, carriedForward }) => [
      currency,
      [
        ...payouts.map((each) => `${each.collaboratorId}: ${each.amount} of ${each.obligationIds.join('+')}`),
        ...carriedForward.map((each) => `${each.collaboratorId}: ${each.amount} ${each.reason}`),
      ],
    ]),
  );
}

describe('the obligations that a payout run takes', () => {
  const cases: readonly (readonly [string, readonly Line[], bigint | null, Record<string, string[]>])[] = [
    ['nothing where nothing is owed', [], null, {}],
    [
      'one payout for each collaborator',
      [
        [7, 100],
        [8, 50],
        [7, 200],
      ],
      null,
      { USD: ['7: 300 of 1+3', '8: 50 of 2'] },
    ],
    [
      'one run for each currency, which never mix',
      [
        [7, 100],
        [7, 50, { currency: 'EUR' }],
      ],
      null,
      { EUR: ['7: 50 of 2'], USD: ['7: 100 of 1'] },
    ],
    [
      'claw-backs are netted',
      [
        [7, 100],
        [7, -30],
      ],
      null,
      { USD: ['7: 70 of 1+2'] },
    ],
    [
      'what is added up already comes with all its ids, the lowest first',
      [
        [7, 300, { obligationIds: [4, 9] as ObligationId[] }],
        [7, -20, { obligationIds: [6, 2] as ObligationId[], goesBack: true }],
      ],
      null,
      { USD: ['7: 280 of 2+4+6+9'] },
    ],
    [
      'a sum of zero takes nothing',
      [
        [7, 100],
        [7, -100],
      ],
      null,
      { USD: ['7: 0 nothing-owed'] },
    ],
    [
      'a sum below zero takes nothing',
      [
        [7, 100],
        [7, -101],
      ],
      null,
      { USD: ['7: -1 nothing-owed'] },
    ],
    [
      'a claw-back alone takes nothing',
      [
        [7, -5],
        [8, 5],
      ],
      null,
      { USD: ['8: 5 of 2', '7: -5 nothing-owed'] },
    ],
    [
      'the minimum is reached',
      [
        [7, 60],
        [7, 40],
      ],
      100n,
      { USD: ['7: 100 of 1+2'] },
    ],
    [
      'the minimum is missed',
      [
        [7, 60],
        [7, 39],
      ],
      100n,
      { USD: ['7: 99 below-minimum'] },
    ],
    [
      'the minimum counts after netting',
      [
        [7, 120],
        [7, -21],
      ],
      100n,
      { USD: ['7: 99 below-minimum'] },
    ],
    [
      'a minimum of zero is none',
      [
        [7, 1],
        [8, -1],
      ],
      0n,
      { USD: ['7: 1 of 1', '8: -1 nothing-owed'] },
    ],
    [
      'the minimum counts in each currency',
      [
        [7, 60, { currency: 'EUR' }],
        [7, 60],
      ],
      100n,
      { EUR: ['7: 60 below-minimum'], USD: ['7: 60 below-minimum'] },
    ],
    [
      'nothing of what is going back',
      [
        [7, 100, { goesBack: true }],
        [7, 5],
      ],
      null,
      { USD: ['7: 5 of 2'] },
    ],
    [
      'nothing to whom all of it is going back',
      [
        [7, 100, { goesBack: true }],
        [8, 5],
      ],
      null,
      { USD: ['8: 5 of 2'] },
    ],
    [
      'a claw-back, independent of its sale’s status',
      [
        [7, 100],
        [7, -1],
        [7, -2, { goesBack: true }],
      ],
      null,
      { USD: ['7: 97 of 1+2+3'] },
    ],
    [
      'no more than an amount can be; others still fit',
      [
        [7, MAX_MINOR - 10n],
        [8, 11],
        [9, 10],
      ],
      null,
      { USD: [`7: ${MAX_MINOR - 10n} of 1`, '9: 10 of 3', '8: 11 over-limit'] },
    ],
  ];
  for (const [name, lines, minimum, expected] of cases) {
    it(name, () => assert.deepEqual(shown(lines, minimum), expected));
  }
});

describe('a payout run allows only the transitions of its graph', () => {
  const moves = (move: (status: FulfillmentStatus) => unknown) =>
    Object.fromEntries(FULFILLMENT_STATUSES.map((status) => [status, move(status)]));

  it('process: from pending, and a repeat changes nothing', () =>
    assert.deepEqual(moves(processRun), {
      pending: 'changed',
      processing: 'unchanged',
      complete: 'forbidden',
      failed: 'forbidden',
    }));

  it('complete: from processing, and a repeat changes nothing', () =>
    assert.deepEqual(
      moves((status) => completeRun(status, []).kind),
      { pending: 'forbidden', processing: 'changed', complete: 'unchanged', failed: 'forbidden' },
    ));

  it('fails a pending or processing run, unless one of its payouts is paid', () => {
    assert.deepEqual(
      moves((status) => failRun(status, [{ status: 'unpaid' }, { status: 'void' }])),
      { pending: 'changed', processing: 'changed', complete: 'forbidden', failed: 'unchanged' },
    );
    assert.deepEqual(
      moves((status) => failRun(status, [{ status: 'unpaid' }, { status: 'paid' }])),
      { pending: 'paid', processing: 'paid', complete: 'forbidden', failed: 'unchanged' },
    );
  });
});

describe('completing a payout run', () => {
  const payout = (payoutId: number, change: Partial<RunPayout> = {}): RunPayout => ({
    payoutId: payoutId as PayoutId,
    status: 'unpaid',
    review: 'none',
    refundWaits: false,
    ...change,
  });
  const cases: readonly (readonly [string, readonly RunPayout[], ReturnType<typeof completeRun>])[] = [
    ['pays all', [payout(1), payout(2)], { kind: 'changed', status: 'complete', paid: [1, 2] as PayoutId[] }],
    [
      'leaves what is paid and what is void',
      [payout(1, { status: 'paid' }), payout(2), payout(3, { status: 'void' })],
      { kind: 'changed', status: 'complete', paid: [2] as PayoutId[] },
    ],
    [
      'pays what a review has resolved',
      [payout(1, { review: 'resolved' })],
      { kind: 'changed', status: 'complete', paid: [1] as PayoutId[] },
    ],
    [
      'goes on while one is flagged',
      [payout(1), payout(2, { review: 'flagged' })],
      { kind: 'changed', status: 'processing', paid: [1] as PayoutId[] },
    ],
    [
      'goes on while a refund waits',
      [payout(1), payout(2, { refundWaits: true })],
      { kind: 'changed', status: 'processing', paid: [1] as PayoutId[] },
    ],
    ['changes nothing while all that is left is flagged', [payout(2, { review: 'flagged' })], { kind: 'unchanged' }],
    [
      'a flagged payout that is paid keeps nothing back',
      [payout(1, { status: 'paid', review: 'flagged' })],
      { kind: 'changed', status: 'complete', paid: [] },
    ],
  ];
  for (const [name, payouts, expected] of cases) {
    it(name, () => assert.deepEqual(completeRun('processing', payouts), expected));
  }
});
