import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type JsonObject, UNREADABLE_ADVICE } from '#connectors/domain/connector.ts';
import type { SaleReport } from '#connectors/domain/report.ts';
import { checkoutCompleted, eventOf, invoicePaid, recordedObject, type StripeEvent } from '../../support/stripe.ts';
import { openTranslator, partsOf, reasonOf, saleOf } from '../../support/translated.ts';

type Fields = Readonly<Record<string, unknown>>;

const SESSION = { mode: 'payment', payment_intent: 'pi_1', amount_total: 1_000 };

describe('a Checkout Session', () => {
  it('is reported as a sale under the id of its payment, or under its own id without a payment', () => {
    assert.equal(saleOf(checkoutCompleted(SESSION)).externalId, 'pi_1');
    assert.equal(saleOf(checkoutCompleted({ ...SESSION, payment_intent: null, id: 'cs_1' })).externalId, 'cs_1');
  });

  it('is reported with separate lines for tax, shipping and discounts', () => {
    const total_details = { amount_discount: 200, amount_shipping: 500, amount_tax: 190 };
    const sale = saleOf(checkoutCompleted({ ...SESSION, amount_total: 1_490, total_details }));
    assert.deepEqual(partsOf(sale), [
      ['product', 1_000],
      ['discount', -200],
      ['shipping', 500],
      ['tax', 190],
    ]);
  });

  it('is reported with the email address and the name of its buyer', () => {
    const customer_details = { email: 'ada@mail.example', name: 'Ada Lovelace' };
    assert.deepEqual(saleOf(checkoutCompleted({ ...SESSION, customer_details })).buyer, customer_details);
  });

  for (const [name, fields, reason] of [
    ['sets up a payment method', { mode: 'setup', payment_intent: null }, 'ignored: The session sells nothing.'],
    ['is free', { ...SESSION, amount_total: 0 }, 'ignored: Nothing was paid.'],
    [
      'is not paid yet',
      { ...SESSION, payment_status: 'unpaid' },
      'ignored: The payment is pending. The order is reported if Stripe sends checkout.session.async_payment_succeeded.',
    ],
    [
      'has an unknown currency',
      { ...SESSION, currency: 'xyz' },
      `failed: The currency of the session is missing or unknown. ${UNREADABLE_ADVICE}`,
    ],
  ] as const) {
    it(`is not reported if it ${name}`, () => assert.equal(reasonOf(checkoutCompleted(fields)), reason));
  }

  it('is reported once, even if a later event repeats it', () => {
    const { take, reports } = openTranslator();
    take(checkoutCompleted({ ...SESSION, customer: { id: 'cus_1' } }));
    const again = take({
      ...checkoutCompleted({ ...SESSION, customer: 'cus_1' }),
      type: 'checkout.session.async_payment_succeeded',
    });
    assert.deepEqual(again, { kind: 'ignored', reason: 'The order was already reported.' });
    assert.equal(reports.length, 1);
  });

  it('is reported with an empty externalId if it has neither a payment nor an id', () => {
    assert.equal(saleOf(checkoutCompleted({ ...SESSION, payment_intent: null, id: null })).externalId, '');
  });
});

