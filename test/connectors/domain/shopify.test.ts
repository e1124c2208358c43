import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { type Translation, UNREADABLE_ADVICE } from '#connectors/domain/connector.ts';
import type { Report, SaleReport } from '#connectors/domain/report.ts';
import { DISPUTE, ORDER } from '#connectors/domain/shopify/translator.ts';
import { dispute, order, refund } from '../shopify-messages.ts';
import { openTranslator, partsOf } from '../../support/translated.ts';

type Fields = Readonly<Record<string, unknown>>;

function shopify() {
  const world = openTranslator({}, 'shopify');
  let sent = 0;
  const send = (type: string, payload: Fields): Translation => {
    sent += 1;
    const created = Date.parse((payload['updated_at'] as string | null | undefined) ?? '2026-11-21T00:00:00Z') / 1_000;
    return world.take({ id: String(sent), type, created, payload });
  };
  return {
    reports: world.reports,
    waiting: () => world.waiting.length,
    verbs: () => world.reports.map(({ verb }) => verb),
    take: (message: Fields) => send('initiated_at' in message ? DISPUTE : ORDER, message),
    send,
  };
}

function saleOf(message: Fields): SaleReport {
  const { take, reports } = shopify();
  take(message);
  const [sale] = reports;
  assert.ok(sale?.verb === 'sale');
  return sale;
}

const reasonOf = (message: Fields): string => {
  const made = shopify().take(message);
  return 'reason' in made ? `${made.kind}: ${made.reason}` : made.kind;
};
const givenIn = (reports: readonly Report[]) =>
  reports.flatMap((report) => (report.verb === 'refund' ? [[report.refundId, report.given] as const] : []));
const upTo = (amount: bigint) => ({ kind: 'amount', amount, isUpTo: true });

