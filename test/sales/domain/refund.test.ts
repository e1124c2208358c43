import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { Minor } from '#core/money.ts';
import type { Line } from '#programs/domain/line.ts';
import { isAllGone, piecesLeft, type RefundedSale } from '#sales/domain/refund.ts';
import { type Share, worthOf } from '#sales/domain/worth.ts';
import {
  contentOf,
  judgeRefund,
  type RefundJudgment,
  type RefundableSale,
  type RefundRequest,
  refundRequest,
  refundedAmountOf,
} from '#sales/domain/refund-report.ts';
import {
  byAmount,
  byPieces,
  COUNTING,
  COUNTINGS,
  everything,
  histories,
  history,
  line,
  sale,
  share,
  shares,
  toMinor,
} from '#test/support/refunded-sales.ts';

describe('the worth of a share after refunds', () => {
  it('is rounded half up to the currency’s payable unit', () => {
    const yen = (refunded: number) =>
      worthOf(sale(11_000, [line(1, 10_000)], [byAmount(refunded)]), { ...share(1000), unit: 100n }, COUNTING);
    assert.deepEqual([550, 1650, 1651, 10_340, 10_500].map(yen), [1000n, 900n, 800n, 100n, 0n]);
  });

  const mugs = [line(2, 3000), line(1, 4000), line(1, 1000, null, 'shipping')];
  const cases: readonly [promise: string, share: Share, sale: RefundedSale, worth: number][] = [
    ['is the whole share without a refund', share(1000), sale(11_000, mugs), 1000],
    ['is reduced by the price of refunded pieces', share(1000), sale(11_000, mugs, [byPieces([1, 1])]), 700],
    [
      'is not reduced by pieces that the program does not count',
      share(1000),
      sale(11_000, mugs, [byPieces([3, 1])]),
      1000,
    ],
    ['is reduced in proportion to a refunded amount', share(1000), sale(11_000, mugs, [byAmount(5500)]), 500],
    [
      'is reduced by refunded pieces and amounts together',
      share(1000),
      sale(11_000, mugs, [byAmount(5500), byPieces([1, 1])]),
      200,
    ],
    ['is never below zero', share(1000), sale(11_000, mugs, [byAmount(5500), byPieces([1, 1], [2, 1])]), 0],
    ['is rounded up if its fraction is half a cent', share(1), sale(200, [line(1, 200)], [byAmount(100)]), 1],
    [
      'is rounded down if its fraction is less than half a cent',
      share(1),
      sale(200, [line(1, 200)], [byAmount(101)]),
      0,
    ],
    [
      'is rounded only once, even if a third of the sale is refunded',
      share(1000),
      sale(300, [line(3, 100)], [byAmount(100)]),
      667,
    ],
    [
      'is reduced by the number of refunded pieces if the reward is per piece',
      share(300, true),
      sale(11_000, mugs, [byPieces([1, 1])]),
      200,
    ],
    [
      'is reduced in proportion to a refunded amount if the reward is per piece',
      share(300, true),
      sale(11_000, mugs, [byAmount(5500)]),
      150,
    ],
    ['is the whole share of a lead, which has no base', share(2500), sale(0, []), 2500],
    [
      'is reduced by the refunded lines of a sale with a total of zero',
      share(50),
      sale(0, [line(2, 500)], [byPieces([1, 1])]),
      25,
    ],
    [
      'is not increased by a discount that is refunded alone',
      share(900),
      sale(9000, [line(2, 5000), line(1, -1000, null, 'discount')], [byPieces([2, 1])]),
      900,
    ],
    [
      'is reduced by the price less the discount if a product and its discount are refunded together',
      share(900),
      sale(9000, [line(2, 5000), line(1, -1000, null, 'discount')], [byPieces([1, 1], [2, 1])]),
      500,
    ],
  ];
  for (const [promise, of, from, worth] of cases) {
    it(promise, () => assert.equal(worthOf(from, of, COUNTING), toMinor(worth)));
  }

  it('can’t be computed for a refund of a line that the sale does not have: worthOf throws', () => {
    const refunded = sale(11_000, mugs, [byPieces([1, 1], [4, 1])]);
    assert.throws(() => worthOf(refunded, share(1000), COUNTING), {
      message: 'A refund names line 4, but the sale has only 3 lines.',
    });
  });

  it('is zero after a full refund of a sale or a lead', () => {
    assert.equal(worthOf(sale(11_000, mugs, [everything(11_000)]), share(1000), COUNTING), 0n);
    assert.equal(worthOf(sale(0, [], [everything(0)]), share(1000), COUNTING), 0n);
  });
});

