import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { UNREADABLE_ADVICE } from '#connectors/domain/connector.ts';
import type { Report } from '#connectors/domain/report.ts';
import { adjustment, eventOf, type PaddleEvent, transaction } from '../paddle-events.ts';
import { openTranslator, partsOf } from '../../support/translated.ts';

const paddle = () => openTranslator({}, 'paddle');
const reasonOf = (event: PaddleEvent): string => {
  const made = paddle().take(event);
  return 'reason' in made ? `${made.kind}: ${made.reason}` : made.kind;
};
const reportOf = (...events: readonly PaddleEvent[]): Report => {
  const { take, reports } = paddle();
  for (const event of events) take(event);
  return reports.at(-1) as Report;
};
const namesOf = (reports: readonly Report[]) => reports.map(({ verb, externalId }) => `${verb} ${externalId}`);

describe('a completed Paddle transaction', () => {
  it('is a sale with its products and tax, which add up to the paid amount', () => {
    const sale = reportOf(transaction('txn_1'));
    assert.ok(sale.verb === 'sale');
    assert.deepEqual([sale.externalId, sale.currency, sale.total], ['txn_1', 'USD', 65_215n]);
    assert.deepEqual(
      sale.lines.map(({ externalId, name, quantity, total }) => [externalId, name, quantity, Number(total)]),
      [
        ['pro_01gsz4t5hdjse780zja8vvr7jg', 'ChatApp Pro', 10, 30_000],
        ['pro_01h1vjes1y163xfj1rh1tkfb65', 'Voice rooms addon', 1, 10_000],
        ['pro_01gsz97mq9pa4fkyy0wqenepkz', 'Custom domains', 1, 19_900],
        [null, 'Tax', 1, 5_315],
      ],
    );
  });

  it('has lines for discounts, for the customer’s credit, and for amounts that Paddle does not list', () => {
    const event = transaction('txn_1', {}, { subtotal: 1_000, tax: 190, discount: 100, credit: 90 });
    assert.deepEqual(partsOf(reportOf(event)), [
      ['product', 1_000],
      ['discount', -100],
      ['tax', 190],
      ['discount', -90],
    ]);
    const details = {
      totals: { grand_total: '1000' },
      line_items: [{ totals: { subtotal: '-300' } }, { price_id: 'pri_1', totals: { subtotal: '900' } }],
    };
    const unlisted = reportOf(transaction('txn_1', { details }));
    assert.deepEqual(partsOf(unlisted), [
      ['discount', -300],
      ['product', 900],
      ['product', 400],
    ]);
    const more = { totals: { grand_total: '500' }, line_items: [{ totals: { subtotal: '900' } }] };
    assert.deepEqual(partsOf(reportOf(transaction('txn_1', { details: more }))).at(-1), ['discount', -400]);
  });

  it('has its amounts converted from the smallest unit of its currency to hundredths', () => {
    const sale = reportOf(transaction('txn_1', { currency_code: 'JPY' }, { subtotal: 1_234 }));
    assert.equal(sale.verb === 'sale' && sale.total, 123_400n);
  });

  it('has the time of its payment, or else the time of its billing, or else the time of the event', () => {
    const at = (fields: Record<string, unknown>) => reportOf(transaction('txn_1', fields)).occurredAt.toISOString();
    const payments = [
      { status: 'error', captured_at: null },
      { status: 'captured', captured_at: '2026-01-02T03:04:05.678901Z' },
    ];
    assert.equal(at({ payments }), '2026-01-02T03:04:05.678Z');
    const billed_at = '2026-01-01T00:00:00Z';
    assert.equal(at({ payments: [], billed_at }), '2026-01-01T00:00:00.000Z');
    const event = transaction('txn_1', { payments: [], billed_at: null });
    assert.equal(reportOf(event).occurredAt.getTime(), event.created * 1_000);
  });

  it('has its referral in the custom data, and in the code and id of the discount', () => {
    const referralOf = (...events: readonly PaddleEvent[]) => {
      const sale = reportOf(...events);
      assert.ok(sale.verb === 'sale');
      return [sale.referral.trackingIds, sale.referral.couponCodes];
    };
    assert.deepEqual(referralOf(transaction('txn_1', { custom_data: { whence: '7', referral: 8 } })), [['7', '8'], []]);
    assert.deepEqual(referralOf(transaction('txn_1', { custom_data: { whence: 7, referral: '7' } })), [['7'], []]);
    const discounted = transaction('txn_1', { discount_id: 'dsc_1' });
    assert.deepEqual(referralOf(discounted), [[], ['dsc_1']]);
    const discount = eventOf('discount.created', { id: 'dsc_1', code: 'ADA10' });
    assert.deepEqual(referralOf(discount, discounted), [[], ['ADA10', 'dsc_1']]);
  });

  it('shares the referral of an earlier order of the same customer', () => {
    const sale = reportOf(
      transaction('txn_1', { customer_id: 'ctm_1' }),
      transaction('txn_2', { customer_id: 'ctm_1' }),
    );
    assert.deepEqual(sale.verb === 'sale' && sale.referral.sameCustomerAs, { source: 'paddle', externalId: 'txn_1' });
    const guest = reportOf(transaction('txn_1', { customer_id: null }));
    assert.equal(guest.verb === 'sale' && guest.referral.sameCustomerAs, null);
  });

  for (const [what, event, reason] of [
    ['nothing was paid', transaction('txn_1', {}, {}), 'ignored: Nothing was paid.'],
    ['it has no id', transaction('txn_1', { id: null }), `failed: The transaction has no id. ${UNREADABLE_ADVICE}`],
    [
      'its currency is unknown',
      transaction('txn_1', { currency_code: 'XYZ' }),
      `failed: The currency of the transaction is missing or unknown. ${UNREADABLE_ADVICE}`,
    ],
    [
      'it has no total',
      transaction('txn_1', { details: {} }),
      `failed: The total of the transaction is not an amount. ${UNREADABLE_ADVICE}`,
    ],
    [
      'its total is not an integer',
      transaction('txn_1', { details: { totals: { grand_total: '12.5' } } }),
      `failed: The total of the transaction is not an amount. ${UNREADABLE_ADVICE}`,
    ],
  ] as const) {
    it(`is not reported if ${what}`, () => assert.equal(reasonOf(event), reason));
  }
});

