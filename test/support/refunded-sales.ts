import * as fc from 'fast-check';
import type { EventId, FlagId, ObligationId, PayoutId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { Line, LineType } from '#programs/domain/line.ts';
import type { Refund, RefundedSale, RefundHistory } from '#sales/domain/refund.ts';
import type { LineRules, Share } from '#sales/domain/worth.ts';
import { contentOf, judgeRefund, type RefundableSale } from '#sales/domain/refund-report.ts';
import type { ObligationStatus, Owed } from '#ledger/domain/obligation.ts';

export const toMinor = (amount: number | bigint) => BigInt(amount) as Minor;
/**
 * Two rules that decide which lines count for a program. Neither counts shipping. The second rule also excludes lines
 * with the external id `a`, which can be products or discounts.
 */
export const COUNTINGS: readonly LineRules[] = [
  { countedLines: ['product', 'discount'], lineFilter: null },
  { countedLines: ['product', 'discount'], lineFilter: { include: [], exclude: [{ by: 'externalId', value: 'a' }] } },
];
export const COUNTING = COUNTINGS[0] as LineRules;

export function line(
  quantity: number,
  amount: number,
  externalId: string | null = null,
  type: LineType = 'product',
): Line {
  return { externalId, name: 'Mug', type, quantity, amount: toMinor(amount), total: toMinor(amount * quantity) };
}
export function sale(total: number, lines: readonly Line[], refunds: readonly Refund[] = []): RefundedSale {
  return { total: toMinor(total), lines, refunds };
}
/**
 * Returns the history of a sale whose refunds have the event ids 10, 20, 30, …. `reversals` has the event ids of
 * reversals, by the event id of the refund.
 */
export function history(of: RefundedSale, reversals: Readonly<Record<number, number>> = {}): RefundHistory {
  const refunds = of.refunds.map((refund, n) => {
    const eventId = ((n + 1) * 10) as EventId;
    return { ...refund, eventId, reversedBy: (reversals[eventId] ?? null) as EventId | null };
  });
  return { ...of, refunds, corrections: [] };
}
export function everything(amount: number): Refund {
  return { kind: 'full', amount: toMinor(amount), pieces: [] };
}
export function byAmount(amount: number): Refund {
  return { kind: 'amount', amount: toMinor(amount), pieces: [] };
}
export function byPieces(...pieces: [position: number, quantity: number][]): Refund {
  return { kind: 'items', amount: toMinor(0), pieces: pieces.map(([position, quantity]) => ({ position, quantity })) };
}
export function share(awarded: number, byQuantity = false): Share {
  return { awarded: toMinor(awarded), byQuantity, unit: 1n, corrected: [] };
}

export const lines = fc.array(
  fc.record({
    type: fc.constantFrom<LineType[]>('product', 'shipping', 'discount'),
    quantity: fc.integer({ min: 1, max: 5 }),
    amount: fc.integer({ min: 0, max: 10_000 }),
    externalId: fc.constantFrom('a', 'b', 'c', null),
    odd: fc.integer({ min: -1, max: 1 }),
  }),
  { minLength: 1, maxLength: 6 },
);
export const requests = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('amount' as const),
      amount: fc.bigInt({ min: 1n, max: 20_000n }).map(toMinor),
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
/** Generates the states of a random sale: initially, and after each random refund that the sale accepts. */
export const histories = fc.tuple(lines, requests, fc.integer({ min: 0, max: 30_000 })).map(([drawn, asked, total]) => {
  const start: RefundableSale = {
    total: toMinor(total),
    currency: 'USD',
    lines: drawn.map(({ amount, quantity, externalId, type, odd }) => {
      const of = line(quantity, type === 'discount' ? -amount : amount, externalId, type);
      // For lines of three pieces, the total is sometimes not three times the unit price.
      return { ...of, total: toMinor(quantity === 3 ? of.total + BigInt(odd) : of.total) };
    }),
    refunds: [],
    corrections: [],
    countings: COUNTINGS,
  };
  const steps = [start];
  for (const [n, request] of asked.entries()) {
    const judged = judgeRefund(steps.at(-1) ?? start, request, { refundId: `${n}`, contentHash: contentOf(request) });
    if (judged.kind === 'recorded') steps.push(judged.sale);
  }
  return steps;
});

export const shares = fc.record({
  awarded: fc.bigInt({ min: 1n, max: 5_000n }).map(toMinor),
  byQuantity: fc.boolean(),
  unit: fc.constant(1n),
  corrected: fc.constant([]),
});

type Change = { amount?: number; takenBack?: number; flagged?: number; kept?: number };
const first = 1 as ObligationId;
const payoutId = 7 as PayoutId;
/** Returns the owed amounts of a conversion with one obligation. A fulfilled obligation is in payout 7. */
export const owed = (status: ObligationStatus, change: Change = {}): Owed => {
  const obligation = { obligationId: first, amount: toMinor(change.amount ?? 1000), status };
  const flags = [
    { flagId: 3 as FlagId, amount: toMinor(change.kept ?? 0), isOpen: false },
    { flagId: 4 as FlagId, amount: toMinor(change.flagged ?? 0), isOpen: true },
  ];
  return {
    obligations: [{ ...obligation, payoutId: status === 'fulfilled' ? payoutId : null }],
    takenBack: toMinor(change.takenBack ?? 0),
    flags: flags.filter(({ amount }) => amount > 0n).map((flag) => ({ ...flag, obligationId: first, payoutId })),
  };
};
/** Returns the owed amounts with a second obligation. If it is fulfilled, it is in payout 8. */
export const and = (of: Owed, status: ObligationStatus, amount: number): Owed => ({
  ...of,
  obligations: [
    ...of.obligations,
    {
      obligationId: 2 as ObligationId,
      amount: toMinor(amount),
      status,
      payoutId: status === 'fulfilled' ? (8 as PayoutId) : null,
    },
  ],
});
export const changed = (kind: 'reduced' | 'rejected', amount: number, obligationId = 1) => ({
  kind,
  obligationId,
  amount: toMinor(amount),
});
export const flag = (amount: number, obligationId = 1) => ({
  kind: 'flagged',
  obligationId,
  payoutId: obligationId === 1 ? 7 : 8,
  amount: toMinor(amount),
  reason: 'refunded',
});
export const withdrawn = (flagId: number, amount: number) => ({
  kind: 'withdrawn',
  flagId,
  payoutId: 7,
  amount: toMinor(amount),
});
export const raised = (amount: number) => ({ kind: 'raised', amount: toMinor(amount) });
