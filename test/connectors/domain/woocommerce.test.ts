import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { ConnectorEvent, JsonObject, Translation } from '#connectors/domain/connector.ts';
import type { Report } from '#connectors/domain/report.ts';
import { ORDER_DELETED, ORDER_UPDATED, timeIn, woocommerce } from '#connectors/domain/woocommerce/translator.ts';
import { later, type Order, recordedOrder } from '../woocommerce-orders.ts';

/** Returns a translator of messages that needs no service, because it keeps links in memory. */
function translated() {
  const links = new Map<string, JsonObject>();
  const reports: Report[] = [];
  return {
    reports,
    verbs: () => reports.map(({ verb }) => verb),
    take: (order: Order): Translation => {
      const payload = JSON.parse(JSON.stringify(order)) as JsonObject;
      const occurredAt = timeIn(payload, 'date_modified_gmt') ?? new Date('2026-01-01T00:00:00Z');
      const type = order['status'] === undefined ? ORDER_DELETED : ORDER_UPDATED;
      const event: ConnectorEvent = { id: '1', type, occurredAt, payload };
      const asked = new Set(woocommerce.linkKeys(event).map(({ kind, externalId }) => `${kind}:${externalId}`));
      const find = (kind: string, externalId: string) => {
        assert.ok(asked.has(`${kind}:${externalId}`));
        return links.get(`${kind}:${externalId}`);
      };
      const made = woocommerce.translate(event, find, {}, { source: 'woocommerce', waitedHours: 0 });
      if (made.kind === 'translated') reports.push(...made.reports);
      if (made.kind === 'translated' || made.kind === 'ignored') {
        for (const { kind, externalId, value } of made.links ?? []) links.set(`${kind}:${externalId}`, value);
      }
      return made;
    },
  };
}

const PAID = recordedOrder('727-processing');

