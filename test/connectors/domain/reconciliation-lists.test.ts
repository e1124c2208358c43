import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { ConnectorKind, JsonObject } from '#connectors/domain/connector.ts';
import { type ListedOrder, MAX_LISTED_ROWS } from '#connectors/domain/reconciliation/listed-order.ts';
import { type ListOutcome, readList } from '#connectors/domain/reconciliation/lists.ts';
import { readCsv } from '#platform/http/read-csv.ts';

async function read(kind: ConnectorKind, text: string, settings: JsonObject = {}): Promise<ListOutcome> {
  const reading = await readCsv(text, 1 + MAX_LISTED_ROWS);
  assert.ok(reading.kind === 'table');
  return readList(kind, reading.table, settings);
}

function recorded(name: string): string {
  return readFileSync(new URL(`../fixtures/lists/${name}.csv`, import.meta.url), 'utf8');
}

async function ordersOf(kind: ConnectorKind, text: string, settings: JsonObject = {}): Promise<readonly ListedOrder[]> {
  const reading = await read(kind, text, settings);
  assert.ok(reading.kind === 'read', reading.kind);
  return reading.list.orders;
}

const rowOf = ({ names: [name], total, refunded, currency, state }: ListedOrder) => [
  name,
  total === null ? null : Number(total),
  refunded === null ? null : Number(refunded),
  currency,
  state,
];

/** Returns a CSV text with one cell replaced. Row 1 is the header. The text must have no quoted cells. */
function withCell(text: string, row: number, column: string, cell: string, separator = ','): string {
  const lines = text.split('\n');
  const at = (lines[0] ?? '').split(separator).indexOf(column);
  assert.ok(at >= 0, column);
  const cells = (lines[row - 1] ?? '').split(separator);
  lines[row - 1] = cells.map((each, index) => (index === at ? cell : each)).join(separator);
  return lines.join('\n');
}

async function faultOf(kind: ConnectorKind, text: string): Promise<string> {
  const reading = await read(kind, text);
  assert.ok(reading.kind === 'unreadable-row', JSON.stringify(reading.kind));
  return `${reading.row}: ${reading.reason}`;
}

describe('the reader of Stripe’s payment export', () => {
  it('reads amounts, refunds, disputes and failed payments', async () => {
    const orders = await ordersOf('stripe', recorded('stripe-payments'));
    assert.deepEqual(orders.map(rowOf), [
      ['pi_1', 123_450, 3_450, 'USD', 'paid'],
      ['in_2', 500_000, 0, 'JPY', 'paid'],
      ['pi_3', 1_235, 0, 'KWD', 'paid'],
      ['pi_4', 900, 0, 'EUR', 'unpaid'],
      ['pi_5', 2_000, 2_000, 'EUR', 'paid'],
    ]);
    assert.equal(orders[0]?.occurredAt.toISOString(), '2026-11-20T10:00:00.000Z');
    assert.deepEqual(orders[1]?.keys, [
      { kind: 'order', externalId: 'in_2' },
      { kind: 'payment', externalId: 'pi_2' },
      { kind: 'charge', externalId: 'ch_2' },
    ]);
  });

  const minimal = (cells: string): string =>
    `id,Created date (UTC),Amount,Amount Refunded,Currency,Status,PaymentIntent ID,Invoice ID,Dispute Status,Disputed Amount\n${cells}\n`;

  it('counts an open dispute only if the connector reverses opened disputes', async () => {
    const lost = { reverseDisputes: 'lost' };
    for (const [status, settings, refunded] of [
      ['needs_response', {}, 2_000],
      ['needs_response', lost, 0],
      ['lost', lost, 2_000],
      ['won', {}, 0],
      ['Warning needs response', {}, 0],
    ] as const) {
      const text = minimal(`ch_1,2026-11-20 10:00:00,20.00,0.00,eur,Paid,pi_1,,${status},20.00`);
      const [order] = await ordersOf('stripe', text, settings);
      assert.equal(Number(order?.refunded), refunded, status);
    }
  });

  it('skips a row without ids, and identifies a payment by any of its ids', async () => {
    const text = minimal(
      [
        ',2026-11-20 10:00,1.00,0,eur,Paid,,,,',
        'ch_1,2026-11-20 10:00,1.00,0,eur,Paid,,,,',
        ',2026-11-20 10:00,1.00,0,eur,Paid,pi_2,,,',
      ].join('\n'),
    );
    const orders = await ordersOf('stripe', text);
    assert.deepEqual(
      orders.map(({ names, keys }) => [names, keys]),
      [
        [['ch_1'], [{ kind: 'charge', externalId: 'ch_1' }]],
        [['pi_2'], [{ kind: 'payment', externalId: 'pi_2' }]],
      ],
    );
  });

  it('reports the row and the column of a value that can’t be read', async () => {
    const row = (created: string, amount: string, currency: string): string =>
      minimal(`ch_1,${created},${amount},0,${currency},Paid,pi_1,,,`);
    assert.equal(
      await faultOf('stripe', row('20.11.2026', '1', 'eur')),
      '2: “20.11.2026” in the column Created date (UTC) is not a time.',
    );
    assert.equal(await faultOf('stripe', row('', '1', 'eur')), '2: “” in the column Created date (UTC) is not a time.');
    assert.equal(
      await faultOf('stripe', row('2026-11-20 10:00', 'ten', 'eur')),
      '2: “ten” in the column Amount is not an amount.',
    );
    assert.equal(
      await faultOf('stripe', row('2026-11-20 10:00', '1', 'xx')),
      '2: “xx” in the column Currency is not a currency.',
    );
  });
});

