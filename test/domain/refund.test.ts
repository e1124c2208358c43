import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { type Owed, settle } from '#domain/conversion.ts';
import type { PayoutId } from '#domain/ids.ts';
import type { Minor } from '#domain/money.ts';
import type { LineType } from '#domain/program.ts';
import { type Counting, type Refund, type RefundedSale, revise, type Share, worthOf } from '#domain/refund.ts';
import { contentOf, judgeRefund, type RefundableSale, type RefundRequest } from '#domain/refund-report.ts';
import type { Line } from '#domain/reward.ts';

const minor = (amount: number | bigint) => BigInt(amount) as Minor;
const COUNTING: Counting = { countedLines: ['product', 'discount'], lineFilter: null };

function line(quantity: number, amount: number, externalId: string | null = null, type: LineType = 'product'): Line {
  return { externalId, name: 'Mug', type, quantity, amount: minor(amount) };
}
function sale(total: number, lines: readonly Line[], refunds: readonly Refund[] = []): RefundedSale {
  return { total: minor(total), isRefunded: false, lines, refunds };
}
function byAmount(amount: number): Refund {
  return { kind: 'amount', amount: minor(amount), pieces: [] };
}
function byPieces(...pieces: [position: number, quantity: number][]): Refund {
  return { kind: 'items', amount: minor(0), pieces: pieces.map(([position, quantity]) => ({ position, quantity })) };
}
function share(awarded: number, byQuantity = false): Share {
  return { awarded: minor(awarded), byQuantity };
}

describe('what a share is worth after refunds', () => {
  const mugs = [line(2, 3000), line(1, 4000), line(1, 1000, null, 'shipping')];
  const cases: readonly [promise: string, share: Share, sale: RefundedSale, worth: number][] = [
    ['nothing went back: all of it', share(1000), sale(11_000, mugs), 1000],
    ['pieces take their price', share(1000), sale(11_000, mugs, [byPieces([1, 1])]), 700],
    ['pieces that the program does not count take nothing', share(1000), sale(11_000, mugs, [byPieces([3, 1])]), 1000],
    ['an amount takes its part of the total', share(1000), sale(11_000, mugs, [byAmount(5500)]), 500],
    ['both add up', share(1000), sale(11_000, mugs, [byAmount(5500), byPieces([1, 1])]), 200],
    ['never below nothing', share(1000), sale(11_000, mugs, [byAmount(5500), byPieces([1, 1], [2, 1])]), 0],
    ['half a cent goes up', share(1), sale(200, [line(1, 200)], [byAmount(100)]), 1],
    ['less than half goes down', share(1), sale(200, [line(1, 200)], [byAmount(101)]), 0],
    ['a third is not cut before the end', share(1000), sale(300, [line(3, 100)], [byAmount(100)]), 667],
    ['a reward for pieces goes by pieces', share(300, true), sale(11_000, mugs, [byPieces([1, 1])]), 200],
    ['of an amount too', share(300, true), sale(11_000, mugs, [byAmount(5500)]), 150],
    ['a lead has no base: all of it', share(2500), sale(0, []), 2500],
    ['a sale for nothing goes by its lines', share(50), sale(0, [line(2, 500)], [byPieces([1, 1])]), 25],
    [
      'a discount that goes back by itself raises nothing',
      share(900),
      sale(9000, [line(2, 5000), line(1, -1000, null, 'discount')], [byPieces([2, 1])]),
      900,
    ],
    [
      'with its product it counts against it',
      share(900),
      sale(9000, [line(2, 5000), line(1, -1000, null, 'discount')], [byPieces([1, 1], [2, 1])]),
      500,
    ],
  ];
  for (const [promise, of, from, worth] of cases) {
    it(promise, () => assert.equal(worthOf(from, of, COUNTING), minor(worth)));
  }

  it('is not told by a refund of a line that the sale does not have', () => {
    const refunded = sale(11_000, mugs, [byPieces([1, 1], [4, 1])]);
    assert.throws(() => worthOf(refunded, share(1000), COUNTING), { message: 'a refund names line 4 of 3' });
  });

  it('a full refund leaves nothing, of a lead neither', () => {
    assert.equal(worthOf({ ...sale(11_000, mugs), isRefunded: true }, share(1000), COUNTING), 0n);
    assert.equal(worthOf({ ...sale(0, []), isRefunded: true }, share(1000), COUNTING), 0n);
  });
});

