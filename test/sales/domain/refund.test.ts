import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { PayoutId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { LineType } from '#programs/domain/line.ts';
import {
  type Counting,
  givenBack,
  piecesLeft,
  type Refund,
  type RefundedSale,
  type Share,
  worthOf,
} from '#sales/domain/refund.ts';
import {
  contentOf,
  judgeRefund,
  type RefundJudgment,
  type RefundableSale,
  type RefundRequest,
  refundRequest,
} from '#sales/domain/refund-report.ts';
import type { Line } from '#programs/domain/line.ts';
import { type Owed, settle } from '#ledger/domain/obligation.ts';
import { revise } from '#attribution/domain/revision.ts';

const minor = (amount: number | bigint) => BigInt(amount) as Minor;
/** Two countings. Neither counts shipping, and the second also leaves out some lines that discounts may belong to. */
const COUNTINGS: readonly Counting[] = [
  { countedLines: ['product', 'discount'], lineFilter: null },
  { countedLines: ['product', 'discount'], lineFilter: { include: [], exclude: [{ by: 'externalId', value: 'a' }] } },
];
const COUNTING = COUNTINGS[0] as Counting;

function line(quantity: number, amount: number, externalId: string | null = null, type: LineType = 'product'): Line {
  return { externalId, name: 'Mug', type, quantity, amount: minor(amount), total: minor(amount * quantity) };
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
  return { awarded: minor(awarded), byQuantity, unit: 1n };
}

describe('the value of a commission share after refunds', () => {
  it('rounds the remaining share half up to the currency’s payable unit', () => {
    const yen = (refunded: number) =>
      worthOf(sale(11_000, [line(1, 10_000)], [byAmount(refunded)]), { ...share(1000), unit: 100n }, COUNTING);
    assert.deepEqual([550, 1650, 1651, 10_340, 10_500].map(yen), [1000n, 900n, 800n, 100n, 0n]);
  });

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

  it('throws for a refund of a line that the sale does not have', () => {
    const refunded = sale(11_000, mugs, [byPieces([1, 1], [4, 1])]);
    assert.throws(() => worthOf(refunded, share(1000), COUNTING), { message: 'a refund names line 4 of 3' });
  });

  it('leaves nothing after a full refund of a sale or a lead', () => {
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
    odd: fc.integer({ min: -1, max: 1 }),
  }),
  { minLength: 1, maxLength: 6 },
);
const requests = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('amount' as const),
      amount: fc.bigInt({ min: 1n, max: 20_000n }).map(minor),
      isUpTo: fc.boolean(),
    }),
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
/** The states of a sale after each drawn request that it accepts. */
const histories = fc.tuple(lines, requests, fc.integer({ min: 0, max: 30_000 })).map(([drawn, asked, total]) => {
  const start: RefundableSale = {
    total: minor(total),
    isRefunded: false,
    currency: 'USD',
    lines: drawn.map(({ amount, quantity, externalId, type, odd }) => {
      const of = line(quantity, type === 'discount' ? -amount : amount, externalId, type);
      // The total of three pieces is not always three times the unit price.
      return { ...of, total: minor(quantity === 3 ? of.total + BigInt(odd) : of.total) };
    }),
    refunds: [],
    countings: COUNTINGS,
  };
  const steps = [start];
  for (const [n, request] of asked.entries()) {
    const judged = judgeRefund(steps.at(-1) ?? start, request, { refundId: `${n}`, contentHash: contentOf(request) });
    if (judged.kind === 'recorded') steps.push(judged.sale);
  }
  return steps;
});
/** Splits the refunds of a sale into other requests: each piece and each amount goes into one of five calls. */
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

/** Returns the sale after these refunds, or undefined unless all of them are accepted. */
function replayed(start: RefundableSale, calls: readonly RefundRequest[]): RefundableSale | undefined {
  let sale: RefundableSale | undefined = start;
  for (const [n, request] of calls.entries()) {
    const judged: RefundJudgment | undefined =
      sale && judgeRefund(sale, request, { refundId: `${n}`, contentHash: contentOf(request) });
    sale = judged?.kind === 'recorded' ? judged.sale : undefined;
  }
  return sale;
}

const shares = fc.record({
  awarded: fc.bigInt({ min: 1n, max: 5_000n }).map(minor),
  byQuantity: fc.boolean(),
  unit: fc.constant(1n),
});

/** Computes the refund rule independently of the code, with fractions that are never reduced. */
function expectedWorth(
  { total, isRefunded, lines: sold, refunds }: RefundedSale,
  { awarded, byQuantity }: Share,
): bigint {
  if (isRefunded) return 0n;
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
  // Rounds half up: doubles the fraction, adds 1, truncates and halves.
  return (2n * awarded * above + base * below) / (2n * base * below);
}

describe('any sequence of refunds', () => {
  it('leaves a share worth exactly what the refund rule gives, to the cent', () => {
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
          sale.isRefunded ? sale.total : givenBack(sale.total, sale.refunds),
          sale.isRefunded,
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
        const given = end.refunds.filter(({ kind }) => kind === 'amount').reduce((sum, { amount }) => sum + amount, 0n);
        assert.ok(given <= end.total);
        if (end.isRefunded) assert.equal(worthOf(end, of, COUNTING), 0n);
        for (const { isRefunded } of steps.slice(0, -1)) assert.equal(isRefunded, false);
      }),
    );
  });
});

