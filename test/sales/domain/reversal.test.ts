import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { type RefundedSale, withoutReversed } from '#sales/domain/refund.ts';
import { periodsOf, rejectionsOf, worthNow, worthOf } from '#sales/domain/worth.ts';
import { judgeRefund, judgeReversal, type RefundableSale, refundedAmountOf } from '#sales/domain/refund-report.ts';
import {
  byAmount,
  byPieces,
  COUNTING,
  everything,
  histories,
  history,
  line,
  sale,
  share,
  shares,
} from '#test/support/refunded-sales.ts';

describe('the reversal of a refund', () => {
  const reversible = (sold: RefundedSale): RefundableSale => {
    const refunds = history(sold).refunds.map((refund, n) => ({ ...refund, refundId: `r${n + 1}`, contentHash: 'x' }));
    return { ...sold, currency: 'USD', countings: [], corrections: [], refunds };
  };

  it('of a full refund restores the amount that the other refunds leave, and the sale is no longer fully refunded', () => {
    const twice = reversible(sale(1000, [line(1, 1000)], [byAmount(300), everything(700)]));
    const judged = judgeReversal(twice, 'r2');
    assert.ok(judged.kind === 'recorded');
    assert.deepEqual([judged.refunded, judged.endsFullRefund, refundedAmountOf(judged.sale)], [-700n, true, 300n]);
  });

  it('leaves a sale refunded while a full refund remains', () => {
    const twice = reversible(sale(1000, [line(1, 1000)], [byAmount(300), everything(700)]));
    const judged = judgeReversal(twice, 'r1');
    assert.ok(judged.kind === 'recorded');
    assert.deepEqual([judged.refunded, judged.endsFullRefund], [0n, false]);
  });

  it('changes nothing if the reversal or the reversed refund is reported again', () => {
    const judged = judgeReversal(reversible(sale(1000, [line(1, 1000)], [everything(1000)])), 'r1');
    assert.ok(judged.kind === 'recorded');
    assert.deepEqual(judgeReversal(judged.sale, 'r1'), { kind: 'repeated' });
    assert.deepEqual(judgeRefund(judged.sale, { kind: 'full' }, { refundId: 'r1', contentHash: 'x' }), {
      kind: 'repeated',
    });
    assert.deepEqual(judgeReversal(judged.sale, 'r2'), { kind: 'unknown-refund' });
  });

  it('leaves a share rejected for as long as the remaining refunds reduce it to 0', () => {
    const fates = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 8, maxLength: 8 });
    let rejected = 0;
    fc.assert(
      fc.property(histories, shares, fates, (steps, of, delays) => {
        const placed = history(steps.at(-1) as RefundableSale);
        const events = placed.refunds.flatMap(({ eventId }, n) => {
          const delay = delays[n] ?? 60;
          return delay > 40 ? [] : [[eventId, eventId + delay] as const];
        });
        const end = history(placed, Object.fromEntries(events));
        const periods = periodsOf(end, COUNTING, of.byQuantity);
        const found = rejectionsOf(periods, of);
        rejected += found.length;
        for (let at = 5; at < 150; at += 1) {
          const standing = end.refunds.filter(
            ({ eventId, reversedBy }) => eventId <= at && (reversedBy === null || reversedBy > at),
          );
          const isNothing = worthOf({ ...end, refunds: standing }, of, COUNTING) === 0n;
          const isRejected = found.some(({ by, restoredBy }) => by <= at && (restoredBy === null || restoredBy > at));
          assert.equal(isRejected, isNothing, `at ${at}`);
        }
        const now = worthOf(withoutReversed(end), of, COUNTING);
        assert.equal(worthNow(periods, of), now);
        assert.equal(found.at(-1)?.restoredBy === null, now === 0n);
      }),
      { numRuns: 500 },
    );
    assert.ok(rejected > 50, `only ${rejected} shares were rejected`);
  });

  it('compares each line with a program’s filter once, regardless of the number of reversed refunds', () => {
    let compared = 0;
    const lines = Array.from({ length: 100 }, (_, n) =>
      Object.defineProperty(line(1, 100, `line-${n}`), 'name', { get: () => `Mug ${(compared += 1)}` }),
    );
    const refunds = Array.from({ length: 80 }, (_, n) => byPieces([n + 1, 1]));
    const placed = history(sale(10_000, lines, refunds));
    const last = placed.refunds.at(-1)?.eventId ?? 0;
    const end = history(
      placed,
      Object.fromEntries(placed.refunds.slice(0, 40).map(({ eventId }) => [eventId, last + eventId])),
    );
    const lineFilter = { include: [], exclude: [{ by: 'name', pattern: 'poster*' }] } as const;
    const periods = periodsOf(end, { ...COUNTING, lineFilter }, false);
    assert.deepEqual([periods.length, compared, worthNow(periods, share(1000))], [41, 100, 600n]);
  });
});
