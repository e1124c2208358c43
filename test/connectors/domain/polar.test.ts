import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { UNREADABLE_ADVICE } from '#connectors/domain/connector.ts';
import type { Report } from '#connectors/domain/report.ts';
import { eventOf, order, type PolarEvent, refund } from '../polar-events.ts';
import { openTranslator, partsOf } from '../../support/translated.ts';

const polar = () => openTranslator({}, 'polar');
const reasonOf = (event: PolarEvent): string => {
  const made = polar().take(event);
  return 'reason' in made ? `${made.kind}: ${made.reason}` : made.kind;
};
const reportOf = (...events: readonly PolarEvent[]): Report => {
  const { take, reports } = polar();
  for (const event of events) take(event);
  return reports.at(-1) as Report;
};
const namesOf = (reports: readonly Report[]) => reports.map(({ verb, externalId }) => `${verb} ${externalId}`);
const totalOf = (report: Report): bigint | undefined => ('total' in report ? report.total : undefined);

describe('a paid Polar order', () => {
  it('is reported with the email address and the name of its buyer', () => {
    const sale = reportOf(order('ord_1'));
    assert.ok(sale.verb === 'sale');
    assert.deepEqual(sale.buyer, { email: 'customer@example.com', name: 'John Doe' });
  });

  it('is a sale with its items, discount and tax, which add up to the paid amount', () => {
    const sale = reportOf(order('ord_1'));
    assert.ok(sale.verb === 'sale');
    assert.deepEqual([sale.externalId, sale.currency, sale.total], ['ord_1', 'USD', 9_720n]);
    assert.deepEqual(
      sale.lines.map(({ externalId, name, type, total }) => [externalId, name, type, Number(total)]),
      [
        ['00000000-0000-4000-8000-000000000001', 'Pro Plan', 'product', 10_000],
        [null, 'Discount', 'discount', -1_000],
        [null, 'Tax', 'tax', 720],
      ],
    );
  });

  it('has lines for the customer’s balance, for credit for unused time, and for amounts that Polar does not list', () => {
    const paid = order('ord_1', {}, { subtotal: 1_000, discount: 100, tax: 90, balance: -40 });
    assert.equal(totalOf(reportOf(paid)), 950n);
    assert.deepEqual(partsOf(reportOf(paid)), [
      ['product', 1_000],
      ['discount', -100],
      ['tax', 90],
      ['discount', -40],
    ]);
    const withDebt = reportOf(order('ord_1', {}, { subtotal: 1_000, balance: 60 }));
    assert.equal(totalOf(withDebt), 1_060n);
    assert.deepEqual(partsOf(withDebt), [
      ['product', 1_000],
      ['fee', 60],
    ]);
    const items = [{ amount: 900, label: 'Pro' }, { amount: -300, label: 'Basic' }, { label: null }];
    const prorated = reportOf(order('ord_1', { product_id: null, items }, { subtotal: 700 }));
    assert.deepEqual(partsOf(prorated), [
      ['product', 900],
      ['discount', -300],
      ['product', 100],
    ]);
    assert.deepEqual(partsOf(reportOf(order('ord_1', { items }, { subtotal: 500 }))).at(-1), ['discount', -100]);
  });

  it('identifies an item without a product by the id of its price', () => {
    const [of, items] = [{ product_id: null }, [{ product_price_id: 'price_1', amount: 900 }]];
    const sale = reportOf(order('ord_1', { ...of, items }, { subtotal: 900 }));
    assert.deepEqual('lines' in sale && sale.lines.map(({ externalId, name }) => [externalId, name]), [
      ['price_1', 'Item'],
    ]);
  });

  it('excludes the included tax from the prices of its items', () => {
    const amounts = { subtotal: 12_000, discount: 2_000, tax: 1_667, isTaxIncluded: true };
    const items = [{ amount: 8_000 }, { amount: 4_000 }, { amount: 0 }];
    const sale = reportOf(order('ord_1', { items }, amounts));
    assert.equal(totalOf(sale), 10_000n);
    assert.deepEqual(partsOf(sale), [
      ['product', 6_889],
      ['product', 3_444],
      ['discount', -2_000],
      ['tax', 1_667],
    ]);
  });

  it('has a separate line for included tax that exceeds its items, and computes missing amounts from other fields', () => {
    const amounts = { subtotal: 1_000, tax: 100, isTaxIncluded: true };
    const credited = [{ amount: -50 }, { amount: 50 }];
    const odd = reportOf(order('ord_1', { items: credited, total_amount: 1_000 }, amounts));
    assert.deepEqual(partsOf(odd), [
      ['discount', -50],
      ['product', 50],
      ['tax', 100],
      ['product', 900],
    ]);
    const lacking = { subtotal_amount: null, net_amount: null, applied_balance_amount: null };
    const old = reportOf(order('ord_1', lacking, { subtotal: 1_000 }));
    assert.deepEqual([totalOf(old), partsOf(old)], [1_000n, [['product', 1_000]]]);
    const withoutNet = reportOf(order('ord_1', { net_amount: null }, { subtotal: 1_000 }));
    assert.deepEqual(partsOf(withoutNet), [['product', 1_000]]);
  });

  it('has its amounts converted to hundredths from the currency’s smallest unit as Stripe defines it', () => {
    const totalIn = (currency: string) => totalOf(reportOf(order('ord_1', { currency }, { subtotal: 1_234 })));
    assert.deepEqual(['usd', 'jpy', 'isk', 'mga'].map(totalIn), [1_234n, 123_400n, 1_234n, 123_400n]);
  });

  it('has its referral in the metadata, and in the code and id of the discount', () => {
    const referralOf = (fields: Record<string, unknown>) => {
      const sale = reportOf(order('ord_1', { discount: null, discount_id: null, ...fields }));
      assert.ok(sale.verb === 'sale');
      return [sale.referral.trackingIds, sale.referral.couponCodes];
    };
    assert.deepEqual(referralOf({ metadata: { reference_id: '9', referral: 8, whence: '7' } }), [['7', '8', '9'], []]);
    assert.deepEqual(referralOf({ metadata: { whence: 7, reference_id: '7', other: '5' } }), [['7'], []]);
    assert.deepEqual(referralOf({ metadata: { whence: true } }), [[], []]);
    assert.deepEqual(referralOf({ discount: { code: 'ADA10' }, discount_id: 'dis_1' }), [[], ['ADA10', 'dis_1']]);
    assert.deepEqual(referralOf({ discount: { code: null }, discount_id: 'dis_1' }), [[], ['dis_1']]);
  });

  it('shares the referral of an earlier order of the same customer', () => {
    const sale = reportOf(order('ord_1'), order('ord_2'));
    assert.deepEqual(sale.verb === 'sale' && sale.referral.sameCustomerAs, { source: 'polar', externalId: 'ord_1' });
    const guest = reportOf(order('ord_1', { customer_id: null }));
    assert.equal(guest.verb === 'sale' && guest.referral.sameCustomerAs, null);
  });

  for (const [what, event, reason] of [
    ['nothing was paid', order('ord_1', {}, {}), 'ignored: Nothing was paid.'],
    [
      'the customer’s balance pays all of it',
      order('ord_1', {}, { subtotal: 900, balance: -900 }),
      'ignored: Nothing was paid.',
    ],
    ['it only credits unused time', order('ord_1', {}, { subtotal: -900 }), 'ignored: Nothing was paid.'],
    ['it has no id', order('ord_1', { id: null }), `failed: The order has no id. ${UNREADABLE_ADVICE}`],
    [
      'its currency is unknown',
      order('ord_1', { currency: 'xyz' }),
      `failed: The currency of the order is missing or unknown. ${UNREADABLE_ADVICE}`,
    ],
    [
      'its total is not an integer',
      order('ord_1', { total_amount: '97.20' }),
      `failed: The total of the order is not an amount. ${UNREADABLE_ADVICE}`,
    ],
  ] as const) {
    it(`is not reported if ${what}`, () => assert.equal(reasonOf(event), reason));
  }
});