describe('a WooCommerce order', () => {
  it('is reported with the email address and the name of its buyer', () => {
    const { take, reports } = translated();
    take(PAID);
    assert.ok(reports[0]?.verb === 'sale');
    assert.deepEqual(reports[0].buyer, { email: 'john.doe@example.com', name: 'John Doe' });
  });

  it('is a sale with its products, discount, shipping, fees and tax, which add up to the total', () => {
    const { take, reports } = translated();
    take(
      recordedOrder('727-processing', {
        total: '26.85',
        discount_total: '4.50',
        fee_lines: [{ id: 1, name: 'Gift wrap', total: '2.00' }],
      }),
    );
    const [sale] = reports;
    assert.ok(sale?.verb === 'sale');
    assert.deepEqual([sale.externalId, sale.total, sale.currency], ['727', 2685n, 'USD']);
    assert.deepEqual(
      sale.lines.map(({ type, quantity, total }) => [type, quantity, Number(total)]),
      [
        ['product', 2, 600],
        ['product', 1, 1200],
        ['discount', 1, -450],
        ['shipping', 1, 1000],
        ['fee', 1, 200],
        ['tax', 1, 135],
      ],
    );
    assert.equal(sale.occurredAt.toISOString(), '2017-03-22T19:28:08.000Z');
  });

  it('has a separate line for the cents of WooCommerce’s rounding differences', () => {
    const { take, reports } = translated();
    take(recordedOrder('727-processing', { total: '29.36' }));
    const [sale] = reports;
    assert.ok(sale?.verb === 'sale');
    assert.equal(
      sale.lines.reduce((sum, { total }) => sum + total, 0n),
      2936n,
    );
    assert.deepEqual(sale.lines.at(-1)?.type, 'fee');
  });

  it('has a line for each item with a valid amount, even without a name or article number', () => {
    const linesOf = (fields: Record<string, unknown>) => {
      const { take, reports } = translated();
      const none = { line_items: [], shipping_total: '0.00', total_tax: '0.00', fee_lines: [] };
      take(recordedOrder('727-processing', { ...none, total: '10.00', ...fields }));
      const [sale] = reports;
      assert.ok(sale?.verb === 'sale');
      return sale.lines.map(({ externalId, name, type, quantity, total }) => [
        externalId,
        name,
        type,
        quantity,
        Number(total),
      ]);
    };
    assert.deepEqual(linesOf({ shipping_total: null }), [[null, 'Rounding', 'fee', 1, 1000]]);
    assert.deepEqual(
      linesOf({
        line_items: [
          { product_id: 93, sku: null, name: 'Mug', quantity: 2, subtotal: '8.00' },
          { name: '\0', subtotal: '3.00' },
          { sku: 'x', quantity: -1, subtotal: 'much' },
          { sku: 'y', name: 'Box', quantity: -1, subtotal: '2.00' },
          { quantity: 0.5, subtotal: '1.00' },
        ],
        fee_lines: [{ total: '-1.50' }, { total: '0.50' }],
      }),
      [
        ['93', 'Mug', 'product', 2, 800],
        [null, 'Item', 'product', 1, 300],
        ['y', 'Box', 'product', 1, 200],
        [null, 'Item', 'product', 1, 100],
        [null, 'Fee', 'discount', 1, -150],
        [null, 'Fee', 'fee', 1, 50],
        [null, 'Rounding', 'discount', 1, -300],
      ],
    );
  });

  it('is reported once it is paid, or once its status is completed and it has no time of payment', () => {
    const { take, verbs } = translated();
    const unpaid = recordedOrder('727-processing', { status: 'pending', date_paid: null, date_paid_gmt: null });
    assert.equal(take(unpaid).kind, 'ignored');
    take(later(PAID, 1, {}));
    assert.deepEqual(verbs(), ['sale']);
    const manual = translated();
    manual.take(recordedOrder('723-completed'));
    assert.deepEqual(manual.verbs(), ['sale', 'refund', 'refund']);
    const undated = translated();
    undated.take(recordedOrder('723-completed', { date_completed_gmt: null }));
    const [sale] = undated.reports;
    assert.equal(sale?.occurredAt.toISOString(), '2017-03-21T19:54:51.000Z');
  });

  it('has its referral in the metadata and in the coupons', () => {
    const { take, reports } = translated();
    const meta = [
      { id: 1, key: '_whence', value: '5214909912345678' },
      { id: 2, key: '_other', value: '7' },
    ];
    take(recordedOrder('727-processing', { meta_data: meta, coupon_lines: [{ id: 3, code: 'ada10' }] }));
    const [sale] = reports;
    assert.ok(sale?.verb === 'sale');
    assert.deepEqual(sale.referral.trackingIds, ['5214909912345678']);
    assert.deepEqual(sale.referral.couponCodes, ['ada10']);
  });

  it('accepts a tracking id that is a number, and skips metadata and coupons without text', () => {
    const { take, reports } = translated();
    const meta_data = [
      { id: 1, key: 'whence', value: 7 },
      { id: 2, key: 'whence', value: {} },
    ];
    take(recordedOrder('727-processing', { meta_data, coupon_lines: [{ id: 3 }] }));
    const [sale] = reports;
    assert.ok(sale?.verb === 'sale');
    assert.deepEqual([sale.referral.trackingIds, sale.referral.couponCodes], [['7'], []]);
  });

  it('shares the referral of an earlier order of the same customer, unless the customer is a guest', () => {
    const { take, reports } = translated();
    const earlierOf = (report: Report | undefined) =>
      report?.verb === 'sale' ? report.referral.sameCustomerAs : undefined;
    take(recordedOrder('727-processing', { customer_id: 26 }));
    take(recordedOrder('723-completed'));
    assert.deepEqual(earlierOf(reports[1]), { source: 'woocommerce', externalId: '727' });
    const guests = translated();
    guests.take(PAID);
    guests.take({ ...PAID, id: 728 });
    assert.equal(earlierOf(guests.reports[1]), null);
  });

  it('reports each refund once, and reverses a refund that is deleted', () => {
    const { take, reports, verbs } = translated();
    const refund = { id: 900, reason: '', total: '-10.00' };
    take(PAID);
    take(later(PAID, 1, { refunds: [refund] }));
    take(later(PAID, 2, { refunds: [refund], status: 'completed' }));
    assert.deepEqual(verbs(), ['sale', 'refund']);
    take(later(PAID, 3, { refunds: [] }));
    assert.deepEqual(verbs(), ['sale', 'refund', 'refund-reversal']);
    const [, given, reversal] = reports;
    assert.ok(given?.verb === 'refund' && reversal?.verb === 'refund-reversal');
    assert.deepEqual([given.refundId, given.given], ['900', { kind: 'amount', amount: 1000n, isUpTo: true }]);
    assert.equal(reversal.refundId, '900');
  });

  it('reports a positive refund, ignores refunds of 0.00 or without an id, and fails for a refund without an amount', () => {
    const { take, reports } = translated();
    take(PAID);
    take(
      later(PAID, 1, {
        refunds: [{ id: 1, total: '0.00' }, { id: 2, total: '3.00' }, { total: '-9.00' }],
      }),
    );
    assert.deepEqual(
      reports.flatMap((report) => (report.verb === 'refund' ? [report.refundId, report.given] : [])),
      ['2', { kind: 'amount', amount: 300n, isUpTo: true }],
    );
    assert.equal(take(later(PAID, 2, { refunds: [{ id: 4 }] })).kind, 'failed');
  });

  for (const status of ['cancelled', 'failed', 'refunded', 'trash']) {
    it(`is refunded in full when its status becomes ${status}, and restored when it is paid again`, () => {
      const { take, reports, verbs } = translated();
      take(PAID);
      take(later(PAID, 1, { status }));
      take(later(PAID, 2, { status: 'processing' }));
      take(later(PAID, 3, { status }));
      assert.deepEqual(verbs(), ['sale', 'refund', 'refund-reversal', 'refund']);
      assert.deepEqual(
        reports.slice(1).map((report) => 'refundId' in report && report.refundId),
        ['canceled-1', 'canceled-1', 'canceled-2'],
      );
    });
  }

  it('gives a new id to a refund that appears again, because the refund with its first id was reversed', () => {
    const { take, reports } = translated();
    const refunds = [{ id: 900, total: '-10.00' }];
    take(PAID);
    for (const minutes of [1, 3, 5]) {
      take(later(PAID, minutes, { refunds }));
      take(later(PAID, minutes + 1, { refunds: [] }));
    }
    assert.deepEqual(
      reports.slice(1).map((report) => [report.verb, 'refundId' in report && report.refundId]),
      ['900', '900-2', '900-3'].flatMap((id) => [
        ['refund', id],
        ['refund-reversal', id],
      ]),
    );
  });

  it('keeps its refunds if a message of the same second lacks them, because that message can be older', () => {
    const { take, verbs } = translated();
    const refunds = [{ id: 900, total: '-10.00' }];
    take(PAID);
    take(later(PAID, 1, { refunds }));
    take(later(PAID, 1, {}));
    take(later(PAID, 2, { refunds, status: 'cancelled' }));
    take(later(PAID, 2, { refunds }));
    assert.deepEqual(verbs(), ['sale', 'refund', 'refund']);
    take(later(PAID, 3, { refunds }));
    assert.deepEqual(verbs(), ['sale', 'refund', 'refund', 'refund-reversal']);
  });

  it('is not reported if its cancellation or deletion arrives before the older message about its payment', () => {
    for (const gone of [later(PAID, 5, { status: 'cancelled' }), { id: 727 }]) {
      const { take, verbs } = translated();
      assert.equal(take(gone).kind, 'ignored');
      assert.equal(take(PAID).kind, 'ignored');
      assert.equal(take(gone).kind, 'ignored');
      assert.deepEqual(verbs(), []);
      take({ ...PAID, date_modified_gmt: '2027-01-01T00:00:00' });
      assert.deepEqual(verbs(), ['sale']);
    }
  });

  it('is refunded in full when it is deleted', () => {
    const { take, verbs } = translated();
    take(PAID);
    take(later(PAID, 1, { refunds: [{ id: 1, total: '-1.00' }] }));
    take({ id: 727 });
    assert.deepEqual(verbs(), ['sale', 'refund', 'refund']);
    assert.equal(take({ id: 999 }).kind, 'ignored');
    const undated = translated();
    undated.take({ ...PAID, date_modified_gmt: null });
    assert.deepEqual(undated.verbs(), ['sale']);
  });

  it('is corrected when its total is lowered or raised, and the correction is reported before its new refunds', () => {
    const { take, reports, verbs } = translated();
    take(PAID);
    take(later(PAID, 1, { total: '19.35' }));
    take(later(PAID, 2, { total: '25.35', refunds: [{ id: 1, total: '-1.00' }] }));
    take(later(PAID, 3, { total: '25.35', refunds: [{ id: 1, total: '-1.00' }] }));
    assert.deepEqual(verbs(), ['sale', 'correction', 'correction', 'refund']);
    assert.deepEqual(
      reports.flatMap((report) => (report.verb === 'correction' ? [[report.correctionId, report.total]] : [])),
      [
        ['edited-1', 1935n],
        ['edited-2', 2535n],
      ],
    );
    for (const report of reports)
      if (report.verb === 'correction')
        assert.equal(
          report.lines.reduce((sum, { total }) => sum + total, 0n),
          report.total,
        );
  });

  it('is corrected after the reversal of a deleted refund or of its cancellation', () => {
    const { take, verbs } = translated();
    take(PAID);
    take(later(PAID, 1, { refunds: [{ id: 1, total: '-20.00' }] }));
    take(later(PAID, 2, { total: '10.00', refunds: [] }));
    take(later(PAID, 3, { total: '10.00', status: 'cancelled' }));
    take(later(PAID, 4, { total: '12.00' }));
    const edits = ['refund', 'refund-reversal', 'correction', 'refund', 'refund-reversal', 'correction'];
    assert.deepEqual(verbs(), ['sale', ...edits]);
  });

  it('fails if its currency, total or id is missing or invalid', () => {
    const { take } = translated();
    assert.equal(take(recordedOrder('727-processing', { currency: 'ZZZ' })).kind, 'failed');
    assert.equal(take(recordedOrder('727-processing', { currency: null })).kind, 'failed');
    assert.equal(take(recordedOrder('727-processing', { total: 'a lot' })).kind, 'failed');
    assert.equal(take(recordedOrder('727-processing', { total: null })).kind, 'failed');
    assert.equal(take({ ...PAID, id: 'x' as unknown as number }).kind, 'failed');
    assert.equal(take({ ...PAID, id: null as unknown as number }).kind, 'failed');
  });

  it('is ignored if its total is 0', () => {
    const { take } = translated();
    assert.equal(take(recordedOrder('727-processing', { total: '0.00' })).kind, 'ignored');
  });

  it('has the same refunds for any sequence of its messages, each sent twice, if the newest message arrives last', () => {
    const [first, second] = [
      { id: 900, total: '-10.00' },
      { id: 901, total: '-5.00' },
    ];
    const story = [
      PAID,
      later(PAID, 1, { refunds: [first] }),
      later(PAID, 2, { refunds: [first, second] }),
      later(PAID, 3, { refunds: [second] }),
      later(PAID, 4, { refunds: [second], status: 'cancelled' }),
      later(PAID, 5, { refunds: [second], status: 'completed' }),
    ];
    const standing = (orders: readonly Order[]) => {
      const { take, reports } = translated();
      for (const order of orders) take(order);
      const open = new Set<string>();
      for (const report of reports) {
        if (report.verb === 'refund') open.add(report.refundId);
        if (report.verb === 'refund-reversal') open.delete(report.refundId);
      }
      return [reports.filter(({ verb }) => verb === 'sale').length, [...open].toSorted()];
    };
    const last = story.at(-1) as Order;
    fc.assert(
      fc.property(fc.shuffledSubarray([...story, ...story], { minLength: 2 * story.length }), (orders) => {
        assert.deepEqual(standing([...orders, last]), standing(story));
      }),
      { numRuns: 200 },
    );
  });
});