describe('the reader of Stripe’s balance report', () => {
  it('reads payments and refunds in separate rows, in the currency of the payment', async () => {
    const orders = await ordersOf('stripe', recorded('stripe-balance'));
    assert.deepEqual(orders.map(rowOf), [
      ['pi_1', 4_320, 0, 'USD', 'paid'],
      ['pi_1', null, 2_160, 'USD', 'paid'],
      ['in_2', 10_000, 0, 'EUR', 'paid'],
      ['in_2', null, 10_000, 'EUR', 'paid'],
      ['in_2', null, -10_000, 'EUR', 'paid'],
      ['pi_9', null, 700, 'EUR', 'paid'],
    ]);
  });

  it('skips a charge without ids, and reports a value that can’t be read', async () => {
    const text = recorded('stripe-balance');
    const row = (time: string, id: string): string =>
      `created_utc,currency,gross,reporting_category,charge_id,payment_intent_id,invoice_id\n${time},eur,1.00,charge,${id},,`;
    assert.deepEqual(await ordersOf('stripe', row('2026-11-20 10:00:00', '')), []);
    assert.equal(
      await faultOf('stripe', row('yesterday', 'ch_1')),
      '2: “yesterday” in the column created_utc is not a time.',
    );
    assert.ok(text.includes('payout'));
  });
});