describe('a Polar event other than order.paid', () => {
  for (const [what, event, reason] of [
    [
      'an order is created',
      eventOf('order.created', { id: 'ord_1' }),
      'ignored: An order counts once order.paid arrives.',
    ],
    [
      'an order is updated',
      eventOf('order.updated', { id: 'ord_1', status: 'paid' }),
      'ignored: An order counts once order.paid arrives.',
    ],
    [
      'an order is refunded',
      eventOf('order.refunded', { id: 'ord_1', refunded_amount: 900 }),
      'ignored: The refunds of an order arrive as refund.created and refund.updated.',
    ],
    [
      'a subscription changes',
      eventOf('subscription.active', {}),
      'ignored: The payments of a subscription arrive as orders.',
    ],
    [
      'a customer is created',
      eventOf('customer.created', {}),
      'ignored: Events of the type customer.created report no money.',
    ],
  ] as const) {
    it(`is ignored if ${what}`, () => assert.equal(reasonOf(event), reason));
  }
});

describe('a Polar subscription', () => {
  const first = (amounts = { subtotal: 900 }) =>
    order('ord_1', { subscription_id: 'sub_1', billing_reason: 'subscription_create' }, amounts);
  const later = (number: number, reason = 'subscription_cycle', amounts = { subtotal: 900 }) =>
    order(`ord_${number}`, { subscription_id: 'sub_1', billing_reason: reason }, amounts);

  it('reports its first order as the sale and later orders as renewals, regardless of the order of the events', () => {
    const { take, reports, waiting } = polar();
    take(later(2));
    take(later(3, 'subscription_update'));
    assert.equal(waiting.length, 2);
    take(first());
    take(later(4, 'subscription_meter_cycle'));
    assert.deepEqual(namesOf(reports), ['sale ord_1', 'renewal ord_2', 'renewal ord_3', 'renewal ord_4']);
    const [, renewal] = reports;
    assert.deepEqual(renewal?.verb === 'renewal' && renewal.sale, { source: 'polar', externalId: 'ord_1' });
  });

  it('reports its first paid order after a free trial as the sale', () => {
    const { take, reports } = polar();
    assert.equal(take(first({ subtotal: 0 })).kind, 'ignored');
    take(first({ subtotal: 0 }));
    take(later(2));
    take(later(3));
    assert.deepEqual(namesOf(reports), ['sale ord_2', 'renewal ord_3']);
  });

  it('reports its upgrade as the sale, if the subscription was free', () => {
    const { take, reports } = polar();
    take(first({ subtotal: 0 }));
    take(later(2, 'subscription_update'));
    assert.deepEqual(namesOf(reports), ['sale ord_2']);
  });

  it('reports nothing for a free period between paid periods', () => {
    const { take, reports } = polar();
    take(first());
    take(later(2, 'subscription_cycle', { subtotal: 0 }));
    take(later(3));
    assert.deepEqual(namesOf(reports), ['sale ord_1', 'renewal ord_3']);
  });

  it('reports the first order that has waited for 72 hours as the sale, if earlier orders never arrive', () => {
    const { take, reports } = polar();
    assert.equal(take(later(7), 71.9).kind, 'waiting');
    take(later(8), 72);
    assert.deepEqual(namesOf(reports), ['sale ord_8', 'renewal ord_7']);
  });

  it('reports an order without a billing reason as the sale', () => {
    const unnamed = order('ord_1', { subscription_id: 'sub_1', billing_reason: null }, { subtotal: 900 });
    assert.deepEqual(namesOf([reportOf(unnamed)]), ['sale ord_1']);
  });
});

