import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { EventId } from '#core/ids.ts';
import { type Correction, judgeCorrection, MAX_CORRECTIONS, MAX_REPLACED_LINES } from '#sales/domain/correction.ts';
import { type RefundedSale, type RefundHistory, withoutReversed } from '#sales/domain/refund.ts';
import { periodsOf, rejectionsOf, worthNow, worthOf } from '#sales/domain/worth.ts';
import { type RefundableSale, refundedAmountOf } from '#sales/domain/refund-report.ts';
import type { Line } from '#programs/domain/line.ts';
import {
  byAmount,
  byPieces,
  COUNTING,
  everything,
  histories,
  history,
  line,
  lines,
  sale,
  share,
  toMinor,
} from '#test/support/refunded-sales.ts';

const correctable = (sold: RefundedSale, reversals: Readonly<Record<number, number>> = {}): RefundableSale => ({
  ...history(sold, reversals),
  currency: 'USD',
  countings: [],
  corrections: [],
  refunds: history(sold, reversals).refunds.map((refund, n) => ({
    ...refund,
    refundId: `r${n + 1}`,
    contentHash: 'x',
  })),
});

function correction(total: number, of: readonly Line[], correctionId = 'edit'): Correction {
  return { correctionId, contentHash: `${total}`, total: toMinor(total), lines: of };
}

