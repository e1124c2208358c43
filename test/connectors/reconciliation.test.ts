import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MAX_LIST_CHARACTERS } from '#connectors/contract/reconciliation.ts';
import { type ConnectedShop, openConnectedShop } from '#test/support/connected-shop.ts';
import { type Reply, startService, type TestService } from '#test/support/service.ts';
import { openShop } from '#test/support/shop.ts';
import { checkoutCompleted, type Connector, connectStripe, invoicePaid, refundOf } from '#test/support/stripe.ts';
import { hoursAgo, listOf } from './lists.ts';
import * as shopifyMessages from './shopify-messages.ts';
import { later, type Order, recordedOrder, signatureOf, WOOCOMMERCE_SECRET } from './woocommerce-orders.ts';

type Compared = {
  readonly externalId: string;
  readonly outcome: string;
  readonly listed: { readonly total: number } | null;
  readonly booked: { readonly total: number; readonly refunded: number } | null;
  readonly obstacle: string | null;
};
type Reconciliation = {
  readonly format: string;
  readonly from: string | null;
  readonly until: string | null;
  readonly skipped: number;
  readonly orders: readonly Compared[];
};

const PROGRAM = { reward: { type: 'percent', percent: 10 }, triggers: { 'site-visit': 1, 'coupon-applied': 1 } };

function post(service: TestService, path: string, body: object): Promise<Reply> {
  return service.request('POST', path, { key: service.secretKey, body });
}

async function compare(service: TestService, path: string, csv: string): Promise<Reconciliation> {
  const reply = await post(service, `${path}/reconciliation`, { csv });
  assert.equal(reply.status, 200, reply.text);
  return reply.body as Reconciliation;
}

const outcomesOf = ({ orders }: Reconciliation) =>
  Object.fromEntries(orders.map(({ externalId, outcome }) => [externalId, outcome]));

async function record(service: TestService, path: string, csv: string, externalIds: readonly string[]) {
  const reply = await post(service, `${path}/reconciliation/record`, { csv, externalIds });
  assert.equal(reply.status, 200, reply.text);
  await service.settled();
  return reply.body as { externalId: string; outcome: string; isAttributed: boolean | null; reason: string | null }[];
}

async function faultOf(service: TestService, path: string, csv: string): Promise<readonly [string, string]> {
  const reply = await post(service, `${path}/reconciliation`, { csv });
  assert.equal(reply.status, 422, reply.text);
  const [{ pointer, code, detail } = { pointer: '', code: '', detail: '' }] = (
    reply.body as { errors: { pointer: string; code: string; detail: string }[] }
  ).errors;
  assert.equal(pointer, '/csv');
  return [code, detail];
}