describe('a Shopify order', () => {
  it('is reported with the email address and the name of its buyer', () => {
    const customer = { first_name: 'John', last_name: 'Smith' };
    assert.deepEqual(saleOf(order(1, 0, { customer })).buyer, { email: 'jon@example.com', name: 'John Smith' });
  });

  it('is a sale with its products and its discount, which add up to the total', () => {
    const sale = saleOf(order(1));
    assert.deepEqual([sale.externalId, sale.currency, sale.total], ['1', 'USD', 40_495n]);
    assert.equal(sale.occurredAt.toISOString(), '2026-11-20T15:00:00.000Z');
    assert.deepEqual(
      sale.lines.map(({ externalId, type, quantity, total }) => [externalId, type, quantity, Number(total)]),
      [
        ['SKU2006-001', 'product', 1, 8_999],
        ['LENS-PROTECT-2YR', 'product', 1, 1_999],
        ['CASE-LEATHER-PREM', 'product', 1, 2_499],
        ['SKU2006-020', 'product', 1, 15_999],
        ['SKU2006-035', 'product', 1, 11_999],
        // The discounts of the order are 20.00, of which 10.00 made shipping free.
        [null, 'discount', 1, -1_000],
      ],
    );
  });

  it('has shipping at the paid price, and gift cards as fees, which earn nothing', () => {
    const lines = (fields: Fields) => saleOf(order(1, 0, fields)).lines.map(({ type, total }) => [type, Number(total)]);
    const items = [
      { id: 1, name: 'Mug', price: '100.00', quantity: 1 },
      { id: 2, name: 'Gift card', price: '50.00', quantity: 1, gift_card: true },
    ];
    const plain = { line_items: items, total_tax: '0.00', total_price: '155.00', subtotal_price: '145.00' };
    const products = [
      ['product', 10_000],
      ['fee', 5_000],
    ];
    const shipping = { price: '10.00', discounted_price: '7.00' };
    assert.deepEqual(lines({ ...plain, total_discounts: '5.00', shipping_lines: [shipping, { price: '0.00' }] }), [
      ...products,
      ['discount', -200],
      ['shipping', 700],
    ]);
    assert.deepEqual(lines({ ...plain, total_discounts: '5.00', shipping_lines: [{ price: '10.00' }] }), [
      ...products,
      ['discount', -500],
      ['shipping', 1_000],
    ]);
  });

  it('keeps the exact value of an id beyond 2^53', () => {
    const admin_graphql_api_id = 'gid://shopify/Order/820982911946154508';
    assert.equal(saleOf(order(1, 0, { admin_graphql_api_id })).externalId, '820982911946154508');
    assert.equal(saleOf(order(7, 0, { admin_graphql_api_id: null })).externalId, '7');
  });

  it('has prices without tax, even in a shop whose prices include tax', () => {
    const line_items = [
      { name: 'Mug', sku: null, product_id: 93, price: '11.90', quantity: 2, tax_lines: [{ price: '3.80' }] },
      { price: '1.00' },
    ];
    const shipping_lines = [{ price: '5.95', tax_lines: [{ price: '0.95' }] }];
    const taxes = { taxes_included: true, total_tax: '4.75' };
    const others = { total_discounts: '0.00', total_tip_received: '2.00', total_price: '33.00' };
    const fields = { line_items, shipping_lines, ...taxes, ...others };
    const sale = saleOf(order(1, 0, fields));
    assert.deepEqual(
      sale.lines.map(({ externalId, name, type, quantity, total }) => [
        externalId,
        name,
        type,
        quantity,
        Number(total),
      ]),
      [
        ['93', 'Mug', 'product', 2, 2_000],
        [null, 'Item', 'product', 1, 100],
        [null, 'Shipping', 'shipping', 1, 500],
        [null, 'Tip', 'fee', 1, 200],
        [null, 'Tax', 'tax', 1, 475],
        [null, 'Other', 'fee', 1, 25],
      ],
    );
    const none = { line_items: [{ name: 'A' }], shipping_lines: [{}], total_discounts: null, total_tip_received: null };
    const bare = order(1, 0, { ...none, total_tax: null, taxes_included: true, total_price: '3.00' });
    assert.deepEqual(partsOf(saleOf(bare)), [['fee', 300]]);
    const untaxed = [{ price: '5.00', tax_lines: [{ price: null }] }];
    const lower = order(1, 0, { ...none, line_items: untaxed, taxes_included: true, total_price: '4.00' });
    assert.deepEqual(partsOf(saleOf(lower)).at(-1), ['discount', -100]);
  });

  it('has its referral in the cart attribute, the landing page and the discount codes', () => {
    const note_attributes = [
      { name: '_whence', value: '7' },
      { name: 'gift', value: '9' },
      { name: 'whence', value: '' },
    ];
    const landing_site = '/products/mug?trackingId=8&utm_source=x';
    const { referral } = saleOf(
      order(1, 0, { note_attributes, landing_site, discount_codes: [{ code: 'ADA10' }, {}] }),
    );
    assert.deepEqual([referral.trackingIds, referral.couponCodes], [['7', '8'], ['ADA10']]);
    assert.deepEqual(saleOf(order(1, 0, { landing_site: '/' })).referral.trackingIds, []);
  });

  it('shares the referral of an earlier order of the same customer', () => {
    const { take, reports } = shopify();
    const customer = { id: 5, admin_graphql_api_id: 'gid://shopify/Customer/5' };
    take(order(1, 0, { customer }));
    take(order(2, 0, { customer }));
    const [, second] = reports;
    assert.deepEqual(second?.verb === 'sale' && second.referral.sameCustomerAs, { source: 'shopify', externalId: '1' });
  });

  it('is reported once it is paid', () => {
    const { take, verbs } = shopify();
    for (const status of ['pending', 'authorized', 'partially_paid']) take(order(1, 0, { financial_status: status }));
    take(order(1, 1));
    take(order(1, 2));
    assert.deepEqual(verbs(), ['sale']);
    const refunded = shopify();
    const refunds = [refund(9, '404.95')];
    refunded.take(order(1, 0, { financial_status: 'refunded', refunds, processed_at: null, updated_at: null }));
    assert.deepEqual(refunded.verbs(), ['sale', 'refund']);
  });

  for (const [what, fields, reason] of [
    [
      'it was canceled',
      { cancelled_at: '2026-11-20T15:00:00Z' },
      'ignored: The order was canceled before it was reported.',
    ],
    [
      'its payment was voided',
      { financial_status: 'voided' },
      'ignored: The order was canceled before it was reported.',
    ],
    ['it is free', { total_price: '0.00' }, 'ignored: Nothing was paid.'],
    [
      'its currency is unknown',
      { currency: 'XXX' },
      `failed: The currency of the order is missing or unknown. ${UNREADABLE_ADVICE}`,
    ],
    [
      'it has no currency',
      { currency: null },
      `failed: The currency of the order is missing or unknown. ${UNREADABLE_ADVICE}`,
    ],
    ['it has no total', { total_price: null }, `failed: The total of the order is not an amount. ${UNREADABLE_ADVICE}`],
    ['it has no id', { id: null, admin_graphql_api_id: null }, `failed: The order has no id. ${UNREADABLE_ADVICE}`],
    [
      'the amount of a refund is unknown',
      { refunds: [refund(9, 'a lot')] },
      `failed: The amount of a refund can’t be read, or can’t be converted to the currency of the shop. ${UNREADABLE_ADVICE}`,
    ],
    [
      'a refund is in a third currency',
      { refunds: [refund(9, '1.00', { currency: 'CHF' })] },
      `failed: The amount of a refund can’t be read, or can’t be converted to the currency of the shop. ${UNREADABLE_ADVICE}`,
    ],
  ] as const) {
    it(`is not reported if ${what}`, () => assert.equal(reasonOf(order(1, 0, fields)), reason));
  }

  it('reports a refund once its transaction has succeeded', () => {
    const { take, reports } = shopify();
    take(order(1));
    take(order(1, 1, { refunds: [refund(9, '10.00', { status: 'pending' })] }));
    const done = [
      refund(9, '10.00'),
      { ...refund(8, '1.00'), transactions: [] },
      refund(7, '3.00', { status: 'failure' }),
    ];
    take(order(1, 2, { refunds: done }));
    take(order(1, 3, { refunds: done, total_price: '394.95' }));
    assert.deepEqual(givenIn(reports), [['9', upTo(1_000n)]]);
  });

  it('keeps a refund that a later message omits, and reports each payment of a refund when the payment succeeds', () => {
    const { take, reports, verbs } = shopify();
    const [paid] = refund(9, '10.00').transactions as readonly Fields[];
    const second = (status: string) => ({
      ...refund(9, '10.00'),
      transactions: [paid, { ...paid, id: 10, admin_graphql_api_id: null, amount: '5.00', status }],
    });
    take(order(1));
    take(order(1, 1, { refunds: [refund(9, '10.00')] }));
    take(order(1, 1, { refunds: [] }));
    take(order(1, 2, { refunds: [second('pending')] }));
    take(order(1, 3, { refunds: [] }));
    take(order(1, 4, { refunds: [second('success')] }));
    assert.deepEqual(verbs(), ['sale', 'refund', 'refund']);
    assert.deepEqual(givenIn(reports), [
      ['9', upTo(1_000n)],
      ['10', upTo(500n)],
    ]);
  });

  it('is not reported if its cancellation arrives before the older message about its payment', () => {
    for (const canceled of [{ cancelled_at: '2026-11-20T15:05:00Z' }, { financial_status: 'voided' }]) {
      const { take, verbs } = shopify();
      take(order(1, 5, canceled));
      assert.equal(take(order(1)).kind, 'ignored');
      assert.deepEqual(verbs(), []);
      take(order(1, 6));
      assert.deepEqual(verbs(), ['sale']);
    }
  });

  it('fails with a reason if it has more than 250 refunds', () => {
    const refunds = (count: number) => Array.from({ length: count }, (_, n) => refund(1_000 + n, '0.01'));
    assert.equal(reasonOf(order(1, 0, { refunds: refunds(250) })), 'translated');
    assert.equal(
      reasonOf(order(1, 0, { refunds: refunds(251) })),
      'failed: The order has more than 250 refunds. Dismiss this event, and report further refunds with the API.',
    );
  });

  it('converts a refund in the customer’s currency to the same part of the total', () => {
    const { take, reports } = shopify();
    const total_price_set = {
      shop_money: { amount: '404.95', currency_code: 'USD' },
      presentment_money: { amount: '809.90', currency_code: 'CAD' },
    };
    take(order(1, 0, { total_price_set }));
    take(order(1, 1, { total_price_set, refunds: [refund(9, '100.00', { currency: 'CAD' })] }));
    assert.deepEqual(givenIn(reports), [['9', upTo(5_000n)]]);
    const free = { ...total_price_set, presentment_money: { amount: '0.00', currency_code: 'CAD' } };
    const odd = take(order(1, 2, { total_price_set: free, refunds: [refund(5, '1.00', { currency: 'CAD' })] }));
    assert.equal(odd.kind, 'failed');
  });

  it('is corrected once a higher total is paid, and refunded in full when it is canceled', () => {
    const { take, reports, verbs } = shopify();
    take(order(1));
    take(order(1, 1, { total_price: '500.00', financial_status: 'partially_paid' }));
    assert.deepEqual(verbs(), ['sale']);
    take(order(1, 2, { total_price: '500.00' }));
    const correction = reports[1];
    assert.ok(correction?.verb === 'correction');
    assert.deepEqual([correction.correctionId, correction.total], ['edited-1', 50_000n]);
    assert.equal(
      correction.lines.reduce((sum, { total }) => sum + total, 0n),
      50_000n,
    );
    take(order(1, 3, { total_price: '480.00' }));
    take(order(1, 4, { total_price: '500.00', cancelled_at: '2026-11-20T15:02:00Z' }));
    assert.deepEqual(verbs(), ['sale', 'correction', 'refund'], 'a lower total is contained in the refunds');
    assert.deepEqual(givenIn(reports), [['canceled-1', { kind: 'full' }]]);
  });
});

