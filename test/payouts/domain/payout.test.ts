import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConversionId, ObligationId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import {
  type Flag,
  type FlagResolution,
  type MarkedPayout,
  type MarkDecision,
  markPayout,
  canBePaid,
  type PayoutObligation,
  type ReviewedPayout,
  reviewPayout,
} from '#payouts/domain/payout.ts';

describe('marking a payout', () => {
  const payout: MarkedPayout = {
    status: 'unpaid',
    review: 'none',
    runStatus: 'pending',
    refundWaits: false,
    lacksTaxDetails: false,
    clawedBack: false,
    hasFailed: false,
  };
  const cases: readonly (readonly [string, Partial<MarkedPayout>, paid: MarkDecision, unpaid: MarkDecision])[] = [
    ['an unpaid payout', {}, 'changed', 'unchanged'],
    ['an unpaid payout whose run is processing', { runStatus: 'processing' }, 'changed', 'unchanged'],
    ['a paid payout', { status: 'paid' }, 'unchanged', 'changed'],
    ['a paid payout of a complete run', { status: 'paid', runStatus: 'complete' }, 'unchanged', 'run-closed'],
    ['an unpaid payout of a failed run', { runStatus: 'failed' }, 'run-closed', 'unchanged'],
    ['a void payout', { status: 'void' }, 'void', 'void'],
    ['a flagged payout', { review: 'flagged' }, 'under-review', 'unchanged'],
    ['a flagged payout that is paid', { status: 'paid', review: 'flagged' }, 'unchanged', 'changed'],
    ['a payout whose review is resolved', { review: 'resolved' }, 'changed', 'unchanged'],
    ['a payout whose refund is still being processed', { refundWaits: true }, 'refund-waits', 'unchanged'],
    [
      'a paid payout whose refund is still being processed',
      { status: 'paid', refundWaits: true },
      'unchanged',
      'changed',
    ],
    ['a payout without required tax details', { lacksTaxDetails: true }, 'no-tax-details', 'unchanged'],
    ['a paid payout with a clawback', { status: 'paid', clawedBack: true }, 'unchanged', 'clawed-back'],
  ];
  for (const [name, change, paid, unpaid] of cases) {
    it(`${name}: marking it paid gives ${paid}, and marking it unpaid gives ${unpaid}`, () => {
      assert.equal(markPayout({ ...payout, ...change }, 'paid'), paid);
      assert.equal(markPayout({ ...payout, ...change }, 'unpaid'), unpaid);
    });
  }

  it('canBePaid: a run pays exactly the payouts that can be marked paid individually', () => {
    for (const review of ['none', 'flagged', 'resolved'] as const) {
      for (const refundWaits of [false, true]) {
        for (const lacksTaxDetails of [false, true]) {
          const facts = { review, refundWaits, lacksTaxDetails };
          const alone = markPayout({ ...payout, ...facts }, 'paid') === 'changed';
          assert.equal(canBePaid(facts), alone);
        }
      }
    }
  });
});

/** Returns a payout’s obligation, whose conversion has the same id. */
function obligation(id: number, amount: number): PayoutObligation {
  return { obligationId: id as ObligationId, conversionId: id as ConversionId, amount: BigInt(amount) as Minor };
}

