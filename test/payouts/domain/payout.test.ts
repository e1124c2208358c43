import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConversionId, ObligationId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import {
  type Flag,
  type MarkedPayout,
  type Marking,
  markPayout,
  canBePaid,
  type PaidObligation,
  releaseSteps,
  type ReviewedPayout,
  reviewPayout,
} from '#payouts/domain/payout.ts';

describe('marking a payout', () => {
  const payout: MarkedPayout = {
    status: 'unpaid',
    review: 'none',
    runStatus: 'pending',
    refundWaits: false,
    clawedBack: false,
  };
  const cases: readonly (readonly [string, Partial<MarkedPayout>, paid: Marking, unpaid: Marking])[] = [
    ['of an unpaid payout', {}, 'changed', 'unchanged'],
    ['while its run is processing', { runStatus: 'processing' }, 'changed', 'unchanged'],
    ['of a paid payout', { status: 'paid' }, 'unchanged', 'changed'],
    ['of a paid payout of a complete run', { status: 'paid', runStatus: 'complete' }, 'unchanged', 'run-closed'],
    ['of an unpaid payout of a failed run', { runStatus: 'failed' }, 'run-closed', 'unchanged'],
    ['of a void payout', { status: 'void' }, 'void', 'void'],
    ['of a flagged payout', { review: 'flagged' }, 'under-review', 'unchanged'],
    ['of a flagged payout that is paid', { status: 'paid', review: 'flagged' }, 'unchanged', 'changed'],
    ['of a payout that was reviewed', { review: 'resolved' }, 'changed', 'unchanged'],
    ['of a payout whose refund waits', { refundWaits: true }, 'refund-waits', 'unchanged'],
    ['of a paid payout whose refund waits', { status: 'paid', refundWaits: true }, 'unchanged', 'changed'],
    ['of a paid payout with a claw-back', { status: 'paid', clawedBack: true }, 'unchanged', 'clawed-back'],
  ];
  for (const [name, change, paid, unpaid] of cases) {
    it(`${name}: paid is ${paid}, unpaid is ${unpaid}`, () => {
      assert.equal(markPayout({ ...payout, ...change }, 'paid'), paid);
      assert.equal(markPayout({ ...payout, ...change }, 'unpaid'), unpaid);
    });
  }

  it('allows a run to pay exactly the payouts that can be marked paid individually', () => {
    for (const review of ['none', 'flagged', 'resolved'] as const) {
      for (const refundWaits of [false, true]) {
        const alone = markPayout({ ...payout, review, refundWaits }, 'paid') === 'changed';
        assert.equal(canBePaid({ review, refundWaits }), alone);
      }
    }
  });
});

/** Returns an obligation for the conversion with the same number, all of it owed unless `change` differs. */
function obligation(id: number, amount: number, change: Partial<PaidObligation> = {}): PaidObligation {
  return {
    obligationId: id as ObligationId,
    conversionId: id as ConversionId,
    amount: BigInt(amount) as Minor,
    flagged: 0n as Minor,
    ...change,
  };
}

const noLongerOwed = (amount: number): Partial<PaidObligation> => ({ flagged: BigInt(amount) as Minor });

describe('obligations released by a void payout', () => {
  const cases: readonly (readonly [string, PaidObligation, status: string, amount: bigint])[] = [
    ['what is worth as much as before', obligation(1, 100), 'pending', 100n],
    ['what is worth less now', obligation(1, 100, noLongerOwed(40)), 'pending', 60n],
    ['what is worth nothing', obligation(1, 100, noLongerOwed(100)), 'rejected', 100n],
    ['a clawback', obligation(1, -100), 'pending', -100n],
  ];
  for (const [name, held, status, amount] of cases) {
    it(`${name} becomes ${status} with ${amount}, after pending with its old amount`, () => {
      const steps = releaseSteps([held]);
      assert.deepEqual(steps[0], [{ obligationId: 1, status: 'pending', amount: held.amount }]);
      assert.deepEqual(steps.flat().at(-1), { obligationId: 1, status, amount });
    });
  }
});

