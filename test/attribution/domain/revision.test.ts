import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { revise as reviseCounted, type StandingConversion } from '#attribution/domain/revision.ts';
import type { EventId } from '#core/ids.ts';
import type { RefundHistory } from '#sales/domain/refund.ts';
import type { RefundableSale } from '#sales/domain/refund-report.ts';
import { type LineRules, periodsOf } from '#sales/domain/worth.ts';
import {
  and,
  byAmount,
  byPieces,
  changed,
  COUNTING,
  everything,
  flag,
  histories,
  history,
  line,
  owed,
  raised,
  sale,
  share,
  shares,
  toMinor,
} from '#test/support/refunded-sales.ts';

function revise(sale: RefundHistory, standing: StandingConversion, counting: LineRules) {
  return reviseCounted(sale, standing, periodsOf(sale, counting, standing.byQuantity));
}

describe('revise: the effects of refunds, reversals and corrections on a conversion', () => {
  const standing: StandingConversion = {
    ...share(1000),
    amount: toMinor(1000),
    eventId: 1 as EventId,
    rejectedBy: null,
    rejectedByPersonAt: null,
    owed: owed('pending'),
  };

  it('a partial refund reduces a conversion and its unpaid obligation, and flags an obligation that is in a payout', () => {
    const revalued = { kind: 'revalued', amount: 700n };
    const partly = history(sale(1000, [line(1, 1000)], [byAmount(300)]));
    assert.deepEqual(revise(partly, standing, COUNTING), {
      conversion: revalued,
      past: [],
      owed: [changed('reduced', 700)],
    });
    assert.deepEqual(revise(partly, { ...standing, owed: owed('fulfilled') }, COUNTING), {
      conversion: revalued,
      past: [],
      owed: [{ ...flag(300), reason: 'partly-refunded' }],
    });
    const whole = history(sale(1000, [line(1, 1000)]));
    assert.deepEqual(revise(whole, standing, COUNTING), { conversion: null, past: [], owed: [] });
  });

  it('a conversion that is worth nothing is rejected, and keeps its previous amount', () => {
    for (const [refunds, amount, by] of [
      [[everything(1000)], 1000, 10],
      [[byAmount(300), everything(700)], 700, 20],
      [[byAmount(300), byAmount(700)], 700, 20],
    ] as const) {
      const revised = revise(history(sale(1000, [line(1, 1000)], refunds)), standing, COUNTING);
      const rejected = { kind: 'rejected', amount: toMinor(amount), by, reason: 'refunded' };
      assert.deepEqual(revised, { conversion: rejected, past: [], owed: [changed('rejected', amount)] });
    }
  });

  it('a rejected manual credit keeps its last amount above 0, or the awarded amount if the credit followed the last refund', () => {
    const refunded = history(sale(1000, [line(1, 1000)], [byAmount(300), byAmount(700)]));
    for (const [eventId, amount] of [
      [15, 700n],
      [25, 1000n],
    ] as const) {
      const { conversion } = revise(refunded, { ...standing, eventId: eventId as EventId }, COUNTING);
      assert.deepEqual(conversion, { kind: 'rejected', amount, by: 20, reason: 'refunded' });
    }
  });

  it('the refund that reduced a conversion to 0 is recorded as the cause of the rejection', () => {
    const lines = [line(2, 500), line(1, 200, null, 'shipping')];
    const refunds = [byPieces([1, 1]), byPieces([1, 1]), byPieces([2, 1])];
    for (const all of [refunds, [...refunds, everything(0)]]) {
      const { conversion } = revise(history(sale(1200, lines, all)), standing, COUNTING);
      assert.deepEqual(conversion, { kind: 'rejected', amount: 500n, by: 20, reason: 'refunded' });
    }
  });

  it('a full refund of a conversion in a payout rejects it, and flags the remaining amount', () => {
    const refunded = history(sale(1000, [line(1, 1000)], [byAmount(300), everything(700)]));
    const held = { ...standing, amount: toMinor(700), owed: owed('fulfilled', { flagged: 300 }) };
    assert.deepEqual(revise(refunded, held, COUNTING), {
      conversion: { kind: 'rejected', amount: 700n, by: 20, reason: 'refunded' },
      past: [],
      owed: [flag(700)],
    });
  });

  it('a rejected conversion is restored when its refund is reversed', () => {
    const restored = history(sale(1000, [line(1, 1000)], [byAmount(300), everything(700)]), { 20: 25 });
    const rejected = {
      ...standing,
      amount: toMinor(700),
      rejectedBy: 20 as EventId,
      owed: owed('rejected', { amount: 700 }),
    };
    assert.deepEqual(revise(restored, rejected, COUNTING), {
      conversion: { kind: 'restored', amount: 700n },
      past: [{ by: 20, restoredBy: 25 }],
      owed: [raised(700)],
    });
  });

  it('a conversion that a person rejected is never restored, but an earlier rejection by a refund is recorded', () => {
    const twelve = 12 as EventId;
    const rejected = { ...standing, rejectedBy: twelve, rejectedByPersonAt: twelve, owed: owed('rejected') };
    for (const reversals of [{}, { 10: 15 }]) {
      const refunded = history(sale(1000, [line(1, 1000)], [everything(1000)]), reversals);
      const moved = { kind: 'moved', by: 10 };
      assert.deepEqual(revise(refunded, rejected, COUNTING), { conversion: moved, past: [], owed: [] });
      const again = { ...rejected, rejectedBy: 10 as EventId };
      assert.deepEqual(revise(refunded, again, COUNTING), { conversion: null, past: [], owed: [] });
    }
    const restored = history(sale(1000, [line(1, 1000)], [everything(1000)]), { 10: 11 });
    assert.deepEqual(revise(restored, rejected, COUNTING), {
      conversion: null,
      past: [{ by: 10, restoredBy: 11 }],
      owed: [],
    });
    // The refund was already being reversed when the person rejected the conversion.
    const pending = { ...rejected, rejectedBy: 10 as EventId };
    assert.deepEqual(revise(restored, pending, COUNTING), {
      conversion: { kind: 'moved', by: 12 },
      past: [{ by: 10, restoredBy: 11 }],
      owed: [],
    });
    const erased = { ...rejected, rejectedBy: null };
    assert.equal(revise(restored, erased, COUNTING).conversion, null);
  });

  it('a conversion’s amount is restored when the refund that reduced the amount is reversed', () => {
    const partly = history(sale(1000, [line(1, 1000)], [byAmount(300)]), { 10: 15 });
    assert.deepEqual(revise(partly, standing, COUNTING), { conversion: null, past: [], owed: [] });
    const reduced = { ...standing, amount: toMinor(700), owed: owed('pending', { amount: 700 }) };
    assert.deepEqual(revise(partly, reduced, COUNTING), {
      conversion: { kind: 'revalued', amount: 1000n },
      past: [],
      owed: [raised(300)],
    });
  });

  it('a correction sets a conversion to its award for the corrected sale, and rejects it if the award is 0', () => {
    const content = { total: toMinor(1000), lines: [line(1, 1000)], pieces: new Map() };
    const edited = (...refunds: Parameters<typeof sale>[2] & {}) => ({
      ...history(sale(2000, [line(1, 2000)], refunds)),
      corrections: [{ ...content, correctedBy: 40 as EventId }],
    });
    const raisedTo = (amount: number) => ({ ...standing, corrected: [toMinor(amount)] });
    assert.deepEqual(revise(edited(), raisedTo(1700), COUNTING), {
      conversion: { kind: 'revalued', amount: 1700n },
      past: [],
      owed: [raised(700)],
    });
    const paid = owed('fulfilled');
    assert.deepEqual(revise(edited(), { ...raisedTo(400), owed: paid }, COUNTING).owed, [
      { ...flag(600), reason: 'corrected' },
    ]);
    assert.deepEqual(revise(edited(byAmount(200)), { ...raisedTo(400), owed: paid }, COUNTING).owed, [
      { ...flag(640), reason: 'partly-refunded' },
    ]);
    assert.deepEqual(revise(edited(), raisedTo(0), COUNTING), {
      conversion: { kind: 'rejected', amount: 1000n, by: 40, reason: 'corrected' },
      past: [],
      owed: [changed('rejected', 1000)],
    });
    const bigger = { ...raisedTo(1700), owed: owed('pending', { amount: 500 }) };
    assert.deepEqual(
      revise(
        {
          ...edited(everything(0)),
          refunds: [{ ...history(sale(0, [], [everything(0)])).refunds[0]!, eventId: 50 as EventId }],
        },
        bigger,
        COUNTING,
      ).owed,
      [changed('rejected', 500)],
      'an obligation that a late correction never raised keeps its amount',
    );
  });

  it('a conversion stays rejected if a partial refund is reversed and the full refund is not', () => {
    const still = history(sale(1000, [line(1, 1000)], [byAmount(300), everything(700)]), { 10: 25 });
    const rejected = { ...standing, amount: toMinor(700), rejectedBy: 20 as EventId, owed: owed('rejected') };
    assert.deepEqual(revise(still, rejected, COUNTING), { conversion: null, past: [], owed: [] });
  });

  it('a second full refund rejects a restored conversion and the obligation that the reversal added', () => {
    const again = history(sale(1000, [line(1, 1000)], [everything(1000), everything(1000)]), { 10: 15 });
    const restored = { ...standing, owed: and(owed('rejected'), 'pending', 1000) };
    assert.deepEqual(revise(again, restored, COUNTING), {
      conversion: { kind: 'rejected', amount: 1000n, by: 20, reason: 'refunded' },
      past: [{ by: 10, restoredBy: 15 }],
      owed: [changed('rejected', 1000, 2)],
    });
  });

  it('a past rejection stays recorded if a person rejects the conversion later, or if the conversion’s event is unknown', () => {
    const restored = history(sale(1000, [line(1, 1000)], [everything(1000)]), { 10: 15 });
    const past = [{ by: 10, restoredBy: 15 }];
    const rejected = {
      ...standing,
      rejectedBy: 30 as EventId,
      rejectedByPersonAt: 30 as EventId,
      owed: owed('rejected'),
    };
    assert.deepEqual(revise(restored, rejected, COUNTING).past, past);
    assert.deepEqual(revise(restored, { ...standing, eventId: null }, COUNTING).past, past);
  });

  it('a past rejection begins no earlier than the event of the conversion', () => {
    const refunds = [everything(1000), everything(1000)];
    const twice = history(sale(1000, [line(1, 1000)], refunds), { 10: 15, 20: 25 });
    const pastOf = (eventId: number) => revise(twice, { ...standing, eventId: eventId as EventId }, COUNTING).past;
    assert.deepEqual(pastOf(5), [
      { by: 10, restoredBy: 15 },
      { by: 20, restoredBy: 25 },
    ]);
    assert.deepEqual(pastOf(12), [
      { by: 12, restoredBy: 15 },
      { by: 20, restoredBy: 25 },
    ]);
    assert.deepEqual(pastOf(22), [{ by: 22, restoredBy: 25 }]);
  });

  it('applying the same refunds again changes nothing', () => {
    fc.assert(
      fc.property(histories, shares, (steps, of) => {
        const end = history(steps.at(-1) as RefundableSale);
        const fresh = { ...standing, ...of, amount: of.awarded, owed: owed('pending', { amount: Number(of.awarded) }) };
        const before = revise(end, fresh, COUNTING);
        const { conversion } = before;
        if (conversion?.kind === 'rejected') return;
        const amount = conversion !== null && 'amount' in conversion ? conversion.amount : of.awarded;
        const again = revise(end, { ...fresh, amount, owed: owed('pending', { amount: Number(amount) }) }, COUNTING);
        assert.deepEqual(again, { conversion: null, past: [], owed: [] });
      }),
    );
  });
});