describe('judging a refund request', () => {
  const start: RefundableSale = {
    ...sale(10_000, []),
    currency: 'USD',
    lines: [line(2, 3000, 'mug'), line(1, 3000, 'mug'), line(1, 1000, 'hat')],
    refunds: [],
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
  const amount = (cents: number): RefundRequest => ({ kind: 'amount', amount: minor(cents), isUpTo: false });

  it('takes refunded pieces from the first line that matches the item id', () => {
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

  it('recognizes a repeated refund by its content, in any form and after later refunds', () => {
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

  it('reports every unknown item before it reports exceeded quantities', () => {
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
    assert.equal(after(start, amount(9999), 'a').isRefunded, false);
    assert.equal(after(start, amount(10_000), 'a').isRefunded, true);
    assert.deepEqual(judge(after(start, amount(9999), 'a'), amount(2), 'b'), { kind: 'exceeds', left: 1n });
    const dear = { ...start, total: minor(50_000) };
    assert.equal(after(dear, items(['mug', 3], ['hat', 1]), 'a').isRefunded, true);
    // The items cost more than the sale’s total, so the refund is capped at the total.
    const cheap = { ...start, total: minor(6000) };
    assert.equal(after(cheap, items(['mug', 2]), 'a').isRefunded, true);
  });

  it('rejects items whose lines add up to less than 0, overall or within a program', () => {
    const lines = [line(1, 10_000, 'a'), line(1, 10_000, 'b'), line(1, -5000, 'd', 'discount')];
    const off: RefundableSale = { ...start, total: minor(15_000), lines };
    assert.deepEqual(judge(off, items(['d', 1])), { kind: 'below-zero' });
    assert.deepEqual(judge(after(off, items(['a', 1]), 'a'), items(['d', 1]), 'b'), { kind: 'below-zero' });
    const both = after(off, items(['a', 1], ['d', 1]), 'a');
    assert.deepEqual([both.refunds[0]?.amount, worthOf(both, share(1500), COUNTING)], [5000n, 1000n]);
    assert.equal(after(both, items(['b', 1]), 'b').isRefunded, true);
    // For a program that leaves out the product, the discount would be returned alone.
    assert.deepEqual(judge({ ...off, countings: COUNTINGS }, items(['a', 1], ['d', 1])), { kind: 'below-zero' });
    assert.equal(judge({ ...off, countings: COUNTINGS }, items(['b', 1], ['d', 1])).kind, 'recorded');
  });

  it('caps an "up to" refund at the remaining amount, and records nothing if none remains', () => {
    const upTo = (cents: number): RefundRequest => ({ kind: 'amount', amount: minor(cents), isUpTo: true });
    assert.deepEqual(after(start, upTo(4000), 'a').refunds[0]?.amount, 4000n);
    const disputed = after(after(start, amount(2500), 'a'), upTo(10_000), 'b');
    assert.deepEqual([disputed.refunds[1]?.amount, disputed.isRefunded], [7500n, true]);
    assert.deepEqual(judge(disputed, upTo(10_000), 'b'), { kind: 'repeated' });
    // The requested amount is compared, not the refunded amount.
    for (const other of [upTo(7500), amount(10_000), amount(7500)]) {
      assert.deepEqual(judge(disputed, other, 'b'), { kind: 'conflict' });
    }
    assert.deepEqual(judge(disputed, upTo(1), 'c'), { kind: 'repeated' });
    assert.deepEqual(judge({ ...start, total: minor(0) }, upTo(1), 'c'), { kind: 'repeated' });
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
    const lead: RefundableSale = { ...sale(0, []), currency: 'XXX', refunds: [], countings: [] };
    assert.deepEqual(judge(lead, amount(1)), { kind: 'exceeds', left: 0n });
    assert.deepEqual(judge(lead, items(['mug', 1])), { kind: 'unknown-items', items: [0] });
    assert.equal(after(lead, { kind: 'full' }, 'a').isRefunded, true);
  });
});

describe('how a refund changes the amount owed', () => {
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

  it('reduces a conversion together with its obligation, and changes nothing without a refund', () => {
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

  it('rejects a conversion that is worth nothing, and keeps its previous amount', () => {
    const standing = { ...share(1000), amount: minor(1000), owed: owed('pending') };
    const full = (refunds: readonly Refund[]) => ({ ...sale(1000, [line(1, 1000)], refunds), isRefunded: true });
    for (const [refunds, amount, by] of [
      [[], 1000n, 0],
      [[byAmount(300)], 700n, 1],
      [[byAmount(300), { ...byAmount(700), kind: 'full' }], 700n, 1],
      [[byAmount(300), byAmount(700)], 700n, 1],
    ] as const) {
      const revised = revise(full(refunds), standing, COUNTING);
      assert.deepEqual(revised, { conversion: { kind: 'rejected', amount, by }, owed: { kind: 'rejected', amount } });
    }
  });

  it('attributes the rejection of a conversion to the refund that used up its last worth', () => {
    const standing = { ...share(1000), amount: minor(1000), owed: owed('pending') };
    const lines = [line(2, 500), line(1, 200, null, 'shipping')];
    const refunds = [byPieces([1, 1]), byPieces([1, 1]), byPieces([2, 1])];
    const rejected = { kind: 'rejected', amount: 500n, by: 1 } as const;
    for (const isRefunded of [false, true]) {
      const { conversion } = revise({ ...sale(1200, lines, refunds), isRefunded }, standing, COUNTING);
      assert.deepEqual(conversion, rejected);
    }
  });

  it('rejects a conversion already in a payout, and flags the payout with its full amount', () => {
    const refunded = { ...sale(1000, [line(1, 1000)], [byAmount(300)]), isRefunded: true };
    const standing = { ...share(1000), amount: minor(700), owed: owed('fulfilled', { flagged: 300 }) };
    assert.deepEqual(revise(refunded, standing, COUNTING), {
      conversion: { kind: 'rejected', amount: 700n, by: 1 },
      owed: flag(700),
    });
  });

  it('changes nothing when the same refunds are applied again', () => {
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