describe('reviewing a payout', () => {
  const flag = (id: number, amount: number, resolution: Flag['resolution'] = null): Flag => ({
    obligationId: id as ObligationId,
    conversionId: id as ConversionId,
    amount: BigInt(amount) as Minor,
    resolution,
  });
  const flagged = (
    obligations: readonly PaidObligation[],
    flags: readonly Flag[],
    change: Partial<ReviewedPayout> = {},
  ): ReviewedPayout => ({
    status: 'unpaid',
    review: 'flagged',
    amount: obligations.reduce((sum, { amount }) => sum + amount, 0n) as Minor,
    obligations: obligations.map((each) => ({ ...each, flagged: standing(each, flags) })),
    flags,
    ...change,
  });
  const standing = ({ obligationId }: PaidObligation, flags: readonly Flag[]): Minor =>
    flags
      .filter((each) => each.obligationId === obligationId && (each.resolution === null || each.resolution === 'keep'))
      .reduce((sum, { amount }) => sum + amount, 0n) as Minor;
  /** Shows a review, for example `unpaid 150: 1 fulfilled 50, back 2 -30`. */
  const shown = (payout: ReviewedPayout, resolution: 'keep' | 'claw-back', seen?: number): string => {
    const review = reviewPayout(payout, resolution, seen);
    if (review.kind !== 'resolved') return review.kind;
    const changes = [
      ...review.steps.flat().map((each) => `${each.obligationId} ${each.status} ${each.amount}`),
      ...review.clawBacks.map((each) => `back ${each.conversionId} ${each.amount}`),
    ];
    return `${review.status} ${review.amount}${changes.length === 0 ? '' : ': '}${changes.join(', ')}`;
  };

  const two = [obligation(1, 100), obligation(2, 50)];
  const unpaid: readonly (readonly [string, ReviewedPayout, keep: string, clawBack: string])[] = [
    [
      'of a part of one obligation',
      flagged([obligation(1, 100), obligation(2, 50)], [flag(1, 30)]),
      'unpaid 150',
      'unpaid 120: 1 fulfilled 70',
    ],
    [
      'of all of one obligation',
      flagged([obligation(1, 100), obligation(2, 50)], [flag(1, 100)]),
      'unpaid 150',
      'unpaid 50: 1 rejected 100',
    ],
    [
      'of two parts of one obligation',
      flagged([obligation(1, 100), obligation(2, 50)], [flag(1, 20), flag(1, 30)]),
      'unpaid 150',
      'unpaid 100: 1 fulfilled 50',
    ],
    [
      'of one obligation and a part of another',
      flagged([obligation(1, 100), obligation(2, 50)], [flag(2, 10), flag(1, 100)]),
      'unpaid 150',
      'unpaid 40: 1 rejected 100, 2 fulfilled 40',
    ],
    ['of all that there is', flagged([obligation(1, 100)], [flag(1, 100)]), 'unpaid 100', 'void 0: 1 rejected 100'],
    [
      'that leaves exactly the claw-backs',
      flagged([obligation(1, 100), obligation(2, 50), obligation(3, -50)], [flag(1, 100)]),
      'unpaid 100',
      'void 0: 1 rejected 100, 2 pending 50, 3 pending -50',
    ],
    [
      'that leaves less than the claw-backs',
      flagged([obligation(1, 100), obligation(3, -50)], [flag(1, 80)]),
      'unpaid 50',
      'void 0: 1 fulfilled 20, 1 pending 20, 3 pending -50',
    ],
    [
      'after something was kept: only what is open goes',
      flagged([obligation(1, 100), obligation(2, 50)], [flag(1, 30, 'keep'), flag(1, 10)]),
      'unpaid 150',
      'unpaid 140: 1 fulfilled 90',
    ],
    [
      'that voids the payout gives back what was kept at its worth',
      flagged([obligation(1, 100), obligation(2, 50), obligation(3, -90)], [flag(1, 30, 'keep'), flag(2, 50)]),
      'unpaid 60',
      'unpaid 10: 2 rejected 50',
    ],
    [
      'that voids the payout, with something kept',
      flagged([obligation(1, 100), obligation(2, 50), obligation(3, -110)], [flag(1, 30, 'keep'), flag(2, 50)]),
      'unpaid 40',
      'void 0: 2 rejected 50, 1 pending 100, 3 pending -110, 1 pending 70',
    ],
    [
      'of a paid payout makes claw-backs and leaves it as it is',
      flagged([obligation(1, 100), obligation(2, 50)], [flag(1, 100), flag(2, 10)], {
        status: 'paid',
      }),
      'paid 150',
      'paid 150: back 1 -100, back 2 -10',
    ],
    [
      'of two parts of one conversion in a paid payout makes one claw-back',
      flagged([obligation(1, 100)], [flag(1, 20, 'claw-back'), flag(1, 20), flag(1, 10)], {
        status: 'paid',
      }),
      'paid 100',
      'paid 100: back 1 -30',
    ],
    ['of a payout that was never flagged', flagged(two, [], { review: 'none' }), 'not-flagged', 'not-flagged'],
    [
      'again, of what was kept',
      flagged(two, [flag(1, 10, 'claw-back'), flag(1, 10, 'keep')], { review: 'resolved' }),
      'unchanged',
      'not-flagged',
    ],
    [
      'again, of what was clawed back',
      flagged(two, [flag(1, 10, 'claw-back')], { review: 'resolved' }),
      'not-flagged',
      'unchanged',
    ],
    [
      'of a payout whose run failed',
      flagged([], [flag(1, 10, 'void')], { review: 'resolved', status: 'void' }),
      'not-flagged',
      'not-flagged',
    ],
  ];
  for (const [name, payout, keep, clawBack] of unpaid) {
    it(`${name}: keep → ${keep}; claw-back → ${clawBack}`, () => {
      assert.equal(shown(payout, 'keep'), keep);
      assert.equal(shown(payout, 'claw-back'), clawBack);
      assert.equal(shown(payout, 'claw-back', payout.flags.length), clawBack, 'the same by who has read all flags');
    });
  }

  it('with unread flags decides nothing, regardless of the number of open flags', () => {
    const flags = [flag(1, 10, 'keep'), flag(1, 10), flag(2, 10)];
    for (const seen of [0, 1, 2, 4]) {
      assert.equal(shown(flagged(two, flags), 'keep', seen), 'unseen');
      assert.equal(shown(flagged(two, flags), 'claw-back', seen), 'unseen');
    }
    const kept = flagged(two, [flag(1, 10, 'keep')], { review: 'resolved' });
    assert.equal(shown(kept, 'keep', 0), 'unchanged', 'where nothing is to be decided it is of no matter');
    assert.equal(shown(kept, 'claw-back', 0), 'not-flagged');
  });
});