/**
 * Returns requests that refund the same pieces and amounts as the sale’s refunds, but split differently. The pieces and
 * amounts are distributed over five groups. Each group has one request for all its pieces, and one request for each of
 * its amounts.
 */
function split({ refunds, lines: sold }: RefundableSale, buckets: readonly number[]): RefundRequest[] {
  let next = 0;
  const bucket = () => buckets[(next += 1) % buckets.length] as number;
  const calls = Array.from({ length: 5 }, () => ({
    items: [] as { externalId: string; quantity: number }[],
    amounts: [] as Minor[],
  }));
  for (const { kind, amount, pieces } of refunds) {
    if (kind === 'amount') calls[bucket()]?.amounts.push(amount);
    for (const { position, quantity } of pieces) {
      const externalId = sold[position - 1]?.externalId ?? '';
      for (let left = quantity; left > 0; left -= 1) calls[bucket()]?.items.push({ externalId, quantity: 1 });
    }
  }
  return calls.flatMap(({ items, amounts }): RefundRequest[] => [
    ...(items.length > 0 ? [{ kind: 'items', items } as const] : []),
    ...amounts.map((amount) => ({ kind: 'amount', amount, isUpTo: false }) as const),
  ]);
}

/** Returns the sale after all refund requests, or undefined if one of them is not recorded. */
function replayed(start: RefundableSale, calls: readonly RefundRequest[]): RefundableSale | undefined {
  let sale: RefundableSale | undefined = start;
  for (const [n, request] of calls.entries()) {
    const judged: RefundJudgment | undefined =
      sale && judgeRefund(sale, request, { refundId: `${n}`, contentHash: contentOf(request) });
    sale = judged?.kind === 'recorded' ? judged.sale : undefined;
  }
  return sale;
}

/** Returns the worth of a share by the refund rule, computed independently of the code with unreduced fractions. */
function expectedWorth(sale: RefundedSale, { awarded, byQuantity }: Share): bigint {
  if (isAllGone(sale)) return 0n;
  const { total, lines: sold, refunds } = sale;
  const counted = (position: number, pieces: number) => {
    const { type, quantity, total: all } = sold[position - 1] as Line;
    if (type === 'shipping') return 0n;
    if (byQuantity) return BigInt(type === 'discount' ? 0 : pieces);
    const size = all < 0n ? -all : all;
    const rounded = (2n * size * BigInt(pieces) + BigInt(quantity)) / (2n * BigInt(quantity));
    return all < 0n ? -rounded : rounded;
  };
  const returned = new Map<number, number>();
  const base = sold.reduce((sum, { quantity }, index) => sum + counted(index + 1, quantity), 0n);
  if (base <= 0n) return awarded;
  let [above, below] = [base, 1n];
  for (const { kind, amount, pieces } of refunds) {
    for (const { position, quantity } of pieces) returned.set(position, (returned.get(position) ?? 0) + quantity);
    if (kind === 'amount') [above, below] = [above * total - base * amount * below, below * total];
  }
  const gone = [...returned].reduce((sum, [position, quantity]) => sum + counted(position, quantity), 0n);
  if (gone > 0n) above -= gone * below;
  if (above <= 0n) return 0n;
  // Rounds half up: adds a half and truncates.
  return (2n * awarded * above + base * below) / (2n * base * below);
}