describe('judgeCorrection: a reported correction of a sale', () => {
  it('replaces the total and the lines of the sale, and returns the replaced content', () => {
    const before = correctable(sale(1000, [line(1, 1000)], [byAmount(300)]));
    const judged = judgeCorrection(before, correction(1500, [line(3, 500)]));
    assert.ok(judged.kind === 'recorded');
    assert.deepEqual([judged.sale.total, judged.sale.lines], [1500n, [line(3, 500)]]);
    assert.deepEqual([judged.replaced.total, judged.replaced.lines], [1000n, [line(1, 1000)]]);
    assert.deepEqual([judged.refunded, judged.endsFullRefund, refundedAmountOf(judged.sale)], [0n, false, 300n]);
  });

  it('recognizes a repeated correction, and refuses other content with the same id', () => {
    const judged = judgeCorrection(correctable(sale(1000, [line(1, 1000)])), correction(1500, [line(3, 500)]));
    assert.ok(judged.kind === 'recorded');
    assert.deepEqual(judgeCorrection(judged.sale, correction(1500, [line(3, 500)])), { kind: 'repeated' });
    assert.deepEqual(judgeCorrection(judged.sale, correction(1400, [line(3, 500)])), { kind: 'conflict' });
  });

  it('refuses a correction beyond the maximum number of corrections', () => {
    let sold = correctable(sale(1000, [line(1, 1000)]));
    for (let n = 0; n < MAX_CORRECTIONS; n += 1) {
      const judged = judgeCorrection(sold, correction(1000 + n, [line(1, 1000)], `${n}`));
      assert.ok(judged.kind === 'recorded');
      sold = judged.sale;
    }
    assert.deepEqual(judgeCorrection(sold, correction(1, [line(1, 1)])), { kind: 'too-many-corrections' });
  });

  it('refuses a correction if the sale would have too many replaced lines and pieces', () => {
    const many = Array.from({ length: 1_000 }, () => line(1, 1, 'a'));
    let sold = correctable(sale(1000, many, [byPieces([1, 1])]));
    for (let n = 0; n < 9; n += 1) {
      const judged = judgeCorrection(sold, correction(1000, many, `${n}`));
      assert.ok(judged.kind === 'recorded', `${n}`);
      sold = judged.sale;
    }
    // Nine corrections replaced 1,001 lines and pieces each, and the tenth would exceed the limit.
    assert.ok(10 * 1_001 > MAX_REPLACED_LINES);
    assert.deepEqual(judgeCorrection(sold, correction(1, [line(1, 1, 'a')])), { kind: 'too-many-corrections' });
  });

  it('assigns returned pieces to the new lines with the same id, except pieces of a reversed refund', () => {
    const of = sale(1000, [line(2, 300, 'mug'), line(1, 400)], [byPieces([1, 1]), byPieces([1, 1])]);
    const before = correctable(of, { 20: 25 });
    const moved = judgeCorrection(before, correction(900, [line(1, 300, 'hat'), line(2, 300, 'mug')]));
    assert.ok(moved.kind === 'recorded');
    assert.deepEqual(
      moved.sale.refunds.map(({ pieces }) => pieces),
      [[{ position: 2, quantity: 1 }], []],
    );
    const without = correction(900, [line(3, 300, 'hat')]);
    assert.deepEqual(judgeCorrection(before, without), { kind: 'refunds-exceed' });
    const unnamed = correctable(sale(1000, [line(2, 500)], [byPieces([1, 1])]));
    assert.deepEqual(judgeCorrection(unnamed, correction(900, [line(2, 450)])), { kind: 'refunds-exceed' });
  });

  it('refuses a correction whose total would not exceed the amount of partial refunds', () => {
    const before = correctable(sale(1000, [line(1, 1000)], [byAmount(300)]));
    for (const total of [0, 299, 300]) {
      assert.deepEqual(judgeCorrection(before, correction(total, [line(1, total)])), { kind: 'refunds-exceed' });
    }
    assert.equal(judgeCorrection(before, correction(301, [line(1, 301)])).kind, 'recorded');
  });

  it('ends a full refund in parts if the new total exceeds the parts, but not a refund of the whole sale', () => {
    const full = correctable(sale(1000, [line(1, 1000)], [everything(1000)]));
    const still = judgeCorrection(full, correction(700, [line(1, 700)]));
    assert.ok(still.kind === 'recorded');
    assert.deepEqual([still.refunded, still.endsFullRefund], [-300n, false]);
    const byParts = correctable(sale(1000, [line(1, 1000)], [byAmount(400), byAmount(600)]));
    const ends = judgeCorrection(byParts, correction(1500, [line(1, 1500)]));
    assert.ok(ends.kind === 'recorded');
    assert.deepEqual([ends.refunded, ends.endsFullRefund], [0n, true]);
  });

  it('keeps a fully refunded sale refunded if the new total is 0, and its shares are then worth 0', () => {
    const full = correctable(sale(1000, [line(1, 1000)], [byAmount(400), byAmount(600)]));
    const lines = [line(1, 600), line(1, -600)];
    const judged = judgeCorrection(full, correction(0, lines));
    assert.ok(judged.kind === 'recorded');
    assert.deepEqual([judged.refunded, judged.endsFullRefund], [-1000n, false]);
    const share = { awarded: toMinor(100), byQuantity: true, unit: 1n, corrected: [] };
    const counting = { countedLines: ['product'], lineFilter: null } as const;
    assert.equal(worthOf(judged.sale, share, counting), 0n);
    const again = judgeCorrection(judged.sale, correction(1500, [line(1, 1500)], 'raised'));
    assert.ok(again.kind === 'recorded');
    assert.deepEqual([again.refunded, again.endsFullRefund], [1000n, true]);
  });
});

describe('a correction of a sale with many returned items', () => {
  it('reads each new line a few times at most, regardless of the number of refunds', () => {
    const ids = Array.from({ length: 100 }, (_, n) => `line-${n}`);
    const old = ids.map((id) => line(1, 100, id));
    const refunds = Array.from({ length: 50 }, (_, n) => byPieces([n + 1, 1]));
    let read = 0;
    const lines = ids.map((id) =>
      Object.defineProperty(line(1, 90, id), 'externalId', {
        get: () => {
          read += 1;
          return id;
        },
      }),
    );
    const judged = judgeCorrection(correctable(sale(10_000, old, refunds)), {
      correctionId: 'c',
      contentHash: 'h',
      total: toMinor(9_000),
      lines,
    });
    assert.ok(judged.kind === 'recorded');
    assert.equal(judged.sale.refunds[49]?.pieces[0]?.position, 50);
    assert.ok(read < 1_000, `${read} reads`);
  });
});