describe('the referral of an order', () => {
  const cases: readonly (readonly [
    name: string,
    fields: Fields,
    settings: JsonObject,
    trackingIds: readonly string[],
  ])[] = [
    ['is read from client_reference_id', { client_reference_id: '7' }, {}, ['7']],
    [
      'is read from metadata.whence and metadata.referral',
      { metadata: { referral: '9', whence: '8' } },
      {},
      ['8', '9'],
    ],
    ['counts equal tracking ids once', { client_reference_id: '7', metadata: { whence: '7' } }, {}, ['7']],
    [
      'is not read from a field of another service unless that service is selected',
      { metadata: { dubClickId: '1', tolt_referral: '2' } },
      {},
      [],
    ],
    [
      'is read from both fields of Dub if Dub is selected',
      { client_reference_id: 'dub_id_7', metadata: { dubClickId: '8' } },
      { carriers: ['dub'] },
      ['7', '8'],
    ],
    [
      'is read from a reference without Dub’s prefix, even if Dub is selected',
      { client_reference_id: '7' },
      { carriers: ['dub'] },
      ['7'],
    ],
    [
      'is read from Dub’s metadata field if there is no reference',
      { metadata: { dubClickId: '8' } },
      { carriers: ['dub'] },
      ['8'],
    ],
    [
      'is read from Tolt’s field if Tolt is selected',
      { metadata: { tolt_referral: '9' } },
      { carriers: ['tolt'] },
      ['9'],
    ],
    [
      'is read from the reference if Rewardful is selected',
      { client_reference_id: '7', metadata: {} },
      { carriers: ['rewardful'] },
      ['7'],
    ],
    [
      'is ignored if Rewardful is selected and marks it as skipped',
      { client_reference_id: '7', metadata: { rewardful: 'false' } },
      { carriers: ['rewardful'] },
      [],
    ],
  ];
  for (const [name, fields, settings, trackingIds] of cases) {
    it(name, () => {
      assert.deepEqual(
        saleOf(checkoutCompleted({ ...SESSION, ...fields }), settings).referral.trackingIds,
        trackingIds,
      );
    });
  }

  it('includes every text that may identify a promotion code', () => {
    const { take, reports } = openTranslator();
    take(eventOf('promotion_code.created', { id: 'promo_1', code: 'FALL20' }));
    const discounts = [
      { promotion_code: 'promo_1', coupon: { id: 'AUTUMN', name: 'Autumn' } },
      { promotion_code: { id: 'promo_2', code: 'ADA10' }, coupon: null },
      { promotion_code: null, source: { type: 'coupon', coupon: 'SPRING' } },
      { promotion_code: 'promo_3', coupon: 'SUMMER' },
      'di_unexpanded',
    ];
    take(checkoutCompleted({ ...SESSION, discounts }));
    const [sale] = reports as [SaleReport];
    assert.deepEqual(sale.referral.couponCodes, [
      'FALL20',
      'promo_1',
      'AUTUMN',
      'Autumn',
      'ADA10',
      'promo_2',
      'SPRING',
      'promo_3',
      'SUMMER',
    ]);
  });

  it('refers to the customer’s latest order with a referral, or otherwise to the first order', () => {
    const { take, reports } = openTranslator();
    const buy = (payment: string, fields: Fields = {}) =>
      take(checkoutCompleted({ ...SESSION, payment_intent: payment, customer: 'cus_1', ...fields }));
    buy('pi_1');
    buy('pi_2', { client_reference_id: '7' });
    buy('pi_3');
    buy('pi_4');
    assert.deepEqual(
      reports.map((each) => each.verb === 'sale' && (each.referral.sameCustomerAs?.externalId ?? null)),
      [null, 'pi_1', 'pi_2', 'pi_2'],
    );
  });

  it('can’t be read from a promotion code event without an id or a code', () => {
    assert.equal(
      reasonOf(eventOf('promotion_code.created', { id: 'promo_1' })),
      `failed: The promotion code has no code. ${UNREADABLE_ADVICE}`,
    );
    assert.equal(
      reasonOf(eventOf('promotion_code.updated', { code: 'X' })),
      `failed: The promotion code has no id. ${UNREADABLE_ADVICE}`,
    );
  });
});

describe('Stripe amounts', () => {
  for (const [currency, amount, total] of [
    ['usd', 1_234, 1_234],
    ['jpy', 1_234, 123_400],
    ['kwd', 1_235, 124],
    ['isk', 1_200, 1_200],
    ['ugx', 1_200, 1_200],
    ['mga', 1_200, 120_000],
  ] as const) {
    it(`are converted to hundredths of ${currency.toUpperCase()}`, () => {
      assert.equal(saleOf(checkoutCompleted({ ...SESSION, currency, amount_total: amount })).total, BigInt(total));
    });
  }
});