describe('the reconciliation of a WooCommerce list', () => {
  let woocommerce: ConnectedShop<Order>;
  before(async () => {
    woocommerce = await openConnectedShop({
      kind: 'woocommerce',
      secret: WOOCOMMERCE_SECRET,
      program: PROGRAM,
      sign: (order) => {
        const body = JSON.stringify(order);
        return { body, headers: { 'x-wc-webhook-signature': signatureOf(body) } };
      },
    });
    await woocommerce.giveCoupon('ADA10');
  });
  after(() => woocommerce.stop());

  const utc = (time: Date): string => time.toISOString().slice(0, 19);

  /** Returns the message about an order of 29.35 USD that was paid the given number of hours ago. */
  function messageOf(id: number, hours: number, fields: object = {}): Order {
    const time = utc(hoursAgo(hours));
    return recordedOrder('727-processing', { id, date_paid_gmt: time, date_modified_gmt: time, ...fields });
  }

  /** Returns the list row of an order. Its message, from `messageOf`, has the same id and time. */
  const rowOf = (id: number, hours: number, cells: Readonly<Record<string, string>> = {}) => ({
    order_id: String(id),
    order_number: String(id),
    order_date: utc(hoursAgo(hours)).replace('T', ' '),
    paid_date: `${utc(hoursAgo(hours))}+00:00`,
    status: 'processing',
    shipping_total: '10.00',
    tax_total: '1.35',
    order_total: '29.35',
    order_currency: 'USD',
    customer_id: '0',
    line_item_1: 'name:Woo Album #4|product_id:93|sku:|quantity:2|total:6.00|sub_total:6.00|tax:0.00',
    line_item_2: 'name:Woo Ninja|product_id:22|sku:|quantity:1|total:12.00|sub_total:12.00|tax:0.00',
    ...cells,
  });
  const csvOf = (...rows: readonly Readonly<Record<string, string>>[]) => listOf('woocommerce-orders', rows, ';');

  it('compares the list with the orders that signed messages have reported', async () => {
    await woocommerce.send(
      messageOf(1, 100),
      messageOf(2, 99),
      messageOf(3, 98, { refunds: [{ id: 31, total: '-9.35' }] }),
      messageOf(4, 97),
      messageOf(5, 96),
    );
    const csv = csvOf(
      rowOf(1, 100),
      rowOf(2, 99, { order_total: '30.00' }),
      rowOf(3, 98, { refund_items: 'amount:9.00|reason:|date:' }),
      rowOf(5, 96, { status: 'cancelled' }),
      rowOf(6, 95),
      rowOf(7, 94, { status: 'pending', paid_date: '' }),
      rowOf(8, 93),
    );
    const compared = await compare(woocommerce.service, woocommerce.path, csv);
    assert.deepEqual(outcomesOf(compared), {
      1: 'matched',
      2: 'amount-differs',
      3: 'refund-differs',
      4: 'missing-there',
      5: 'refund-differs',
      6: 'missing-here',
      8: 'missing-here',
    });
    assert.deepEqual([compared.format, compared.skipped], ['woocommerce-orders', 1]);
    assert.deepEqual([compared.from, compared.until], [hoursAgo(100).toISOString(), hoursAgo(93).toISOString()]);
    const found = compared.orders.find(({ externalId }) => externalId === '3');
    assert.deepEqual([found?.listed?.total, found?.booked?.refunded], [2_935, 935]);
  });

  it('records a missing order with its coupon, then ignores the order’s late message and counts a later refund', async () => {
    const csv = csvOf(rowOf(21, 50, { coupon_items: 'code:ada10|amount:0.00' }), rowOf(22, 49));
    const { service, path } = woocommerce;
    const recorded = await record(service, path, csv, ['22', '21', '21']);
    assert.deepEqual(
      recorded.map(({ externalId, outcome, isAttributed }) => [externalId, outcome, isAttributed]),
      [
        ['22', 'recorded', false],
        ['21', 'recorded', true],
      ],
    );
    assert.deepEqual(await woocommerce.earned('21'), [[woocommerce.ada, 180]]);
    assert.deepEqual(await woocommerce.earned('22'), []);
    const coupons = { coupon_lines: [{ id: 1, code: 'ada10' }] };
    const message = messageOf(21, 50, coupons);
    await woocommerce.send(message, later(message, 10, { refunds: [{ id: 211, total: '-14.67' }] }));
    assert.deepEqual(await woocommerce.earned('21'), [[woocommerce.ada, 90]]);
    const [first, second] = (await woocommerce.events()).slice(-2);
    assert.deepEqual(
      [first?.state, first?.reason, second?.state],
      ['ignored', 'The money of the order has not changed.', 'processed'],
    );
    assert.deepEqual(await record(service, path, csv, ['21']), [
      { externalId: '21', outcome: 'already-recorded', isAttributed: null, reason: null },
    ]);
    assert.deepEqual(outcomesOf(await compare(service, path, csv)), { 21: 'refund-differs', 22: 'matched' });
  });

  it('records the orders of one customer in chronological order, so that a later order shares the referral', async () => {
    const coupon = { coupon_items: 'code:ada10|amount:0.00' };
    const csv = csvOf(rowOf(32, 40, { customer_id: '77' }), rowOf(31, 45, { customer_id: '77', ...coupon }));
    await record(woocommerce.service, woocommerce.path, csv, ['32', '31']);
    assert.deepEqual(await woocommerce.earned('32'), [[woocommerce.ada, 180]]);
  });

  it('refuses orders that can’t be recorded, each with its reason', async () => {
    const rows = {
      41: rowOf(41, 1),
      42: rowOf(42, 31 * 24),
      43: rowOf(43, 48, { refund_items: 'amount:1.00|reason:|date:' }),
      44: rowOf(44, 48, { status: 'completed', paid_date: '' }),
    };
    const csv = csvOf(...Object.values(rows));
    const { service, path } = woocommerce;
    const { orders } = await compare(service, path, csv);
    const obstacles = Object.fromEntries(
      orders.flatMap(({ externalId, obstacle }) => (externalId in rows ? [[externalId, obstacle]] : [])),
    );
    assert.deepEqual(obstacles, { 41: 'too-recent', 42: 'too-old', 43: 'refunded', 44: 'no-time' });
    const refused = await record(service, path, csv, ['41', '42', '43', '44', '45']);
    assert.deepEqual(new Set(refused.map(({ outcome }) => outcome)), new Set(['refused']));
    assert.match(refused[0]?.reason ?? '', /younger than 24 hours/);
    assert.match(refused[1]?.reason ?? '', /older than 30 days/);
    assert.match(refused[2]?.reason ?? '', /has a refund/);
    assert.match(refused[3]?.reason ?? '', /when the order was paid/);
    assert.match(refused[4]?.reason ?? '', /doesn’t contain this order/);
  });

  it('refuses an order that was never reported, if a message has already canceled it', async () => {
    await woocommerce.send(messageOf(51, 10, { status: 'cancelled' }));
    const [refused] = await record(woocommerce.service, woocommerce.path, csvOf(rowOf(51, 60)), ['51']);
    assert.deepEqual(refused, {
      externalId: '51',
      outcome: 'refused',
      isAttributed: null,
      reason: 'A later state of the order was already processed.',
    });
  });

  it('accepts at most 50 orders to record, 5,000 rows and 1,000,000 characters', async () => {
    const { service, path } = woocommerce;
    const csv = csvOf(rowOf(61, 50));
    const many = { csv, externalIds: Array.from({ length: 51 }, (_, at) => String(at)) };
    assert.equal((await post(service, `${path}/reconciliation/record`, many)).status, 422);
    const columns = 'order_id,order_date,paid_date,status,order_total,order_currency,refund_items';
    const rows = Array.from(
      { length: 5_001 },
      (_, at) => `${10_000 + at},2026-11-20 10:00,2026-11-20 10:00,completed,1,USD,`,
    );
    assert.deepEqual(await faultOf(service, path, [columns, ...rows].join('\n')), [
      'too-many',
      'The list has more than 5000 rows. Export shorter periods, and compare them one by one.',
    ]);
    const most = await compare(service, path, [columns, ...rows.slice(1)].join('\n'));
    assert.equal(most.orders.filter(({ outcome }) => outcome === 'missing-here').length, 5_000);
    const long = { csv: 'x'.repeat(MAX_LIST_CHARACTERS + 1) };
    assert.equal((await post(service, `${path}/reconciliation`, long)).status, 422);
  });

  it('accepts at most 1,000 columns, and at most 100,000 bytes for each row', async () => {
    const { service, path } = woocommerce;
    const [header = '', row = ''] = csvOf(rowOf(62, 50)).split('\n');
    const wide = (columns: number): string => header + ';'.repeat(columns - header.split(';').length);
    assert.equal((await compare(service, path, `${wide(1_000)}\n${row}`)).orders.length > 0, true);
    const tooMany = ['too-many', 'The list has more than 1000 columns. Export fewer columns.'];
    assert.deepEqual(await faultOf(service, path, `${wide(1_001)}\n${row}`), tooMany);
    assert.deepEqual(await faultOf(service, path, `${header}\n${row}${';'.repeat(1_000)}`), tooMany);
    const tooLong = ['row-too-long', 'A row of the list has more than 100000 bytes. Export fewer columns.'];
    assert.deepEqual(await faultOf(service, path, `${header}\n"${'x'.repeat(110_000)}"`), tooLong);
  });

  it('refuses a list that isn’t CSV, is from another system, or has an unreadable row', async () => {
    const { service, path } = woocommerce;
    assert.deepEqual(await faultOf(service, path, 'a,b\n"c,d'), [
      'malformed-csv',
      'Line 2 is not CSV. Export the file again, and don’t edit it.',
    ]);
    const [code, detail] = await faultOf(service, path, listOf('shopify-orders', []));
    assert.equal(code, 'missing-columns');
    assert.match(detail, /^The list lacks these columns of the plugin .*: order_id, order_date/);
    assert.deepEqual(await faultOf(service, path, csvOf(rowOf(1, 2, { order_total: 'ten' }))), [
      'invalid-format',
      'Row 2: “ten” in the column order_total is not an amount. Correct the cell, or export the list again.',
    ]);
    const recording = await post(service, `${path}/reconciliation/record`, { csv: 'a', externalIds: ['1'] });
    assert.equal(recording.status, 422);
  });

  it('returns 404 for another organization’s connector, and 409 for a deleted connector', async () => {
    const { service, path } = woocommerce;
    const csv = csvOf(rowOf(1, 100));
    const stranger = await service.foundOrganization('Stranger');
    for (const [call, body] of [
      ['reconciliation', { csv }],
      ['reconciliation/record', { csv, externalIds: ['1'] }],
    ] as const) {
      const foreign = await service.request('POST', `${path}/${call}`, { key: stranger, body });
      assert.equal(foreign.status, 404, foreign.text);
      assert.equal((await post(service, `/v1/connectors/1/${call}`, body)).status, 404);
    }
    const body = { kind: 'woocommerce', name: 'Old', source: 'old' };
    const { id } = (await post(service, '/v1/connectors', body)).body as { id: number };
    await service.request('DELETE', `/v1/connectors/${id}`, { key: service.secretKey });
    const deleted = await post(service, `/v1/connectors/${id}/reconciliation/record`, { csv, externalIds: ['1'] });
    assert.equal(deleted.status, 409, deleted.text);
  });
});