describe('a share of a corrected sale', () => {
  it('is rejected exactly while corrections and refunds reduce it to 0', () => {
    const edits = fc.array(fc.record({ of: lines, total: fc.integer({ min: 0, max: 30_000 }), after: fc.nat(8) }), {
      minLength: 1,
      maxLength: 3,
    });
    const fates = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 8, maxLength: 8 });
    let [recorded, rejected] = [0, 0];
    fc.assert(
      fc.property(histories, edits, fates, fc.boolean(), (steps, corrections, delays, byQuantity) => {
        const { end, states } = statesAfter(steps.at(-1) as RefundableSale, corrections, delays);
        recorded += end.corrections.length;
        // The award after the second correction is 0.
        const shares = {
          ...share(1000, byQuantity),
          corrected: end.corrections.map((_, n) => toMinor(n === 1 ? 0 : 700)),
        };
        const periods = periodsOf(end, COUNTING, byQuantity);
        const found = rejectionsOf(periods, shares);
        rejected += found.length;
        for (const { at, state } of states) {
          const awarded = shares.corrected[state.corrections.length - 1] ?? shares.awarded;
          const isNothing = worthOf(withoutReversed(state), { ...shares, awarded }, COUNTING) === 0n;
          const isRejected = found.some(({ by, restoredBy }) => by <= at && (restoredBy === null || restoredBy > at));
          assert.equal(isRejected, isNothing, `at ${at}`);
        }
        assert.equal(found.at(-1)?.restoredBy === null, worthNow(periods, shares) === 0n);
      }),
      { numRuns: 1_000 },
    );
    assert.ok(recorded > 300 && rejected > 300, `${recorded} corrections, ${rejected} rejections`);
  });
});

/**
 * Applies refunds to a sale until a correction is recorded, then reverses some refunds, and then corrects the sale to
 * each total. Returns the last state, and all states with their event ids.
 */
function statesAfter(
  { refunds, ...sold }: RefundableSale,
  edits: readonly {
    of: readonly { type: string; quantity: number; amount: number; externalId: string | null }[];
    total: number;
    after: number;
  }[],
  delays: readonly number[],
): { readonly end: RefundHistory; readonly states: readonly { readonly at: number; readonly state: RefundHistory }[] } {
  let state: RefundableSale = { ...sold, refunds: [] };
  const states: { at: number; state: RefundHistory }[] = [];
  const advance = (at: number, next: RefundableSale) => {
    state = next;
    states.push({ at, state });
  };
  for (let n = 0; n <= refunds.length; n += 1) {
    const edit = edits.find(({ after }) => after === n);
    if (edit !== undefined) {
      const of = edit.of.map(({ type, quantity, amount, externalId }) =>
        line(quantity, type === 'discount' ? -amount : amount, externalId, type as 'product'),
      );
      const judged = judgeCorrection(state, correction(edit.total, of, `${n}`));
      if (judged.kind === 'recorded') {
        const at = n * 10 + 5;
        const corrections = judged.sale.corrections.map((each, index, all) =>
          index === all.length - 1 ? { ...each, correctedBy: at as EventId } : each,
        );
        advance(at, { ...judged.sale, corrections });
        // The remaining refunds don't apply, because they were checked against the original content of the sale.
        break;
      }
    }
    const refund = refunds[n];
    if (refund !== undefined)
      advance((n + 1) * 10, {
        ...state,
        refunds: [...state.refunds, { ...refund, eventId: ((n + 1) * 10) as EventId }],
      });
  }
  let at = 200;
  for (const [n, { reversedBy }] of state.refunds.entries()) {
    if (reversedBy !== null || (delays[n] ?? 60) > 40) continue;
    at += 10;
    const reversedAt = at as EventId;
    advance(at, {
      ...state,
      refunds: state.refunds.map((each, index) => (index === n ? { ...each, reversedBy: reversedAt } : each)),
    });
  }
  for (const [n, edit] of edits.entries()) {
    const judged = judgeCorrection(state, correction(edit.total, [line(1, edit.total, 'a')], `later ${n}`));
    if (judged.kind !== 'recorded') continue;
    at += 10;
    const correctedAt = at as EventId;
    const corrections = judged.sale.corrections.map((each, index, all) =>
      index === all.length - 1 ? { ...each, correctedBy: correctedAt } : each,
    );
    advance(at, { ...judged.sale, corrections });
  }
  return { end: state, states };
}