describe('a Polar refund', () => {
  const SALE = order('ord_1', {}, { subtotal: 1_000, tax: 190 });

  it('counts its amount and tax only once, after it has succeeded, however often it is sent', () => {
    const { take, reports } = polar();
    take(SALE);
    take(refund('ref_1', 'ord_1', 100, { status: 'pending' }));
    take(refund('ref_1', 'ord_1', 100, { status: 'succeeded', tax_amount: 19 }));
    take(refund('ref_1', 'ord_1', 100, { tax_amount: 19 }));
    take(refund('ref_1', 'ord_1', 100, { status: 'pending' }));
    take(eventOf('order.refunded', { id: 'ord_1', refunded_amount: 100, refunded_tax_amount: 19 }));
    assert.equal(reports.length, 2);
    const [, report] = reports;
    assert.ok(report?.verb === 'refund');
    assert.deepEqual([report.externalId, report.refundId], ['ord_1', 'ref_1']);
    assert.deepEqual(report.given, { kind: 'amount', amount: 119n, isUpTo: true });
  });

  it('waits for its order', () => {
    const { take, reports } = polar();
    assert.equal(take(refund('ref_1', 'ord_1', 100)).kind, 'waiting');
    take(SALE);
    assert.deepEqual(namesOf(reports), ['sale ord_1', 'refund ord_1']);
  });

  it('is reversed once if it fails later, and is never reported if its failure arrives first', () => {
    const { take, reports } = polar();
    take(SALE);
    take(refund('ref_1', 'ord_1', 100));
    for (const status of ['failed', 'failed', 'canceled']) take(refund('ref_1', 'ord_1', 100, { status }));
    take(refund('ref_2', 'ord_1', 100, { status: 'canceled' }));
    take(refund('ref_2', 'ord_1', 100));
    assert.deepEqual(namesOf(reports), ['sale ord_1', 'refund ord_1', 'refund-reversal ord_1']);
    const [, , reversal] = reports;
    assert.equal(reversal?.verb === 'refund-reversal' && reversal.refundId, 'ref_1');
  });

  for (const [what, fields, reason] of [
    ['is pending', { status: 'pending' }, 'ignored: The refund counts once it has succeeded.'],
    ['failed', { status: 'failed' }, 'ignored: The refund failed, so it is not counted.'],
    ['was canceled', { status: 'canceled' }, 'ignored: The refund was canceled, so it is not counted.'],
    [
      'has an unknown status',
      { status: null },
      `failed: Whence doesn’t know the status “” of a refund. ${UNREADABLE_ADVICE}`,
    ],
    ['has no order', { order_id: null }, `failed: The refund has no order. ${UNREADABLE_ADVICE}`],
    ['has no id', { id: null }, `failed: The refund has no id. ${UNREADABLE_ADVICE}`],
  ] as const) {
    it(`is not reported if it ${what}`, () => assert.equal(reasonOf(refund('ref_1', 'ord_1', 100, fields)), reason));
  }

  it('is not reported without an amount, or if nothing was paid', () => {
    const { take } = polar();
    take(SALE);
    take(order('ord_2', {}, {}));
    const reason = (event: PolarEvent) => {
      const made = take(event);
      return 'reason' in made && made.reason;
    };
    const unknown = `The amount or the currency of the refund can’t be read. ${UNREADABLE_ADVICE}`;
    assert.equal(reason(refund('ref_1', 'ord_1', 100, { status: 'succeeded', amount: null })), unknown);
    assert.equal(reason(refund('ref_1', 'ord_1', 100, { status: 'succeeded', currency: 'xyz' })), unknown);
    const nothing = 'Nothing was refunded.';
    assert.equal(reason(refund('ref_1', 'ord_1', 0, { status: 'succeeded', tax_amount: null })), nothing);
    assert.equal(reason(refund('ref_2', 'ord_2', 100)), nothing);
    assert.equal(
      reason(refund('ref_2', 'ord_2', 100, { status: 'failed' })),
      'The refund failed, so it is not counted.',
      'a refund that was not reported is not reversed',
    );
  });
});