describe('reviewing a payout', () => {
  type AnyFlag = Flag & { readonly resolution: FlagResolution | null };
  const flag = (id: number, amount: number, resolution: FlagResolution | null = null): AnyFlag => ({
    obligationId: id as ObligationId,
    conversionId: id as ConversionId,
    amount: BigInt(amount) as Minor,
    resolution,
  });
  const flagged = (
    obligations: readonly PayoutObligation[],
    flags: readonly AnyFlag[],
    change: Partial<ReviewedPayout> = {},
  ): ReviewedPayout => ({
    status: 'unpaid',
    review: 'flagged',
    amount: obligations.reduce((sum, { amount }) => sum + amount, 0n) as Minor,
    obligations,
    openFlags: flags.filter(({ resolution }) => resolution === null),
    flagCount: flags.length,
    lastResolution: flags.at(-1)?.resolution ?? null,
    ...change,
  });
  /**
   * Reviews a payout. Returns its new status and amount, the changed obligations and the clawbacks as text. Returns the
   * kind of the review if the review changes nothing.
   */
  const shown = (payout: ReviewedPayout, resolution: 'keep' | 'claw-back', seen?: number): string => {
    const review = reviewPayout(payout, resolution, seen);
    if (review.kind !== 'resolved') return review.kind;
    const changes = [
      ...review.steps.flat().map((each) => `obligation ${each.obligationId} ${each.status} ${each.amount}`),
      ...review.clawBacks.map((each) => `clawback of conversion ${each.conversionId}: ${each.amount}`),
    ];
    return [`${review.status} ${review.amount}`, ...changes].join(', ');
  };

  const two = [obligation(1, 100), obligation(2, 50)];
  const unpaid: readonly (readonly [string, ReviewedPayout, keep: string, clawBack: string])[] = [
    [
      'with a part of one obligation flagged',
      flagged([obligation(1, 100), obligation(2, 50)], [flag(1, 30)]),
      'unpaid 150',
      'unpaid 120, obligation 1 fulfilled 70',
    ],
    [
      'with all of one obligation flagged',
      flagged([obligation(1, 100), obligation(2, 50)], [flag(1, 100)]),
      'unpaid 150',
      'unpaid 50, obligation 1 rejected 100',
    ],
    [
      'with two parts of one obligation flagged',
      flagged([obligation(1, 100), obligation(2, 50)], [flag(1, 20), flag(1, 30)]),
      'unpaid 150',
      'unpaid 100, obligation 1 fulfilled 50',
    ],
    [
      'with one obligation and a part of another flagged',
      flagged([obligation(1, 100), obligation(2, 50)], [flag(2, 10), flag(1, 100)]),
      'unpaid 150',
      'unpaid 40, obligation 1 rejected 100, obligation 2 fulfilled 40',
    ],
    [
      'with its whole amount flagged',
      flagged([obligation(1, 100)], [flag(1, 100)]),
      'unpaid 100',
      'void 0, obligation 1 rejected 100',
    ],
    [
      'with only clawbacks unflagged',
      flagged([obligation(1, 100), obligation(2, 50), obligation(3, -50)], [flag(1, 100)]),
      'unpaid 100',
      'void 0, obligation 1 rejected 100, obligation 2 pending 50, obligation 3 pending -50',
    ],
    [
      'with an unflagged amount below its clawbacks',
      flagged([obligation(1, 100), obligation(3, -50)], [flag(1, 80)]),
      'unpaid 50',
      'void 0, obligation 1 fulfilled 20, obligation 1 pending 20, obligation 3 pending -50',
    ],
    [
      'with a new flag after an amount was kept',
      flagged([obligation(1, 100), obligation(2, 50)], [flag(1, 30, 'keep'), flag(1, 10)]),
      'unpaid 150',
      'unpaid 140, obligation 1 fulfilled 90',
    ],
    [
      'with a kept amount, and with a positive amount after the clawback',
      flagged([obligation(1, 100), obligation(2, 50), obligation(3, -90)], [flag(1, 30, 'keep'), flag(2, 50)]),
      'unpaid 60',
      'unpaid 10, obligation 2 rejected 50',
    ],
    [
      'with a kept amount, and with a negative amount after the clawback',
      flagged([obligation(1, 100), obligation(2, 50), obligation(3, -110)], [flag(1, 30, 'keep'), flag(2, 50)]),
      'unpaid 40',
      'void 0, obligation 2 rejected 50, obligation 1 pending 100, obligation 3 pending -110',
    ],
    [
      'that is paid, with two obligations flagged',
      flagged([obligation(1, 100), obligation(2, 50)], [flag(1, 100), flag(2, 10)], {
        status: 'paid',
      }),
      'paid 150',
      'paid 150, clawback of conversion 1: -100, clawback of conversion 2: -10',
    ],
    [
      'that is paid, with two parts of one obligation flagged',
      flagged([obligation(1, 100)], [flag(1, 20, 'claw-back'), flag(1, 20), flag(1, 10)], {
        status: 'paid',
      }),
      'paid 100',
      'paid 100, clawback of conversion 1: -30',
    ],
    ['that was never flagged', flagged(two, [], { review: 'none' }), 'not-flagged', 'not-flagged'],
    [
      'whose last flag is already resolved with keep',
      flagged(two, [flag(1, 10, 'claw-back'), flag(1, 10, 'keep')], { review: 'resolved' }),
      'unchanged',
      'not-flagged',
    ],
    [
      'whose flag is already resolved with claw-back',
      flagged(two, [flag(1, 10, 'claw-back')], { review: 'resolved' }),
      'not-flagged',
      'unchanged',
    ],
    [
      'whose run failed',
      flagged([], [flag(1, 10, 'void')], { review: 'resolved', status: 'void' }),
      'not-flagged',
      'not-flagged',
    ],
  ];
  for (const [name, payout, keep, clawBack] of unpaid) {
    it(`${name}: keep results in “${keep}”, and claw-back in “${clawBack}”`, () => {
      assert.equal(shown(payout, 'keep'), keep);
      assert.equal(shown(payout, 'claw-back'), clawBack);
      assert.equal(
        shown(payout, 'claw-back', payout.flagCount),
        clawBack,
        'a reviewer who has read all flags gets the same result',
      );
    });
  }

  it('changes nothing if a flag is open and the reviewer’s number of flags is out of date', () => {
    const flags = [flag(1, 10, 'keep'), flag(1, 10), flag(2, 10)];
    for (const seen of [0, 1, 2, 4]) {
      assert.equal(shown(flagged(two, flags), 'keep', seen), 'unseen');
      assert.equal(shown(flagged(two, flags), 'claw-back', seen), 'unseen');
    }
    const kept = flagged(two, [flag(1, 10, 'keep')], { review: 'resolved' });
    assert.equal(shown(kept, 'keep', 0), 'unchanged', 'without an open flag, unread flags don’t matter');
    assert.equal(shown(kept, 'claw-back', 0), 'not-flagged');
  });
});