describe('any sequence of refunds', () => {
  it('leaves a share with the worth that an independent computation gives, to the cent', () => {
    fc.assert(
      fc.property(histories, shares, (steps, of) => {
        for (const step of steps) assert.equal(worthOf(step, of, COUNTING), expectedWorth(step, of));
      }),
      { numRuns: 2_000 },
    );
  });

  it('never raises a share', () => {
    fc.assert(
      fc.property(histories, shares, fc.constantFrom(...COUNTINGS), (steps, of, counting) => {
        const worths = steps.map((step) => worthOf(step, of, counting));
        assert.deepEqual(
          worths,
          [...worths].sort((a, b) => Number(b - a)),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives the same worth and remaining pieces for any split and order of refunds', () => {
    let accepted = 0;
    const splits = fc.record({ steps: histories, buckets: fc.array(fc.nat(4), { minLength: 40, maxLength: 40 }) });
    fc.assert(
      fc.property(splits, shares, ({ steps, buckets }, of) => {
        const [start, end] = [steps[0] as RefundableSale, steps.at(-1) as RefundableSale];
        const other = replayed(start, split(end, buckets));
        if (other === undefined || end.refunds.length === 0) return;
        accepted += 1;
        const ofBoth = [end, other].map((sale) => [
          COUNTINGS.map((counting) => worthOf(sale, of, counting)),
          refundedAmountOf(sale),
          isAllGone(sale),
          piecesLeft(sale.lines, sale.refunds),
        ]);
        assert.deepEqual(ofBoth[0], ofBoth[1]);
      }),
      { numRuns: 4_000 },
    );
    assert.ok(accepted > 400, `only ${accepted} splits were accepted`);
  });

  it('never refunds more than the total, and a fully refunded sale pays nothing', () => {
    fc.assert(
      fc.property(histories, shares, (steps, of) => {
        const end = steps.at(-1) as RefundableSale;
        for (const step of steps) assert.ok(refundedAmountOf(step) <= step.total);
        if (isAllGone(end)) assert.equal(worthOf(end, of, COUNTING), 0n);
        const gone = steps.findIndex(isAllGone);
        for (const step of gone < 0 ? [] : steps.slice(gone)) assert.equal(isAllGone(step), true);
      }),
    );
  });
});

describe('judgeRefund: a reported refund', () => {
  const start: RefundableSale = {
    ...sale(10_000, []),
    currency: 'USD',
    lines: [line(2, 3000, 'mug'), line(1, 3000, 'mug'), line(1, 1000, 'hat')],
    refunds: [],
    corrections: [],
    countings: [],
  };
  const judge = (from: RefundableSale, request: RefundRequest, refundId = 'r') =>
    judgeRefund(from, request, { refundId, contentHash: contentOf(request) });
  const after = (from: RefundableSale, request: RefundRequest, refundId: string): RefundableSale => {
    const judged = judge(from, request, refundId);
    assert.ok(judged.kind === 'recorded');
    return judged.sale;
  };
  const items = (...named: [string, number][]): RefundRequest => ({
    kind: 'items',
    items: named.map(([externalId, quantity]) => ({ externalId, quantity })),
  });
  const amount = (cents: number): RefundRequest => ({ kind: 'amount', amount: toMinor(cents), isUpTo: false });

  it('takes refunded pieces from the first line that has the item’s id and pieces left', () => {
    const first = after(start, items(['mug', 1], ['hat', 1], ['mug', 1]), 'a');
    assert.deepEqual(first.refunds[0]?.pieces, [
      { position: 1, quantity: 2 },
      { position: 3, quantity: 1 },
    ]);
    assert.equal(first.refunds[0]?.amount, 7000n);
    const second = judge(first, items(['mug', 2]), 'b');
    assert.deepEqual(second, { kind: 'items-exceed', items: [{ item: 0, left: 1 }] });
    assert.equal(isAllGone(after(first, items(['mug', 1]), 'b')), true);
  });

  it('recognizes a repeated refund by its id and content, in any form and after later refunds', () => {
    const first = after(start, items(['mug', 2], ['hat', 1]), 'a');
    assert.deepEqual(judge(first, items(['hat', 1], ['mug', 1], ['mug', 1]), 'a'), { kind: 'repeated' });
    assert.deepEqual(judge(first, items(['hat', 1]), 'a'), { kind: 'conflict' });
    assert.deepEqual(judge(first, { kind: 'full' }, 'a'), { kind: 'conflict' });
    const gone = after(first, { kind: 'full' }, 'b');
    assert.deepEqual(judge(gone, items(['mug', 2], ['hat', 1]), 'a'), { kind: 'repeated' });
    const again = judge(gone, { kind: 'full' }, 'c');
    assert.ok(again.kind === 'recorded');
    assert.deepEqual([again.refund.refunded, again.refund.foundNothing], [0n, true]);
    assert.deepEqual(judge(gone, amount(1), 'c'), { kind: 'exceeds', left: 0n });
    assert.deepEqual(judge(gone, items(['hat', 1]), 'c'), { kind: 'exceeds', left: 0n });
  });

  it('lists all unknown items, and checks the quantities only if there are none', () => {
    assert.deepEqual(judge(start, items(['mug', 9], ['cap', 1], ['Mug', 1])), { kind: 'unknown-items', items: [1, 2] });
    assert.deepEqual(judge(start, items(['mug', 3], ['hat', 2], ['mug', 1])), {
      kind: 'items-exceed',
      items: [
        { item: 1, left: 1 },
        { item: 2, left: 0 },
      ],
    });
  });

  it('marks the sale as refunded once its total or all lines are refunded', () => {
    assert.equal(isAllGone(after(start, amount(9999), 'a')), false);
    assert.equal(isAllGone(after(start, amount(10_000), 'a')), true);
    assert.deepEqual(judge(after(start, amount(9999), 'a'), amount(2), 'b'), { kind: 'exceeds', left: 1n });
    const dear = { ...start, total: toMinor(50_000) };
    assert.equal(isAllGone(after(dear, items(['mug', 3], ['hat', 1]), 'a')), true);
    // The returned mugs are worth the sale’s total, so the other items don’t have to be returned.
    const cheap = { ...start, total: toMinor(6000) };
    assert.equal(isAllGone(after(cheap, items(['mug', 2]), 'a')), true);
  });

  it('refuses a partial refund with a new refundId if the sale has 250 refunds', () => {
    const { refunds } = history(
      sale(
        10_000,
        [],
        Array.from({ length: 250 }, () => byAmount(1)),
      ),
    );
    const named = { ...start, refunds: refunds.map((each, n) => ({ ...each, refundId: `r-${n}`, contentHash: null })) };
    assert.deepEqual(judge(named, amount(1)), { kind: 'too-many-refunds' });
    assert.deepEqual(judge({ ...named, refunds: named.refunds.slice(1) }, amount(1)).kind, 'recorded');
    assert.equal(judge(named, amount(1), 'r-7').kind, 'conflict');
  });

  it('refuses items if the refunds of the sale would name too many lines', () => {
    const lines = Array.from({ length: 1_000 }, (_, n) => line(3, 1, `line-${n}`));
    const every = items(...lines.map(({ externalId }): [string, number] => [externalId ?? '', 1]));
    const long: RefundableSale = { ...start, lines };
    const twice = after(after(long, every, 'a'), every, 'b');
    assert.deepEqual(judge(twice, items(['line-7', 1]), 'c'), { kind: 'too-many-refunds' });
    assert.equal(judge(twice, amount(1), 'c').kind, 'recorded');
  });

  it('rejects items whose lines add up to less than 0, overall or within a program', () => {
    const lines = [line(1, 10_000, 'a'), line(1, 10_000, 'b'), line(1, -5000, 'd', 'discount')];
    const off: RefundableSale = { ...start, total: toMinor(15_000), lines };
    assert.deepEqual(judge(off, items(['d', 1])), { kind: 'below-zero' });
    assert.deepEqual(judge(after(off, items(['a', 1]), 'a'), items(['d', 1]), 'b'), { kind: 'below-zero' });
    const both = after(off, items(['a', 1], ['d', 1]), 'a');
    assert.deepEqual([both.refunds[0]?.amount, worthOf(both, share(1500), COUNTING)], [5000n, 1000n]);
    assert.equal(isAllGone(after(both, items(['b', 1]), 'b')), true);
    // One of the programs doesn’t count product `a`. In this program, the refunded items add up to less than 0.
    assert.deepEqual(judge({ ...off, countings: COUNTINGS }, items(['a', 1], ['d', 1])), { kind: 'below-zero' });
    assert.equal(judge({ ...off, countings: COUNTINGS }, items(['b', 1], ['d', 1])).kind, 'recorded');
  });

  it('refunds at most the remaining amount if `isUpTo` is set, and records the refund even if earlier refunds left nothing', () => {
    const upTo = (cents: number): RefundRequest => ({ kind: 'amount', amount: toMinor(cents), isUpTo: true });
    assert.deepEqual(after(start, upTo(4000), 'a').refunds[0]?.amount, 4000n);
    const disputed = after(after(start, amount(2500), 'a'), upTo(10_000), 'b');
    assert.deepEqual([disputed.refunds[1]?.amount, isAllGone(disputed)], [10_000n, true]);
    assert.equal(refundedAmountOf(disputed), 10_000n);
    assert.deepEqual(judge(disputed, upTo(10_000), 'b'), { kind: 'repeated' });
    // A repeat is recognized by the requested amount, not by the refunded amount.
    for (const other of [upTo(7500), amount(10_000), amount(7500)]) {
      assert.deepEqual(judge(disputed, other, 'b'), { kind: 'conflict' });
    }
    const none = judge(disputed, upTo(1), 'c');
    assert.ok(none.kind === 'recorded');
    assert.deepEqual([none.refund.refunded, none.refund.foundNothing], [0n, true]);
    assert.deepEqual(judge(none.sale, upTo(1), 'c'), { kind: 'repeated' });
    assert.deepEqual(judge({ ...start, total: toMinor(0) }, upTo(1), 'c'), { kind: 'repeated' });
    assert.deepEqual(judge(start, upTo(0), 'c'), { kind: 'rounds-to-zero' });
  });

  it('converts the smallest unit to hundredths, and rejects amounts that round to 0', () => {
    const dinars = { ...start, currency: 'KWD' };
    const asked = (units: bigint) =>
      refundRequest({ kind: 'amount', amount: { unit: 'smallest', amount: units }, isUpTo: false }, dinars);
    assert.deepEqual(asked(1235n), { kind: 'amount', amount: 124n, isUpTo: false });
    assert.deepEqual(judge(dinars, asked(4n)), { kind: 'rounds-to-zero' });
    assert.deepEqual(refundRequest({ kind: 'full' }, dinars), { kind: 'full' });
  });

  it('accepts only full refunds of a lead', () => {
    const lead: RefundableSale = { ...sale(0, []), currency: 'XXX', refunds: [], corrections: [], countings: [] };
    assert.deepEqual(judge(lead, amount(1)), { kind: 'exceeds', left: 0n });
    assert.deepEqual(judge(lead, items(['mug', 1])), { kind: 'unknown-items', items: [0] });
    assert.equal(isAllGone(after(lead, { kind: 'full' }, 'a')), true);
  });
});