describe('a Shopify dispute', () => {
  it('is reported as a refund of its amount, and reversed when the shop wins it', () => {
    const { take, reports, verbs } = shopify();
    assert.equal(take(dispute(3, 1)).kind, 'waiting');
    take(order(1));
    take(dispute(3, 1, { status: 'needs_response' }));
    take(dispute(3, 1, { status: 'lost' }));
    assert.deepEqual(givenIn(reports), [['dispute-3', upTo(40_495n)]]);
    take(dispute(3, 1, { status: 'won' }));
    take(dispute(3, 1, { status: 'under_review' }));
    assert.deepEqual(verbs(), ['sale', 'refund', 'refund-reversal']);
  });

  it('changes nothing if the shop had won it before it was first reported', () => {
    const { take, verbs } = shopify();
    take(order(1));
    take(dispute(3, 1, { status: 'won' }));
    take(dispute(3, 1));
    assert.deepEqual(verbs(), ['sale']);
  });

  it('is not reported if it is an inquiry or has no id, order or amount, and other messages are ignored', () => {
    assert.equal(
      reasonOf(dispute(3, 1, { type: 'inquiry' })),
      'ignored: This dispute is an inquiry, so no money was withdrawn.',
    );
    assert.equal(reasonOf(dispute(3, 1, { id: null })), `failed: The dispute has no id. ${UNREADABLE_ADVICE}`);
    assert.equal(reasonOf(dispute(3, 1, { order_id: null })), `failed: The dispute has no order. ${UNREADABLE_ADVICE}`);
    const { take, send } = shopify();
    take(order(1));
    assert.equal(take(dispute(3, 1, { amount: null })).kind, 'failed');
    assert.deepEqual(send('other', { id: 1 }), { kind: 'ignored', reason: 'The message contains no order.' });
  });
});