describe('Polar events', () => {
  const sub = (id: string, reason: string, amounts: { subtotal: number; tax?: number }) =>
    order(id, { subscription_id: 'sub_1', billing_reason: `subscription_${reason}` }, amounts);
  const story = [
    eventOf('order.created', { id: 'ord_1' }),
    sub('ord_1', 'create', { subtotal: 0 }),
    sub('ord_2', 'cycle', { subtotal: 900, tax: 171 }),
    order('ord_3', {}, { subtotal: 5_000 }),
    refund('ref_1', 'ord_2', 100, { status: 'pending' }),
    refund('ref_1', 'ord_2', 100, { status: 'succeeded' }),
    eventOf('order.refunded', { id: 'ord_2', refunded_amount: 100 }),
    refund('ref_2', 'ord_3', 700),
    refund('ref_3', 'ord_3', 800),
    refund('ref_3', 'ord_3', 800, { status: 'failed' }),
    refund('ref_4', 'ord_3', 300, { status: 'pending' }),
    refund('ref_4', 'ord_3', 300, { status: 'canceled' }),
  ];

  it('result in the same orders and refunds in any sequence, even if each event is sent twice', () => {
    const standing = (events: readonly PolarEvent[]) => {
      const world = polar();
      const { take, reports } = world;
      for (const event of events) take(event);
      assert.equal(world.waiting.length, 0);
      const counted = reports.flatMap((report) => (report.verb === 'refund' ? [report.refundId] : []));
      const reversed = new Set(
        reports.flatMap((report) => (report.verb === 'refund-reversal' ? [report.refundId] : [])),
      );
      assert.equal(new Set(counted).size, counted.length, 'no refund counts twice');
      const orders = reports.filter(({ verb }) => verb === 'sale' || verb === 'renewal');
      return [namesOf(orders).toSorted(), counted.filter((id) => !reversed.has(id)).toSorted()];
    };
    assert.deepEqual(standing(story), [
      ['sale ord_2', 'sale ord_3'],
      ['ref_1', 'ref_2'],
    ]);
    fc.assert(
      fc.property(fc.shuffledSubarray([...story, ...story], { minLength: 2 * story.length }), (events) => {
        assert.deepEqual(standing(events), standing(story));
      }),
      { numRuns: 200 },
    );
  });
});