describe('the reconciliation of a Shopify list', () => {
  it('records a missing order with the tracking id of its cart, and a later dispute reverses its commission', async () => {
    const shopify = await openConnectedShop<Readonly<Record<string, unknown>>>({
      kind: 'shopify',
      secret: shopifyMessages.SHOPIFY_SECRET,
      program: PROGRAM,
      sign: (message) => {
        const body = JSON.stringify(message);
        return { body, headers: { 'x-shopify-hmac-sha256': shopifyMessages.signatureOf(body) } };
      },
    });
    const { service, path, ada } = shopify;
    const visit = await post(service, '/v1/event/site-visited', {
      collaboratorId: 'tracking:ada',
      occurredAt: hoursAgo(50).toISOString(),
    });
    const oid = visit.headers.get('x-service-oid') ?? '';
    const paidAt = `${hoursAgo(48).toISOString().slice(0, 19).replace('T', ' ')} +0000`;
    const csv = listOf('shopify-orders', [
      {
        Name: '#1001',
        Id: '6001000000000001',
        'Financial Status': 'paid',
        'Paid at': paidAt,
        'Created at': paidAt,
        Currency: 'USD',
        Total: '50.00',
        'Refunded Amount': '0.00',
        'Lineitem name': 'Mug',
        'Lineitem price': '50.00',
        'Lineitem quantity': '1',
        'Note Attributes': `_whence: ${oid}`,
      },
    ]);
    const [recorded] = await record(service, path, csv, ['6001000000000001']);
    assert.deepEqual([recorded?.outcome, recorded?.isAttributed], ['recorded', true]);
    assert.deepEqual(await shopify.earned('6001000000000001'), [[ada, 500]]);
    const time = hoursAgo(48).toISOString();
    const order = { processed_at: time, updated_at: time, total_price: '50.00' };
    await shopify.send(
      shopifyMessages.order(6_001_000_000_000_001, 0, order),
      shopifyMessages.dispute(71, 6_001_000_000_000_001, { amount: '50.00' }),
    );
    assert.deepEqual(await shopify.earned('6001000000000001'), [[ada, 0]]);
    const { orders } = await compare(service, path, csv);
    assert.equal(orders[0]?.outcome, 'refund-differs');
    await shopify.stop();
  });
});