describe('a Stripe invoice', () => {
  const NOW = { awaitCheckoutHours: 0 };
  const paid = (more: Fields, amount = 1_000): StripeEvent =>
    invoicePaid({ id: 'in_1', amount, reason: 'manual', more })[0] as StripeEvent;

  it('is reported as a sale with its buyer if it has no subscription', () => {
    const sale = saleOf(paid({ customer_email: 'ada@mail.example' }), NOW);
    assert.deepEqual([sale.externalId, sale.buyer.email], ['in_1', 'ada@mail.example']);
    assert.deepEqual(partsOf(sale), [['product', 1_000]]);
  });

  it('waits for its Checkout Session, unless it was sent to the customer or names its referral', () => {
    assert.equal(
      reasonOf(paid({})),
      'waiting: The invoice has no tracking id, and its Checkout Session has not arrived.',
    );
    assert.equal(saleOf(paid({ collection_method: 'send_invoice' })).verb, 'sale');
    assert.deepEqual(saleOf(paid({ metadata: { whence: '7' } })).referral.trackingIds, ['7']);
  });

  it('is reported without its Checkout Session after the maximum waiting time', () => {
    const { take } = openTranslator();
    assert.equal(take(paid({}), 71.9).kind, 'waiting');
    assert.equal(take(paid({}), 72).kind, 'translated');
  });

  it('has its own discount codes if it was sent to the customer, or was reported without its Checkout Session', () => {
    const discount = { promotion_code: null, coupon: { id: 'ADA' } };
    for (const [invoice, waitedHours] of [
      [paid({ discount, collection_method: 'send_invoice' }), 0],
      [paid({ discount }), 72],
    ] as const) {
      const { take, reports } = openTranslator();
      take(invoice, waitedHours);
      const [sale] = reports as [SaleReport];
      assert.deepEqual(sale.referral.couponCodes, ['ADA']);
    }
  });

  it('has the referral of its Checkout Session and its own discount codes', () => {
    const { take, reports } = openTranslator();
    take(paid({ discount: { promotion_code: null, coupon: { id: 'ADA' } } }));
    take(checkoutCompleted({ mode: 'payment', invoice: 'in_1', client_reference_id: '7' }));
    const [sale] = reports as [SaleReport];
    assert.deepEqual(sale.referral, { trackingIds: ['7'], couponCodes: ['ADA'], sameCustomerAs: null, userId: null });
  });

  it('has no referral if its Checkout Session has none', () => {
    const { take, reports } = openTranslator();
    take(checkoutCompleted({ mode: 'payment', invoice: 'in_1' }));
    take(paid({ customer: null }));
    const [sale] = reports as [SaleReport];
    assert.deepEqual(sale.referral, { trackingIds: [], couponCodes: [], sameCustomerAs: null, userId: null });
  });

  it('has the metadata of its subscription in both invoice formats of Stripe’s API', () => {
    for (const more of [
      { subscription_details: { metadata: { whence: '7' } } },
      { parent: { subscription_details: { metadata: { whence: '7' } } } },
    ]) {
      assert.deepEqual(saleOf(paid(more)).referral.trackingIds, ['7']);
    }
  });

  it('is not reported as a sale if nothing was paid', () => {
    assert.equal(reasonOf(paid({}, 0)), 'ignored: Nothing was paid.');
  });

  it('can’t be reported without an id or a currency', () => {
    assert.equal(reasonOf(paid({ id: null })), `failed: The invoice has no id. ${UNREADABLE_ADVICE}`);
    assert.equal(
      reasonOf(paid({ currency: null })),
      `failed: The currency of the invoice is missing or unknown. ${UNREADABLE_ADVICE}`,
    );
  });

  it('has a line for taxes in both invoice formats of Stripe’s API, even if its prices include taxes', () => {
    const line = (more: Fields) => ({ lines: { data: [{ id: 'il_1', amount: 1_190, quantity: 2, ...more }] } });
    const both = [
      ['product', 1_000],
      ['tax', 190],
    ];
    for (const more of [
      {
        ...line({ taxes: [{ amount: 190, tax_behavior: 'inclusive' }] }),
        total_taxes: [{ amount: 190, tax_behavior: 'inclusive' }],
      },
      {
        ...line({ tax_amounts: [{ amount: 190, inclusive: true }] }),
        total_taxes: undefined,
        total_tax_amounts: [{ amount: 190, inclusive: true }],
      },
      { ...line({ amount: 1_000 }), total_taxes: [{ amount: 190, tax_behavior: 'exclusive' }] },
      { ...line({ amount: 1_000 }), total_taxes: undefined, total_tax_amounts: [{ amount: 190, inclusive: false }] },
      { ...line({ amount: 1_000 }), total_taxes: undefined, total_tax_amounts: undefined, tax: 190 },
    ]) {
      assert.deepEqual(partsOf(saleOf(paid({ ...more, total: 1_190 }, 1_190), NOW)), both);
    }
  });

  it('has lines that add up to the paid amount', () => {
    const data = [
      { id: 'il_1', amount: 3_000, quantity: 1, description: 'Team\0' },
      { id: 'il_2', amount: -1_000, quantity: 1, description: null },
      { id: 'il_3', amount: 100, quantity: 0, description: 'x'.repeat(300) },
    ];
    const sale = saleOf(paid({ lines: { data }, total: 2_500, shipping_cost: { amount_subtotal: 100 } }, 2_000), NOW);
    assert.deepEqual(partsOf(sale), [
      ['product', 3_000],
      ['discount', -1_000],
      ['product', 100],
      ['shipping', 100],
      ['product', 300],
      ['discount', -500],
    ]);
    assert.deepEqual(
      sale.lines.map(({ name }) => (name.length > 40 ? name.length : name)),
      ['Team', 'Item', 255, 'Shipping', 'Other items', 'Customer balance'],
    );
    const more = saleOf(
      paid(
        {
          lines: { data: [{ amount: 900, quantity: 3 }] },
          total: 800,
          amount_shipping: 50,
          total_discount_amounts: [{ amount: 100 }],
        },
        1_000,
      ),
      NOW,
    );
    assert.deepEqual(partsOf(more), [
      ['product', 900],
      ['discount', -100],
      ['shipping', 50],
      ['discount', -50],
      ['fee', 200],
    ]);
    assert.deepEqual([more.lines[0]?.quantity, more.lines[0]?.amount, more.lines[0]?.externalId], [3, 300n, null]);
  });

  it('has a default name for a line whose description is empty', () => {
    const sale = saleOf(paid({ lines: { data: [{ amount: 1_000, description: '\0' }] } }), NOW);
    assert.deepEqual(
      sale.lines.map(({ name }) => name),
      ['Item'],
    );
  });

  it('has one line with the paid amount if Stripe sent no lines', () => {
    assert.deepEqual(partsOf(saleOf(paid({ lines: null, total: 1_000 }), NOW)), [['product', 1_000]]);
  });

  it('counts as paid at its creation if it has no time of payment', () => {
    assert.equal(saleOf(paid({ status_transitions: null, created: 60 }), NOW).occurredAt.getTime(), 60_000);
    assert.equal(saleOf(paid({ status_transitions: null, created: null, lines: {} }), NOW).occurredAt.getTime(), 0);
  });
});

