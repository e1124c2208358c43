import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Minor } from '#core/money.ts';
import type { JsonObject } from '#connectors/domain/connector.ts';
import {
  type BookedOrder,
  compareOrders,
  nameOrders,
  periodOf,
  possibleNames,
} from '#connectors/domain/reconciliation/comparison.ts';
import { type ListedOrder, obstacleOf } from '#connectors/domain/reconciliation/listed-order.ts';
import { listedKeys, translateListed } from '#connectors/domain/reconciliation/translation.ts';
import type { WholeOrder } from '#connectors/domain/whole-orders.ts';

const NOW = new Date('2026-11-28T12:00:00Z');
const PAID_AT = new Date('2026-11-20T10:00:00Z');
const LIMITS = { now: NOW, lateReportDays: 30 };
const minor = (amount: number) => BigInt(amount) as Minor;

const WHOLE: WholeOrder = {
  externalId: '1',
  modifiedAt: PAID_AT,
  paidAt: PAID_AT,
  isCanceled: false,
  currency: 'EUR',
  total: minor(1_000),
  lines: [],
  refunds: [],
  canLoseRefunds: false,
  canFall: false,
  clues: { trackingIds: [], couponCodes: [] },
  customer: '26',
  buyer: {},
};

function listed(name: string, fields: Partial<ListedOrder> = {}): ListedOrder {
  return {
    names: [name],
    keys: [],
    number: null,
    occurredAt: PAID_AT,
    currency: 'EUR',
    total: minor(1_000),
    refunded: minor(0),
    state: 'paid',
    ...fields,
  };
}

function booked(externalId: string, fields: Partial<BookedOrder> = {}): BookedOrder {
  return { externalId, occurredAt: PAID_AT, currency: 'EUR', total: minor(1_000), refunded: minor(0), ...fields };
}

/**
 * Compares listed orders with recorded orders. Returns the outcome of each order, the compared orders, and the number
 * of skipped orders.
 */
function outcomes(
  orders: readonly ListedOrder[],
  books: readonly BookedOrder[],
  { hasParts, links = {} }: { readonly hasParts?: true; readonly links?: Readonly<Record<string, JsonObject>> } = {},
) {
  const list = { format: 'stripe-payments', ...(hasParts && { hasParts }), orders } as const;
  const byName = new Map(books.map((each) => [each.externalId, each]));
  const find = (kind: string, externalId: string) => links[`${kind}:${externalId}`];
  const named = nameOrders(list, find, (externalId) => byName.has(externalId));
  const names = possibleNames(list, find);
  const others = books.filter(({ externalId }) => !names.includes(externalId));
  const { orders: compared, skipped } = compareOrders(named, byName, others, LIMITS);
  return { outcomes: compared.map(({ externalId, outcome }) => [externalId, outcome]), compared, skipped };
}