describe('the reconciliation of a Stripe list', () => {
  let service: TestService;
  let stripe: Connector;
  before(async () => {
    service = await startService();
    await openShop(service).program({ reward: { type: 'percent', percent: 10 }, pays: ['sale', 'renewal'] });
    stripe = await connectStripe(service, { settings: { awaitCheckoutHours: 0 } });
    await stripe.send(
      checkoutCompleted({ mode: 'payment', payment_intent: 'pi_1', amount_total: 5_000 }),
      ...invoicePaid({ id: 'in_1', payment: 'pi_2', amount: 2_000, reason: 'manual' }),
      refundOf('refund.created', { id: 're_1', payment_intent: 'pi_1', amount: 1_000 }),
    );
    await service.settled();
  });
  after(() => service.stop());

  it('matches the payments of sessions and invoices, and can’t record orders', async () => {
    const created = hoursAgo(30).toISOString().slice(0, 16).replace('T', ' ');
    const row = { 'Created (UTC)': created, Currency: 'usd', Status: 'Paid', Captured: 'true' };
    const csv = listOf('stripe-payments', [
      { ...row, id: 'ch_1', 'PaymentIntent ID': 'pi_1', Amount: '50.00', 'Amount Refunded': '10.00' },
      { ...row, id: 'ch_2', 'PaymentIntent ID': 'pi_2', Amount: '20.00', 'Amount Refunded': '0.00' },
      { ...row, id: 'ch_3', 'PaymentIntent ID': 'pi_3', Amount: '9.00', 'Amount Refunded': '0.00' },
    ]);
    const compared = await compare(service, `/v1/connectors/${stripe.id}`, csv);
    assert.deepEqual(outcomesOf(compared), { pi_1: 'matched', in_1: 'matched', pi_3: 'missing-here' });
    assert.equal(compared.orders.at(-1)?.obstacle, 'unsupported');
    const [refused] = await record(service, `/v1/connectors/${stripe.id}`, csv, ['pi_3']);
    assert.match(refused?.reason ?? '', /^This list lacks the data to record orders\./);
  });

  it('accepts a balance report, and compares its payments and refunds', async () => {
    const row = { currency: 'usd', created_utc: hoursAgo(30).toISOString().slice(0, 19).replace('T', ' ') };
    const csv = listOf('stripe-balance', [
      { ...row, reporting_category: 'charge', payment_intent_id: 'pi_1', charge_id: 'ch_1', gross: '50.00' },
      { ...row, reporting_category: 'refund', payment_intent_id: 'pi_1', charge_id: 'ch_1', gross: '-10.00' },
      { ...row, reporting_category: 'charge', payment_intent_id: 'pi_2', charge_id: 'ch_2', gross: '20.01' },
    ]);
    const compared = await compare(service, `/v1/connectors/${stripe.id}`, csv);
    assert.deepEqual(outcomesOf(compared), { pi_1: 'matched', in_1: 'amount-differs' });
  });

  it('refuses a list if more than 5,000 recorded orders of its period are not in the list', async () => {
    const row = {
      'Created (UTC)': '2026-01-01 00:00',
      Currency: 'usd',
      Status: 'Paid',
      Amount: '1',
      'Amount Refunded': '0',
    };
    const csv = listOf('stripe-payments', [
      { ...row, id: 'ch_8', 'PaymentIntent ID': 'pi_8' },
      { ...row, id: 'ch_9', 'PaymentIntent ID': 'pi_9', 'Created (UTC)': '2026-01-02 00:00' },
    ]);
    const path = `/v1/connectors/${stripe.id}`;
    assert.equal((await compare(service, path, csv)).orders.length, 2);
    // Copying a sale in the database is faster than reporting 5,000 orders.
    await service.database.query(
      `insert into transactions (organization_id, id, source, external_id, event_id, opportunity_state, total, currency,
         content_hash, occurred_at)
       select organization_id, nextval('transaction_ids'), source, 'copy-' || n, event_id, opportunity_state, 1, 'USD',
         content_hash, '2026-01-01T12:00:00Z'
       from transactions, generate_series(1, 5001) n where external_id = 'pi_1'`,
    );
    const [code, detail] = await faultOf(service, path, csv);
    assert.equal(code, 'too-many');
    assert.match(detail, /^Whence has more than 5000 orders in the list’s period/);
  });
});

it('refuses a list for a Paddle connector, because Paddle lists can’t be compared', async () => {
  const service = await startService();
  const { id } = (await post(service, '/v1/connectors', { kind: 'paddle', name: 'Paddle' })).body as { id: number };
  assert.deepEqual(await faultOf(service, `/v1/connectors/${id}`, 'id\n'), [
    'unsupported',
    'Lists of this connector’s system can’t be compared. Use a connector for Stripe, Shopify or WooCommerce.',
  ]);
  await service.stop();
});