describe('the payment of a Stripe invoice', () => {
  const payment = (fields: Fields) => eventOf('invoice_payment.paid', recordedObject('invoice_payment', fields));

  it('waits for its invoice, regardless of the type of the invoice', () => {
    const world = openTranslator({ awaitCheckoutHours: 0 });
    const { take, reports, link } = world;
    const [invoice, paid] = invoicePaid({
      id: 'in_1',
      subscription: 'sub_1',
      amount: 900,
      reason: 'subscription_create',
    });
    const [second, later] = invoicePaid({ id: 'in_2', subscription: 'sub_1', amount: 900, month: 1 });
    assert.equal(take(paid as StripeEvent).kind, 'waiting');
    for (const event of [invoice, second, later]) take(event as StripeEvent);
    assert.equal(reports.length, 2);
    assert.deepEqual([link('payment', 'pi_in_1'), link('payment', 'pi_in_2')], [{ order: 'in_1' }, { order: 'in_2' }]);
    assert.deepEqual(link('order', 'in_2'), { type: 'renewal' });
    assert.equal(world.waiting.length, 0);
  });

  it('can be a charge', () => {
    const { take, link } = openTranslator({ awaitCheckoutHours: 0 });
    take(invoicePaid({ id: 'in_1', amount: 900 })[0] as StripeEvent);
    take(payment({ invoice: 'in_1', payment: { type: 'charge', charge: 'ch_1' } }));
    assert.deepEqual(link('charge', 'ch_1'), { order: 'in_1' });
  });

  it('is read from the invoice if Stripe includes it there', () => {
    const { take, link } = openTranslator({ awaitCheckoutHours: 0 });
    const payments = { data: [{ payment: { payment_intent: 'pi_7' } }] };
    take(invoicePaid({ id: 'in_1', amount: 900, more: { payments } })[0] as StripeEvent);
    assert.deepEqual(link('payment', 'pi_7'), { order: 'in_1' });
  });

  it('is ignored if it lacks an invoice or a charge', () => {
    const reason = 'ignored: The payment lacks an invoice or a charge, so it can’t be refunded in Stripe.';
    assert.equal(reasonOf(payment({ invoice: 'in_1', payment: { type: 'payment_record' } })), reason);
    assert.equal(reasonOf(payment({ invoice: null, payment: { payment_intent: 'pi_1' } })), reason);
  });
});