describe('a Paddle event other than a payment', () => {
  for (const [what, event, reason] of [
    [
      'is ignored if it reports no money',
      eventOf('subscription.created', {}),
      'ignored: Events of the type subscription.created report no money.',
    ],
    [
      'fails if it is about a discount without an id',
      eventOf('discount.updated', {}),
      `failed: The discount has no id. ${UNREADABLE_ADVICE}`,
    ],
    [
      'is ignored if it is about a discount without a code',
      eventOf('discount.updated', { id: 'dsc_1' }),
      'ignored: The discount has no code.',
    ],
  ] as const) {
    it(what, () => assert.equal(reasonOf(event), reason));
  }
});

describe('a Paddle subscription', () => {
  const first = (fields = {}, amounts: Record<string, number> = { subtotal: 900 }) =>
    transaction('txn_1', { subscription_id: 'sub_1', origin: 'web', ...fields }, amounts);
  const later = (number: number, origin = 'subscription_recurring') =>
    transaction(`txn_${number}`, { subscription_id: 'sub_1', origin }, { subtotal: 900 });

  it('reports its first payment as the sale and later payments as renewals, regardless of the order of the events', () => {
    const { take, reports, waiting } = paddle();
    take(later(2));
    take(later(3, 'subscription_update'));
    assert.equal(waiting.length, 2);
    take(first());
    take(later(4, 'subscription_charge'));
    assert.deepEqual(namesOf(reports), ['sale txn_1', 'renewal txn_2', 'renewal txn_3', 'renewal txn_4']);
    const [, renewal] = reports;
    assert.deepEqual(renewal?.verb === 'renewal' && renewal.sale, { source: 'paddle', externalId: 'txn_1' });
  });

  it('reports its first payment after a free trial as the sale', () => {
    const { take, reports } = paddle();
    assert.equal(take(first({}, {})).kind, 'ignored');
    take(later(2));
    take(later(3));
    assert.deepEqual(namesOf(reports), ['sale txn_2', 'renewal txn_3']);
  });

  it('reports nothing for a free payment between its payments, such as for a new payment method', () => {
    const { take, reports } = paddle();
    take(first());
    take(transaction('txn_9', { subscription_id: 'sub_1', origin: 'subscription_payment_method_change' }, {}));
    take(later(2));
    assert.deepEqual(namesOf(reports), ['sale txn_1', 'renewal txn_2']);
  });

  it('reports the first payment that has waited for 72 hours as the sale, if earlier payments never arrive', () => {
    const { take, reports } = paddle();
    assert.equal(take(later(7), 71.9).kind, 'waiting');
    take(later(8), 72);
    assert.deepEqual(namesOf(reports), ['sale txn_8', 'renewal txn_7']);
  });
});