describe('Shopify messages', () => {
  const [first, second] = [refund(8, '10.00'), refund(9, '5.00')];
  const story = [
    order(1),
    order(1, 1, { refunds: [first] }),
    dispute(3, 1),
    order(1, 2, { refunds: [first, second], financial_status: 'partially_refunded' }),
    dispute(3, 1, { status: 'won' }),
    order(2, 0),
    order(2, 1, { cancelled_at: '2026-11-20T15:01:00Z' }),
  ];

  it('result in the same refunds in any order, each sent twice, if a canceled order’s payment arrives before them', () => {
    const standing = (messages: readonly Fields[]) => {
      const { take, reports, waiting } = shopify();
      for (const message of messages) take(message);
      assert.equal(waiting(), 0);
      const open = new Set<string>();
      for (const report of reports) if (report.verb === 'refund') open.add(report.refundId);
      for (const report of reports) if (report.verb === 'refund-reversal') open.delete(report.refundId);
      return [reports.filter(({ verb }) => verb === 'sale').length, [...open].toSorted()];
    };
    fc.assert(
      fc.property(fc.shuffledSubarray([...story, ...story], { minLength: 2 * story.length }), (messages) => {
        // Order 2 would not be reported if its cancellation arrived first, so its payment is sent first.
        assert.deepEqual(standing([order(2, 0), ...messages]), [2, ['8', '9', 'canceled-1']]);
      }),
      { numRuns: 200 },
    );
  });
});