const lines = fc.array(
  fc.record({
    type: fc.constantFrom<LineType[]>('product', 'shipping', 'discount'),
    quantity: fc.integer({ min: 1, max: 5 }),
    amount: fc.integer({ min: 0, max: 10_000 }),
    externalId: fc.constantFrom('a', 'b', 'c', null),
  }),
  { minLength: 1, maxLength: 6 },
);
const requests = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('amount' as const), amount: fc.bigInt({ min: 1n, max: 20_000n }).map(minor) }),
    fc.record({
      kind: fc.constant('items' as const),
      items: fc.array(
        fc.record({ externalId: fc.constantFrom('a', 'b', 'c'), quantity: fc.integer({ min: 1, max: 3 }) }),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
    }),
  ),
  { maxLength: 8 },
);
/** A sale after those of the requests that it takes. */
const histories = fc.tuple(lines, requests, fc.integer({ min: 0, max: 30_000 })).map(([drawn, asked, total]) => {
  const start: RefundableSale = {
    total: minor(total),
    isRefunded: false,
    lines: drawn.map(({ amount, ...rest }) => ({
      ...rest,
      name: 'x',
      amount: minor(rest.type === 'discount' ? -amount : amount),
    })),
    refunds: [],
  };
  const steps = [start];
  for (const [n, request] of asked.entries()) {
    const judged = judgeRefund(steps.at(-1) ?? start, request, { refundId: `${n}`, contentHash: contentOf(request) });
    if (judged.kind === 'recorded') steps.push(judged.sale);
  }
  return steps;
});
const shares = fc.record({ awarded: fc.bigInt({ min: 1n, max: 5_000n }).map(minor), byQuantity: fc.boolean() });

/** The rule as it is said, in fractions that are not shortened: an independent reckoning. */
function expectedWorth(
  { total, isRefunded, lines: sold, refunds }: RefundedSale,
  { awarded, byQuantity }: Share,
): bigint {
  if (isRefunded) return 0n;
  const counted = (position: number, quantity: number) => {
    const { type, amount } = sold[position - 1] as Line;
    if (type === 'shipping') return 0n;
    return byQuantity ? BigInt(type === 'discount' ? 0 : quantity) : amount * BigInt(quantity);
  };
  const base = sold.reduce((sum, { quantity }, index) => sum + counted(index + 1, quantity), 0n);
  if (base <= 0n) return awarded;
  let [above, below] = [base, 1n];
  for (const { kind, amount, pieces } of refunds) {
    const gone = pieces.reduce((sum, { position, quantity }) => sum + counted(position, quantity), 0n);
    if (gone > 0n) above -= gone * below;
    if (kind === 'amount') [above, below] = [above * total - base * amount * below, below * total];
  }
  if (above <= 0n) return 0n;
  // Rounded half up: twice the fraction, and one more, cut and halved.
  return (2n * awarded * above + base * below) / (2n * base * below);
}