describe('a Paddle adjustment', () => {
  const SALE = transaction('txn_1', {}, { subtotal: 1_000, tax: 190 });

  it('refunds its amount only once, after its approval, however often it is sent', () => {
    const { take, reports } = paddle();
    take(SALE);
    take(adjustment('adj_1', 'txn_1', 119, { status: 'pending_approval' }));
    take(adjustment('adj_1', 'txn_1', 119));
    take(adjustment('adj_1', 'txn_1', 119));
    take(adjustment('adj_1', 'txn_1', 119, { status: 'pending_approval' }));
    assert.equal(reports.length, 2);
    const [, refund] = reports;
    assert.ok(refund?.verb === 'refund');
    assert.deepEqual([refund.externalId, refund.refundId], ['txn_1', 'adj_1']);
    assert.deepEqual(refund.given, { kind: 'amount', amount: 119n, isUpTo: true });
  });

  it('waits for its transaction', () => {
    const { take, reports } = paddle();
    assert.equal(take(adjustment('adj_1', 'txn_1', 119)).kind, 'waiting');
    take(SALE);
    assert.deepEqual(namesOf(reports), ['sale txn_1', 'refund txn_1']);
  });

  it('reverses its refund if its status changes to reversed, and reports nothing if the reversal arrives first', () => {
    const { take, reports } = paddle();
    take(SALE);
    take(adjustment('adj_1', 'txn_1', 119));
    for (let times = 0; times < 2; times += 1) take(adjustment('adj_1', 'txn_1', 119, { status: 'reversed' }));
    take(adjustment('adj_2', 'txn_1', 119, { status: 'reversed' }));
    take(adjustment('adj_2', 'txn_1', 119));
    assert.deepEqual(namesOf(reports), ['sale txn_1', 'refund txn_1', 'refund-reversal txn_1']);
  });

  it('is reported as a refund for a chargeback, and as a reversal when the chargeback is won', () => {
    const { take, reports } = paddle();
    take(SALE);
    assert.equal(take(adjustment('adj_9', 'txn_1', 1_190, { action: 'chargeback_reverse' })).kind, 'waiting');
    take(adjustment('adj_8', 'txn_1', 1_190, { action: 'chargeback' }));
    assert.deepEqual(namesOf(reports), ['sale txn_1', 'refund txn_1', 'refund-reversal txn_1']);
    const [, chargeback, won] = reports;
    assert.ok(chargeback?.verb === 'refund' && won?.verb === 'refund-reversal');
    assert.deepEqual([chargeback.refundId, won.refundId], ['adj_8', 'adj_8']);
    take(adjustment('adj_10', 'txn_1', 1_190, { action: 'chargeback' }));
    take(adjustment('adj_9', 'txn_1', 1_190, { action: 'chargeback_reverse' }));
    assert.equal(reports.length, 4, 'a repeated reversal leaves the second chargeback');
  });

  for (const [what, fields, reason] of [
    ['is a refund that Paddle rejected', { status: 'rejected' }, 'ignored: Paddle rejected the refund.'],
    ['is a refund of tax alone', { type: 'tax' }, 'ignored: Only tax was refunded. It earns nothing.'],
    [
      'is a credit',
      { action: 'credit' },
      'ignored: A credit pays nothing back. It lowers an open invoice or a later payment.',
    ],
    [
      'is a warning',
      { action: 'chargeback_warning' },
      'ignored: This is a warning of a chargeback, so no money was withdrawn.',
    ],
    [
      'has an unknown action',
      { action: null },
      `failed: Whence doesn’t know the action “” of an adjustment. ${UNREADABLE_ADVICE}`,
    ],
    [
      'has an unknown status',
      { status: null },
      `failed: Whence doesn’t know the status “” of a refund. ${UNREADABLE_ADVICE}`,
    ],
    ['has no transaction', { transaction_id: null }, `failed: The adjustment has no transaction. ${UNREADABLE_ADVICE}`],
    ['has no id', { id: null }, `failed: The adjustment has no id. ${UNREADABLE_ADVICE}`],
  ] as const) {
    it(`is not reported if it ${what}`, () => {
      assert.equal(reasonOf(adjustment('adj_1', 'txn_1', 119, fields)), reason);
    });
  }

  it('is not reported without an amount, or if nothing was paid', () => {
    const { take } = paddle();
    take(SALE);
    take(transaction('txn_2', {}, {}));
    const reason = (event: PaddleEvent) => {
      const made = take(event);
      return 'reason' in made && made.reason;
    };
    assert.equal(
      reason(adjustment('adj_1', 'txn_1', 1, { totals: {} })),
      `The amount or the currency of the refund can’t be read. ${UNREADABLE_ADVICE}`,
    );
    assert.equal(
      reason(adjustment('adj_1', 'txn_1', 1, { currency_code: 'X' })),
      `The amount or the currency of the refund can’t be read. ${UNREADABLE_ADVICE}`,
    );
    assert.equal(reason(adjustment('adj_1', 'txn_1', 0)), 'Nothing was refunded.');
    assert.equal(reason(adjustment('adj_2', 'txn_2', 1)), 'Nothing was refunded.');
  });
});