describe('the comparison of listed and recorded orders', () => {
  it('finds matching orders, different amounts, different refunds, and orders that are only listed or only recorded', () => {
    const found = outcomes(
      [
        listed('same'),
        listed('other-total', { total: minor(1_001) }),
        listed('other-currency', { currency: 'USD' }),
        listed('other-refund', { refunded: minor(1) }),
        listed('unknown-refund', { refunded: null }),
        listed('here'),
      ],
      [
        booked('same'),
        booked('other-total'),
        booked('other-currency'),
        booked('other-refund'),
        booked('unknown-refund', { refunded: minor(7) }),
        booked('there'),
      ],
    );
    assert.deepEqual(found.outcomes, [
      ['same', 'matched'],
      ['other-total', 'amount-differs'],
      ['other-currency', 'amount-differs'],
      ['other-refund', 'refund-differs'],
      ['unknown-refund', 'matched'],
      ['here', 'missing-here'],
      ['there', 'missing-there'],
    ]);
    assert.deepEqual(
      [found.compared.at(-2)?.obstacle, found.compared.at(-2)?.booked, found.compared.at(-1)?.listed],
      ['unsupported', null, null],
    );
  });

  it('matches a lower listed total if the difference is recorded as refunded', () => {
    const lowered = { total: minor(800), refunded: minor(100) };
    const { outcomes: found } = outcomes(
      [listed('a', lowered), listed('b', lowered), listed('c', { ...lowered, refunded: null })],
      [booked('a', { refunded: minor(300) }), booked('b', { refunded: minor(299) }), booked('c')],
    );
    assert.deepEqual(
      found.map(([, outcome]) => outcome),
      ['matched', 'amount-differs', 'amount-differs'],
    );
  });

  it('skips unpaid orders, but expects a full refund of unpaid orders that are recorded', () => {
    const found = outcomes(
      [
        listed('pending', { state: 'unpaid' }),
        listed('canceled', { state: 'canceled' }),
        listed('free', { total: minor(0) }),
        listed('refund-only', { total: null }),
        listed('failed', { state: 'unpaid' }),
        listed('reversed', { state: 'canceled' }),
      ],
      [booked('failed'), booked('reversed', { refunded: minor(1_000) })],
    );
    assert.deepEqual(found.outcomes, [
      ['failed', 'refund-differs'],
      ['reversed', 'matched'],
    ]);
    assert.equal(found.skipped, 4);
  });

  it('finds the order of a payment through the links of the connector', () => {
    const keys = [
      { kind: 'order', externalId: 'in_1' },
      { kind: 'payment', externalId: 'pi_1' },
    ];
    const payment = listed('in_9', { names: ['in_9', 'pi_1'], keys });
    const links = { 'order:in_1': { type: 'sale' }, 'payment:pi_1': { order: 'in_2' } };
    assert.deepEqual(outcomes([payment], [booked('in_2')], { links }).outcomes, [['in_2', 'matched']]);
    assert.deepEqual(outcomes([payment], [booked('in_1')], { links }).outcomes, [['in_1', 'matched']]);
    assert.deepEqual(outcomes([payment], [booked('pi_1')], { links: { 'payment:pi_1': {} } }).outcomes, [
      ['pi_1', 'matched'],
    ]);
    assert.deepEqual(outcomes([payment], []).outcomes, [['in_9', 'missing-here']]);
  });

  it('adds up the payments and refunds of an order', () => {
    const part = (fields: Partial<ListedOrder>) => listed('in_1', fields);
    const refund = part({ total: null, refunded: minor(300) });
    const compare = (parts: readonly ListedOrder[], total: number, refunded: number) =>
      outcomes(parts, [booked('in_1', { total: minor(total), refunded: minor(refunded) })], { hasParts: true })
        .outcomes;
    const matched = [['in_1', 'matched']];
    assert.deepEqual(compare([part({}), part({ total: minor(500) })], 1_500, 0), matched);
    assert.deepEqual(compare([part({}), refund], 1_000, 300), matched);
    assert.deepEqual(compare([refund, part({})], 1_000, 300), matched);
    assert.deepEqual(compare([refund, refund, part({})], 1_000, 600), matched);
    assert.deepEqual(compare([part({ state: 'unpaid' }), part({})], 1_000, 0), matched);
    assert.deepEqual(compare([part({}), part({ state: 'unpaid' })], 1_000, 0), matched);
    // A refund in another currency can't be compared.
    assert.deepEqual(
      compare([part({}), part({ total: null, refunded: minor(1), currency: 'USD' })], 1_000, 7),
      matched,
    );
    assert.deepEqual(compare([part({ refunded: null }), part({ total: null })], 1_000, 7), matched);
    assert.deepEqual(compare([part({}), part({ refunded: null })], 2_000, 7), matched);
  });

  it('uses only the first of several rows of one order, because each row has the totals of the order', () => {
    assert.deepEqual(outcomes([listed('1'), listed('1')], [booked('1')]).outcomes, [['1', 'matched']]);
  });

  it('covers the period from the first to the last payment', () => {
    const at = (time: string, state: ListedOrder['state'] = 'paid') =>
      listed('x', { occurredAt: new Date(`2026-11-${time}T00:00:00Z`), state });
    const list = { format: 'shopify-orders' } as const;
    assert.deepEqual(periodOf({ ...list, orders: [at('20'), at('18'), at('25'), at('01', 'unpaid')] }), {
      from: new Date('2026-11-18T00:00:00Z'),
      until: new Date('2026-11-25T00:00:00Z'),
    });
    assert.equal(periodOf({ ...list, orders: [at('20', 'unpaid')] }), undefined);
  });
});

describe('an order that is listed but not recorded', () => {
  const orderAt = (hoursAgo: number, fields: Partial<ListedOrder> = {}) =>
    listed('1', { whole: WHOLE, occurredAt: new Date(NOW.getTime() - hoursAgo * 3_600_000), ...fields });

  it('can be recorded if it is complete, at least a day old, not too old for a late report, and not refunded', () => {
    const obstacle = (order: ListedOrder) => obstacleOf(order, NOW, 30);
    assert.equal(obstacle(orderAt(24)), null);
    assert.equal(obstacle(orderAt(30 * 24)), null);
    assert.equal(obstacle(orderAt(23.9)), 'too-recent');
    assert.equal(obstacle(orderAt(30 * 24 + 1)), 'too-old');
    assert.equal(obstacle(orderAt(48, { refunded: minor(1) })), 'refunded');
    assert.equal(obstacle(orderAt(48, { refunded: null })), 'refunded');
    assert.equal(obstacle(orderAt(48, { whole: { ...WHOLE, paidAt: undefined } })), 'no-time');
    assert.equal(obstacle(listed('1')), 'unsupported');
  });

  it('is translated to the same report and the same order and customer links as its webhook message', () => {
    assert.deepEqual(listedKeys(listed('1')), []);
    assert.deepEqual(listedKeys({ whole: WHOLE }), [
      { kind: 'order', externalId: '1' },
      { kind: 'customer', externalId: '26' },
    ]);
    const none = () => undefined;
    const woocommerce = translateListed('woocommerce', WHOLE, none, 'woocommerce');
    assert.ok(woocommerce.kind === 'translated');
    const [sale, ...rest] = woocommerce.reports;
    assert.ok(sale?.verb === 'sale' && rest.length === 0);
    assert.deepEqual([sale.externalId, sale.total, sale.occurredAt], ['1', 1_000n, PAID_AT]);
    assert.deepEqual(
      woocommerce.links.map(({ kind }) => kind),
      ['order', 'customer'],
    );
    const shopify = translateListed('shopify', WHOLE, none, 'shopify');
    assert.ok(shopify.kind === 'translated');
    assert.deepEqual(shopify.links.at(-1), {
      kind: 'money',
      externalId: '1',
      value: { currency: 'EUR', total_price: '10.00' },
    });
  });

  it('is ignored if a later message canceled it before it was reported', () => {
    const canceled = () => ({ modifiedAt: '2026-11-21T00:00:00.000Z' });
    assert.equal(translateListed('shopify', WHOLE, canceled, 'shopify').kind, 'ignored');
  });
});