describe('any sequence of refunds', () => {
  it('leaves what the rule says, to the cent', () => {
    fc.assert(
      fc.property(histories, shares, (steps, of) => {
        for (const step of steps) assert.equal(worthOf(step, of, COUNTING), expectedWorth(step, of));
      }),
      { numRuns: 2_000 },
    );
  });

  it('never raises a share', () => {
    fc.assert(
      fc.property(histories, shares, (steps, of) => {
        const worths = steps.map((step) => worthOf(step, of, COUNTING));
        assert.deepEqual(
          worths,
          [...worths].sort((a, b) => Number(b - a)),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('leaves the same in any order', () => {
    const shuffled = histories.chain((steps) => {
      const end = steps.at(-1) as RefundableSale;
      const order = fc.shuffledSubarray([...end.refunds], { minLength: end.refunds.length });
      return order.map((refunds) => [end, { ...end, refunds }] as const);
    });
    fc.assert(
      fc.property(shuffled, shares, ([one, other], of) => {
        assert.equal(worthOf(one, of, COUNTING), worthOf(other, of, COUNTING));
      }),
    );
  });

  it('gives back no more than the total, and leaves nothing once it says that all is gone', () => {
    fc.assert(
      fc.property(histories, shares, (steps, of) => {
        const end = steps.at(-1) as RefundableSale;
        const given = end.refunds.filter(({ kind }) => kind === 'amount').reduce((sum, { amount }) => sum + amount, 0n);
        assert.ok(given <= end.total);
        if (end.isRefunded) assert.equal(worthOf(end, of, COUNTING), 0n);
        for (const { isRefunded } of steps.slice(0, -1)) assert.equal(isRefunded, false);
      }),
    );
  });
});

describe('a refund is judged', () => {
  const start: RefundableSale = {
    ...sale(10_000, []),
    lines: [line(2, 3000, 'mug'), line(1, 3000, 'mug'), line(1, 1000, 'hat')],
    refunds: [],
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
  const amount = (cents: number): RefundRequest => ({ kind: 'amount', amount: minor(cents) });

  it('by the lines that items name, the first line first', () => {
    const first = after(start, items(['mug', 1], ['hat', 1], ['mug', 1]), 'a');
    assert.deepEqual(first.refunds[0]?.pieces, [
      { position: 1, quantity: 2 },
      { position: 3, quantity: 1 },
    ]);
    assert.equal(first.refunds[0]?.amount, 7000n);
    const second = judge(first, items(['mug', 2]), 'b');
    assert.deepEqual(second, { kind: 'items-exceed', items: [{ item: 0, left: 1 }] });
    assert.equal(after(first, items(['mug', 1]), 'b').isRefunded, true);
  });

  it('as the same again by its content, whatever its form and whatever came since', () => {
    const first = after(start, items(['mug', 2], ['hat', 1]), 'a');
    assert.deepEqual(judge(first, items(['hat', 1], ['mug', 1], ['mug', 1]), 'a'), { kind: 'repeated' });
    assert.deepEqual(judge(first, items(['hat', 1]), 'a'), { kind: 'conflict' });
    assert.deepEqual(judge(first, { kind: 'full' }, 'a'), { kind: 'conflict' });
    const gone = after(first, { kind: 'full' }, 'b');
    assert.deepEqual(judge(gone, items(['mug', 2], ['hat', 1]), 'a'), { kind: 'repeated' });
    assert.deepEqual(judge(gone, { kind: 'full' }, 'c'), { kind: 'repeated' });
    assert.deepEqual(judge(gone, amount(1), 'c'), { kind: 'exceeds', left: 0n });
    assert.deepEqual(judge(gone, items(['hat', 1]), 'c'), { kind: 'exceeds', left: 0n });
  });

  it('as unknown by every item that no line has, before it is judged as too much', () => {
    assert.deepEqual(judge(start, items(['mug', 9], ['cap', 1], ['Mug', 1])), { kind: 'unknown-items', items: [1, 2] });
    assert.deepEqual(judge(start, items(['mug', 3], ['hat', 2], ['mug', 1])), {
      kind: 'items-exceed',
      items: [
        { item: 1, left: 1 },
        { item: 2, left: 0 },
      ],
    });
  });

  it('as full once the total or all lines are gone', () => {
    assert.equal(after(start, amount(9999), 'a').isRefunded, false);
    assert.equal(after(start, amount(10_000), 'a').isRefunded, true);
    assert.deepEqual(judge(after(start, amount(9999), 'a'), amount(2), 'b'), { kind: 'exceeds', left: 1n });
    const dear = { ...start, total: minor(50_000) };
    assert.equal(after(dear, items(['mug', 3], ['hat', 1]), 'a').isRefunded, true);
    // Items cost more than the total: it ends there.
    const cheap = { ...start, total: minor(6000) };
    assert.equal(after(cheap, items(['mug', 2]), 'a').isRefunded, true);
  });

  it('of a discount alone as giving nothing back', () => {
    const off: RefundableSale = { ...start, lines: [...start.lines, line(1, -500, 'off', 'discount')] };
    assert.equal(after(off, items(['off', 1]), 'a').refunds[0]?.amount, 0n);
    assert.equal(after(off, items(['hat', 1], ['off', 1]), 'a').refunds[0]?.amount, 500n);
  });

  it('a lead only in full', () => {
    const lead: RefundableSale = { ...sale(0, []), refunds: [] };
    assert.deepEqual(judge(lead, amount(1)), { kind: 'exceeds', left: 0n });
    assert.deepEqual(judge(lead, items(['mug', 1])), { kind: 'unknown-items', items: [0] });
    assert.equal(after(lead, { kind: 'full' }, 'a').isRefunded, true);
  });
});

describe('what is owed follows', () => {
  const owed = (
    status: Owed['status'],
    change: Partial<Record<'amount' | 'takenBack' | 'flagged', number>> = {},
  ): Owed => ({
    amount: minor(change.amount ?? 1000),
    status,
    payoutId: status === 'fulfilled' ? (7 as PayoutId) : null,
    takenBack: minor(change.takenBack ?? 0),
    flagged: minor(change.flagged ?? 0),
  });
  const flag = (amount: number) => ({ kind: 'flagged', payoutId: 7, amount: minor(amount), reason: 'refunded' });
  const cases: readonly [promise: string, owed: Owed, worth: number, change: object | null][] = [
    ['open money shrinks', owed('draft'), 700, { kind: 'reduced', amount: 700n }],
    ['and goes', owed('pending'), 0, { kind: 'rejected', amount: 1000n }],
    ['what is right stays', owed('pending'), 1000, null],
    ['what is rejected stays', owed('rejected'), 0, null],
    ['in a payout the difference is flagged', owed('fulfilled'), 700, flag(300)],
    ['once', owed('fulfilled', { flagged: 300 }), 700, null],
    ['what was flagged or kept before counts', owed('fulfilled', { flagged: 300 }), 0, flag(700)],
    ['what was taken back counts', owed('fulfilled', { takenBack: -300 }), 700, null],
    ['and only the rest is flagged', owed('fulfilled', { takenBack: -300 }), 0, flag(700)],
    [
      'an obligation that a review has shrunk is flagged with the rest',
      owed('fulfilled', { amount: 700 }),
      0,
      flag(700),
    ],
  ];
  for (const [promise, of, worth, change] of cases) {
    it(promise, () => assert.deepEqual(settle(of, minor(worth), 'refunded'), change));
  }

  it('a conversion that is worth less shrinks with its money, and one that lost nothing stays', () => {
    const standing = { ...share(1000), amount: minor(1000), owed: owed('pending') };
    const reduced = { kind: 'reduced', amount: 700n };
    const partly = sale(1000, [line(1, 1000)], [byAmount(300)]);
    assert.deepEqual(revise(partly, standing, COUNTING), { conversion: reduced, owed: reduced });
    assert.deepEqual(revise(partly, { ...standing, owed: owed('fulfilled') }, COUNTING), {
      conversion: reduced,
      owed: { ...flag(300), reason: 'partly-refunded' },
    });
    const whole = sale(1000, [line(1, 1000)]);
    assert.deepEqual(revise(whole, standing, COUNTING), { conversion: null, owed: null });
  });

  it('a conversion that is worth nothing is rejected, with what it was worth before to be read', () => {
    const standing = { ...share(1000), amount: minor(1000), owed: owed('pending') };
    const full = (refunds: readonly Refund[]) => ({ ...sale(1000, [line(1, 1000)], refunds), isRefunded: true });
    for (const [refunds, amount] of [
      [[], 1000n],
      [[byAmount(300)], 700n],
      [[byAmount(300), { ...byAmount(700), kind: 'full' }], 700n],
      [[byAmount(300), byAmount(700)], 700n],
    ] as const) {
      const revised = revise(full(refunds), standing, COUNTING);
      assert.deepEqual(revised, { conversion: { kind: 'rejected', amount }, owed: { kind: 'rejected', amount } });
    }
  });

  it('money in a payout stays there: the conversion is rejected all the same, and the payout flagged with all of it', () => {
    const refunded = { ...sale(1000, [line(1, 1000)], [byAmount(300)]), isRefunded: true };
    const standing = { ...share(1000), amount: minor(700), owed: owed('fulfilled', { flagged: 300 }) };
    assert.deepEqual(revise(refunded, standing, COUNTING), {
      conversion: { kind: 'rejected', amount: 700n },
      owed: flag(700),
    });
  });

  it('a second time nothing changes', () => {
    fc.assert(
      fc.property(histories, shares, (steps, of) => {
        const end = steps.at(-1) as RefundableSale;
        const first = revise(
          end,
          { ...of, amount: of.awarded, owed: { ...owed('pending'), amount: of.awarded } },
          COUNTING,
        );
        if (first.conversion?.kind === 'rejected') return;
        const amount = first.conversion?.amount ?? of.awarded;
        const again = revise(end, { ...of, amount, owed: { ...owed('pending'), amount } }, COUNTING);
        assert.deepEqual(again, { conversion: null, owed: null });
      }),
    );
  });
});