describe('Paddle events', () => {
  const sub = (id: string, origin: string, amounts: Record<string, number>) =>
    transaction(id, { subscription_id: 'sub_1', origin }, amounts);
  const story = [
    sub('txn_1', 'web', {}),
    sub('txn_2', 'subscription_recurring', { subtotal: 900, tax: 171 }),
    transaction('txn_3', {}, { subtotal: 5_000 }),
    adjustment('adj_1', 'txn_2', 100, { status: 'pending_approval' }),
    adjustment('adj_1', 'txn_2', 100),
    adjustment('adj_2', 'txn_3', 5_000, { action: 'chargeback' }),
    adjustment('adj_3', 'txn_3', 5_000, { action: 'chargeback_reverse' }),
    adjustment('adj_4', 'txn_3', 700),
    adjustment('adj_5', 'txn_3', 800),
    adjustment('adj_5', 'txn_3', 800, { status: 'reversed' }),
  ];

  it('result in the same orders and refunds in any sequence, even if each event is sent twice', () => {
    const standing = (events: readonly PaddleEvent[]) => {
      const world = paddle();
      const { take, reports } = world;
      for (const event of events) take(event);
      assert.equal(world.waiting.length, 0);
      const open = new Set<string>();
      for (const report of reports) if (report.verb === 'refund') open.add(report.refundId);
      for (const report of reports) if (report.verb === 'refund-reversal') open.delete(report.refundId);
      const orders = reports.filter(({ verb }) => verb === 'sale' || verb === 'renewal');
      return [namesOf(orders).toSorted(), [...open].toSorted()];
    };
    assert.deepEqual(standing(story), [
      ['sale txn_2', 'sale txn_3'],
      ['adj_1', 'adj_4'],
    ]);
    fc.assert(
      fc.property(fc.shuffledSubarray([...story, ...story], { minLength: 2 * story.length }), (events) => {
        assert.deepEqual(standing(events), standing(story));
      }),
      { numRuns: 200 },
    );
  });
});
