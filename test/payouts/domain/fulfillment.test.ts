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

/**
 * The pending obligations of one collaborator: by default, a single obligation, whose id is its position in the list.
 */
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

/**
 * Plans payout runs and returns them as text by currency: `7: 300 of 1+2` is a payout, and `8: -5 nothing-owed` is an
 * amount carried forward.
 */
function shown(
  lines: readonly Line[],
  minimum: bigint | null = null,
  withoutTaxDetails: readonly number[] = [],
): Record<string, string[]> {
  const runs = planRuns(owed(lines), {
    minimum: minimum as Minor | null,
    withoutTaxDetails: new Set(withoutTaxDetails as CollaboratorId[]),
  });
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

describe('planRuns: the selection of obligations for a payout run', () => {
  const cases: readonly (readonly [string, readonly Line[], bigint | null, Record<string, string[]>])[] = [
    ['is empty if nothing is owed', [], null, {}],
    [
      'creates one payout per collaborator',
      [
        [7, 100],
        [8, 50],
        [7, 200],
      ],
      null,
      { USD: ['7: 300 of 1+3', '8: 50 of 2'] },
    ],
    [
      'creates one run per currency',
      [
        [7, 100],
        [7, 50, { currency: 'EUR' }],
      ],
      null,
      { EUR: ['7: 50 of 2'], USD: ['7: 100 of 1'] },
    ],
    [
      'includes clawbacks, which are deducted',
      [
        [7, 100],
        [7, -30],
      ],
      null,
      { USD: ['7: 70 of 1+2'] },
    ],
    [
      'lists the obligations of each payout in ascending order',
      [
        [7, 300, { obligationIds: [4, 9] as ObligationId[] }],
        [7, -20, { obligationIds: [6, 2] as ObligationId[], goesBack: true }],
      ],
      null,
      { USD: ['7: 280 of 2+4+6+9'] },
    ],
    [
      'excludes a collaborator whose obligations add up to zero',
      [
        [7, 100],
        [7, -100],
      ],
      null,
      { USD: ['7: 0 nothing-owed'] },
    ],
    [
      'excludes a collaborator whose obligations add up to less than zero',
      [
        [7, 100],
        [7, -101],
      ],
      null,
      { USD: ['7: -1 nothing-owed'] },
    ],
    [
      'excludes a collaborator with only a clawback',
      [
        [7, -5],
        [8, 5],
      ],
      null,
      { USD: ['8: 5 of 2', '7: -5 nothing-owed'] },
    ],
    [
      'includes a collaborator whose obligations add up to exactly the minimum',
      [
        [7, 60],
        [7, 40],
      ],
      100n,
      { USD: ['7: 100 of 1+2'] },
    ],
    [
      'excludes a collaborator whose obligations add up to less than the minimum',
      [
        [7, 60],
        [7, 39],
      ],
      100n,
      { USD: ['7: 99 below-minimum'] },
    ],
    [
      'deducts clawbacks before it applies the minimum',
      [
        [7, 120],
        [7, -21],
      ],
      100n,
      { USD: ['7: 99 below-minimum'] },
    ],
    [
      'includes any amount above zero if the minimum is zero',
      [
        [7, 1],
        [8, -1],
      ],
      0n,
      { USD: ['7: 1 of 1', '8: -1 nothing-owed'] },
    ],
    [
      'applies the minimum to each currency separately',
      [
        [7, 60, { currency: 'EUR' }],
        [7, 60],
      ],
      100n,
      { EUR: ['7: 60 below-minimum'], USD: ['7: 60 below-minimum'] },
    ],
    [
      'excludes obligations whose refund is still being processed',
      [
        [7, 100, { goesBack: true }],
        [7, 5],
      ],
      null,
      { USD: ['7: 5 of 2'] },
    ],
    [
      'excludes a collaborator if refunds of all their obligations are still being processed',
      [
        [7, 100, { goesBack: true }],
        [8, 5],
      ],
      null,
      { USD: ['8: 5 of 2'] },
    ],
    [
      'includes a clawback even if a refund of its sale is still being processed',
      [
        [7, 100],
        [7, -1],
        [7, -2, { goesBack: true }],
      ],
      null,
      { USD: ['7: 97 of 1+2+3'] },
    ],
    [
      'excludes a payout that would exceed the maximum total of a run, and includes a smaller payout',
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

  it('gives the reason no-tax-details only if no other reason excludes the collaborator', () =>
    assert.deepEqual(
      shown(
        [
          [7, 100],
          [8, 200],
          [9, 50],
        ],
        100n,
        [8, 9],
      ),
      { USD: ['7: 100 of 1', '8: 200 no-tax-details', '9: 50 below-minimum'] },
    ));
});

describe('the status of a payout run', () => {
  const moves = (move: (status: FulfillmentStatus) => unknown) =>
    Object.fromEntries(FULFILLMENT_STATUSES.map((status) => [status, move(status)]));

  it('changes from pending to processing, and stays processing when the call is repeated', () =>
    assert.deepEqual(moves(processRun), {
      pending: 'changed',
      processing: 'unchanged',
      complete: 'forbidden',
      failed: 'forbidden',
    }));

  it('changes from processing to complete, and stays complete when the call is repeated', () =>
    assert.deepEqual(
      moves((status) => completeRun(status, []).kind),
      { pending: 'forbidden', processing: 'changed', complete: 'unchanged', failed: 'forbidden' },
    ));

  it('changes from pending or processing to failed, unless a payout of the run is paid', () => {
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
    lacksTaxDetails: false,
    ...change,
  });
  const cases: readonly (readonly [string, readonly RunPayout[], ReturnType<typeof completeRun>])[] = [
    [
      'pays unpaid payouts',
      [payout(1), payout(2)],
      { kind: 'changed', status: 'complete', paid: [1, 2] as PayoutId[] },
    ],
    [
      'does not change paid and void payouts',
      [payout(1, { status: 'paid' }), payout(2), payout(3, { status: 'void' })],
      { kind: 'changed', status: 'complete', paid: [2] as PayoutId[] },
    ],
    [
      'pays a payout with a resolved review',
      [payout(1, { review: 'resolved' })],
      { kind: 'changed', status: 'complete', paid: [1] as PayoutId[] },
    ],
    [
      'leaves the run open while a payout is flagged',
      [payout(1), payout(2, { review: 'flagged' })],
      { kind: 'changed', status: 'processing', paid: [1] as PayoutId[] },
    ],
    [
      'leaves the run open while a refund is being processed',
      [payout(1), payout(2, { refundWaits: true })],
      { kind: 'changed', status: 'processing', paid: [1] as PayoutId[] },
    ],
    ['changes nothing if all remaining payouts are flagged', [payout(2, { review: 'flagged' })], { kind: 'unchanged' }],
    [
      'completes the run despite a flagged payout that is already paid',
      [payout(1, { status: 'paid', review: 'flagged' })],
      { kind: 'changed', status: 'complete', paid: [] },
    ],
  ];
  for (const [name, payouts, expected] of cases) {
    it(name, () => assert.deepEqual(completeRun('processing', payouts), expected));
  }
});