describe('the reader of Shopify’s order export', () => {
  it('reads the totals in the first row of an order', async () => {
    const orders = await ordersOf('shopify', recorded('shopify-orders'));
    assert.deepEqual(orders.map(rowOf), [
      ['6001000000000001', 3_998, 0, 'USD', 'paid'],
      ['6001000000000002', 1_000, 0, 'USD', 'unpaid'],
      ['6001000000000003', 1_000, 400, 'USD', 'paid'],
      ['6001000000000004', 1_000, 1_000, 'USD', 'canceled'],
      ['6001000000000005', 11_900, 0, 'USD', 'paid'],
    ]);
    const [first] = orders;
    assert.equal(first?.number, '#1001');
    assert.equal(first.occurredAt.toISOString(), '2026-11-20T15:00:00.000Z');
  });

  const linesOf = (order: ListedOrder | undefined) =>
    order?.whole?.lines.map(({ type, name, externalId, quantity, total }) => [
      type,
      name,
      externalId,
      quantity,
      Number(total),
    ]);

  it('reads tracking ids, discount codes, and lines that add up to the total', async () => {
    const [first] = await ordersOf('shopify', recorded('shopify-orders'));
    assert.deepEqual(linesOf(first), [
      ['product', 'Mug', 'MUG', 2, 2_398],
      ['product', 'Print, framed', null, 1, 1_000],
      ['discount', 'Discount', null, 1, -200],
      ['shipping', 'Shipping', null, 1, 500],
      ['tax', 'Tax', null, 1, 300],
    ]);
    assert.deepEqual(first?.whole?.clues, { trackingIds: ['4711'], couponCodes: ['ADA10', 'SUMMER'] });
  });

  it('excludes included tax from the products and the shipping', async () => {
    const orders = await ordersOf('shopify', recorded('shopify-orders'));
    assert.deepEqual(linesOf(orders[4]), [
      ['product', 'Mug', 'MUG', 1, 8_403],
      ['shipping', 'Shipping', null, 1, 1_597],
      ['tax', 'Tax', null, 1, 1_900],
    ]);
  });

  const columns =
    'Name,Id,Financial Status,Paid at,Created at,Cancelled at,Currency,Total,Refunded Amount,Lineitem name,Lineitem price,Lineitem quantity,Shipping,Taxes,Discount Amount';
  const order = (cells: Readonly<Record<string, string>>): string => {
    const usual: Readonly<Record<string, string>> = {
      Name: '#1',
      Id: '1',
      'Financial Status': 'paid',
      'Paid at': '2026-11-20 10:00:00 +0000',
      Currency: 'USD',
      Total: '5.00',
      'Lineitem name': 'Mug',
      'Lineitem price': '5.00',
      'Lineitem quantity': '1',
    };
    return `${columns}\n${columns
      .split(',')
      .map((name) => cells[name] ?? usual[name] ?? '')
      .join(',')}\n`;
  };

  it('adds a line for the difference between the total and the listed amounts', async () => {
    const [higher] = await ordersOf('shopify', order({ Total: '7.50', 'Lineitem name': '', 'Lineitem quantity': 'x' }));
    assert.deepEqual(linesOf(higher), [
      ['product', 'Item', null, 1, 500],
      ['fee', 'Other', null, 1, 250],
    ]);
    const [lower] = await ordersOf('shopify', order({ Total: '4.00', Taxes: '0.50' }));
    assert.deepEqual(linesOf(lower)?.at(-1), ['discount', 'Other', null, 1, -150]);
    const [free] = await ordersOf('shopify', order({ Total: '0', Taxes: '1', 'Lineitem price': '0' }));
    assert.equal(linesOf(free)?.at(-1)?.[4], -100);
    const [negative] = await ordersOf('shopify', order({ Total: '-5.00', Taxes: '1', 'Lineitem price': '-5.00' }));
    assert.deepEqual(rowOf(negative as ListedOrder), ['1', -500, 0, 'USD', 'paid']);
  });

  it('recognizes a voided order, and a paid order without a time of payment', async () => {
    const [voided] = await ordersOf('shopify', order({ 'Financial Status': 'voided' }));
    assert.equal(voided?.state, 'canceled');
    const [untimed] = await ordersOf('shopify', order({ 'Paid at': '', 'Created at': '2026-11-20 09:00:00 +0000' }));
    assert.deepEqual([untimed?.state, untimed?.whole?.paidAt], ['paid', undefined]);
  });

  it('reports the row and the column of a value that can’t be read', async () => {
    for (const [column, cell] of [
      ['Id', '6.04E+12'],
      ['Paid at', '11/20/26'],
      ['Currency', 'dollars'],
      ['Total', '5.-'],
      ['Refunded Amount', '-'],
      ['Lineitem price', 'free'],
      ['Shipping', 'x'],
      ['Taxes', 'x'],
      ['Discount Amount', 'x'],
    ] as const) {
      assert.match(
        await faultOf('shopify', order({ [column]: cell })),
        new RegExp(`^2: “.*” in the column ${column} is not an? `),
      );
    }
  });

  it('reports an order’s first row without an id as a fault', async () => {
    assert.match(await faultOf('shopify', order({ Id: '' })), /in the column Id is not an id/);
  });
});

describe('the reader of a WooCommerce plugin’s order export', () => {
  it('reads the orders with their refunds and states', async () => {
    const orders = await ordersOf('woocommerce', recorded('woocommerce-orders'));
    assert.deepEqual(orders.map(rowOf), [
      ['727', 2_935, 0, 'USD', 'paid'],
      ['723', 3_900, 1_900, 'USD', 'paid'],
      ['724', 500, 0, 'USD', 'unpaid'],
      ['725', 500, 500, 'USD', 'canceled'],
      ['726', 500, 0, 'USD', 'paid'],
    ]);
    assert.deepEqual(
      orders.map(({ number }) => number),
      ['A-727', null, null, null, null],
    );
    assert.deepEqual(
      [orders[0]?.whole?.paidAt?.toISOString(), orders[4]?.whole?.paidAt],
      ['2026-11-20T16:28:08.000Z', undefined],
    );
  });

  it('reads coupon codes, the customer, and lines that add up to the total', async () => {
    const [first] = await ordersOf('woocommerce', recorded('woocommerce-orders'));
    assert.deepEqual(
      first?.whole?.lines.map(({ type, name, externalId, quantity, total }) => [
        type,
        name,
        externalId,
        quantity,
        Number(total),
      ]),
      [
        ['product', 'Woo Album #4', '93', 2, 600],
        ['product', 'Woo | Ninja', 'NINJA', 1, 1_200],
        ['shipping', 'Shipping', null, 1, 1_000],
        ['tax', 'Tax', null, 1, 135],
      ],
    );
    assert.deepEqual(first.whole.clues, { trackingIds: [], couponCodes: ['ada10', 'winter'] });
    assert.equal(first.whole.customer, '26');
  });

  const columns =
    'order_id,order_date,paid_date,status,order_total,order_currency,refund_items,customer_id,fee_total,line_item_1,meta:_whence,discount_total';
  const order = (cells: Readonly<Record<string, string>>): string => {
    const usual: Readonly<Record<string, string>> = {
      order_id: '1',
      paid_date: '2026-11-20T10:00:00+00:00',
      status: 'completed',
      order_total: '5.00',
      order_currency: 'EUR',
    };
    return `${columns}\n${columns
      .split(',')
      .map((name) => cells[name] ?? usual[name] ?? '')
      .join(',')}\n`;
  };
  const linesOf = ([first]: readonly ListedOrder[]) =>
    first?.whole?.lines.map(({ type, name, quantity, total }) => [type, name, quantity, Number(total)]);

  it('creates one line for the total of all items that can’t be read', async () => {
    for (const item of ['Mug', 'name:Mug|product_id:3|quantity:2|total:5.00']) {
      assert.deepEqual(linesOf(await ordersOf('woocommerce', order({ line_item_1: item }))), [
        ['product', 'Other items', 1, 500],
      ]);
    }
    const lower = await ordersOf(
      'woocommerce',
      order({ line_item_1: 'Mug|product_id:|quantity:x|sub_total:6.00', fee_total: '-0.50' }),
    );
    assert.deepEqual(linesOf(lower), [
      ['product', 'Mug', 1, 600],
      ['discount', 'Fees', 1, -50],
      ['discount', 'Other items', 1, -50],
    ]);
  });

  it('reads the tracking id in exported metadata, counts negative refunds, and skips unreadable refunds', async () => {
    const [first] = await ordersOf(
      'woocommerce',
      order({ 'meta:_whence': '4711', refund_items: 'amount:-2.00|reason:a;b;amount:x' }),
    );
    assert.deepEqual(first?.whole?.clues.trackingIds, ['4711']);
    assert.equal(Number(first?.refunded), 200);
  });

  it('counts an order only once if it has a row for each item', async () => {
    const text = order({});
    const row = text.split('\n')[1] ?? '';
    assert.equal((await ordersOf('woocommerce', `${text}${row}\n`)).length, 1);
  });

  it('reports the row and the column of a value that can’t be read', async () => {
    const text = recorded('woocommerce-orders').replaceAll('\r', '');
    assert.match(await faultOf('woocommerce', order({ order_id: 'A-1' })), /order_id is not an id/);
    assert.match(await faultOf('woocommerce', order({ paid_date: 'today' })), /paid_date is not a time/);
    assert.match(await faultOf('woocommerce', order({ order_currency: '€' })), /order_currency is not a currency/);
    assert.match(await faultOf('woocommerce', order({ discount_total: '1.2.3' })), /discount_total is not an amount/);
    assert.match(
      await faultOf('woocommerce', withCell(text, 2, 'order_total', '1,234', ';')),
      /^2: “1,234” in the column order_total is not an amount/,
    );
  });
});

describe('a list of orders', () => {
  it('is recognized by its columns, in any order and among other columns', async () => {
    assert.deepEqual(await read('stripe', recorded('shopify-orders')), {
      kind: 'other-columns',
      format: 'stripe-payments',
      missing: ['id', 'Amount', 'Amount Refunded', 'Status', 'PaymentIntent ID', 'Invoice ID'],
    });
    const reversed = recorded('stripe-balance')
      .split('\n')
      .map((line) => line.split(',').toReversed().join(','))
      .join('\n');
    assert.equal((await ordersOf('stripe', reversed)).length, 6);
  });

  it('is refused with the names of missing columns, as for Stripe’s default export', async () => {
    const columns =
      'id,Created date (UTC),Amount,Amount Refunded,Currency,Captured,Status,Customer ID,Invoice ID,Transfer';
    const reading = await read('stripe', `${columns}\n`);
    assert.deepEqual(reading, { kind: 'other-columns', format: 'stripe-payments', missing: ['PaymentIntent ID'] });
  });

  it('can have a header without rows, and can have at most 5,000 rows', async () => {
    const [header = ''] = recorded('stripe-balance').split('\n');
    const row = '\ntxn,2026-11-20 10:00:00,,eur,1.00,,,charge,,,,,,,ch_1';
    assert.deepEqual(await ordersOf('stripe', header), []);
    assert.equal((await ordersOf('stripe', header + row.repeat(5_000))).length, 5_000);
    assert.deepEqual(await read('stripe', header + row.repeat(5_001)), { kind: 'too-long' });
    assert.equal((await read('stripe', '')).kind, 'other-columns');
  });

  it('is not supported for Paddle and Polar', async () => {
    assert.deepEqual(await read('paddle', 'id\n'), { kind: 'unsupported' });
    assert.deepEqual(await read('polar', 'id\n'), { kind: 'unsupported' });
  });
});
