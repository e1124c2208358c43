import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { ConnectorEvent, JsonObject, Translation } from '#connectors/domain/connector.ts';
import { changedAt, medusa, ORDER_UPDATED } from '#connectors/domain/medusa/translator.ts';
import type { Report } from '#connectors/domain/report.ts';
import { type MedusaOrder, recordedOrder } from '../medusa-orders.ts';

/** Returns a translator of orders that needs no service, because it keeps links in memory. */
function translated() {
  const links = new Map<string, JsonObject>();
  const reports: Report[] = [];
  return {
    reports,
    verbs: () => reports.map(({ verb }) => verb),
    take: (order: MedusaOrder): Translation => {
      const payload = JSON.parse(JSON.stringify(order)) as JsonObject;
      const occurredAt = changedAt(payload) ?? new Date('2026-11-28T12:00:00Z');
      const event: ConnectorEvent = { id: '1', type: ORDER_UPDATED, occurredAt, payload };
      const asked = new Set(medusa.linkKeys(event).map(({ kind, externalId }) => `${kind}:${externalId}`));
      const find = (kind: string, externalId: string) => {
        assert.ok(asked.has(`${kind}:${externalId}`));
        return links.get(`${kind}:${externalId}`);
      };
      const made = medusa.translate(event, find, {}, { source: 'medusa', waitedHours: 0 });
      if (made.kind === 'translated') reports.push(...made.reports);
      if (made.kind === 'translated' || made.kind === 'ignored') {
        for (const { kind, externalId, value } of made.links ?? []) links.set(`${kind}:${externalId}`, value);
      }
      return made;
    },
  };
}

type SaleReport = Extract<Report, { verb: 'sale' }>;

function saleOf(order: MedusaOrder): SaleReport {
  const { take, reports } = translated();
  take(order);
  const [sale] = reports;
  assert.ok(sale?.verb === 'sale');
  return sale;
}

/** Returns the amount of an order that its reports leave unrefunded, in cents. Fails if a report is repeated. */
function leftOf(reports: readonly Report[]): bigint {
  const ids = reports.map((report) => JSON.stringify([report.verb, idOf(report)]));
  assert.equal(new Set(ids).size, ids.length, `repeated: ${ids.join(' ')}`);
  let [total, refunded] = [0n, 0n];
  for (const report of reports) {
    if (report.verb === 'sale' || report.verb === 'correction') total = report.total;
    if (report.verb === 'refund') refunded += amountOf(report.given, total - refunded);
  }
  return total - refunded;
}

function idOf(report: Report): string | undefined {
  if (report.verb === 'refund') return report.refundId;
  return report.verb === 'correction' ? report.correctionId : undefined;
}

function amountOf(given: Extract<Report, { verb: 'refund' }>['given'], left: bigint): bigint {
  if (given.kind === 'full') return left;
  assert.ok(given.kind === 'amount' && given.isUpTo);
  return given.amount < left ? given.amount : left;
}

const linesOf = ({ lines }: Pick<SaleReport, 'lines'>) =>
  lines.map(({ name, type, quantity, total }) => [name, type, quantity, Number(total)]);

describe('a Medusa order', () => {
  it('is a sale with its products, discount, shipping and tax, which add up to the captured amount', () => {
    const sale = saleOf(recordedOrder('captured'));
    assert.deepEqual([sale.total, sale.currency, sale.occurredAt.toISOString()], [5668n, 'EUR', CAPTURED_AT]);
    assert.deepEqual(linesOf(sale), [
      ['Mug', 'product', 2, 3998],
      ['Poster', 'product', 1, 750],
      ['Discount', 'discount', 1, -475],
      ['Shipping', 'shipping', 1, 490],
      ['Tax', 'tax', 1, 905],
    ]);
    assert.equal(sale.lines[0]?.externalId, 'MUG-M');
    assert.deepEqual(sale.referral.trackingIds, ['1001']);
    assert.deepEqual(sale.referral.couponCodes, ['ADA10']);
  });

  const CAPTURED_AT = String(
    (recordedOrder('captured') as unknown as { payment_collections: Payments[] }).payment_collections[0]?.payments[0]
      ?.captures[0]?.created_at,
  );
  type Payments = { payments: { captures: { created_at: string }[] }[] };

  it('has its amounts converted to hundredths, also in a currency without decimals', () => {
    const sale = saleOf(recordedOrder('yen'));
    assert.deepEqual([sale.total, sale.currency], [420_200n, 'JPY']);
    assert.deepEqual(linesOf(sale), [
      ['Mug', 'product', 3, 370_200],
      ['Shipping', 'shipping', 1, 50_000],
    ]);
  });

  it('is reported once its total is captured, in one part or in several parts', () => {
    const { take, verbs, reports } = translated();
    for (const name of ['captured-in-part', 'captured-twice']) {
      const made = take(recordedOrder(name));
      assert.equal(made.kind, name === 'captured-twice' ? 'translated' : 'ignored');
    }
    assert.equal(take(recordedOrder('placed')).kind, 'ignored');
    assert.deepEqual(verbs(), ['sale']);
    assert.equal(reports[0]?.verb === 'sale' && reports[0].total, 2962n);
  });

  it('is refunded by the amount of a refund, although Medusa lowers the total', () => {
    const { take, reports } = translated();
    for (const name of ['placed', 'captured', 'refunded', 'refunded']) take(recordedOrder(name));
    const [, refund, ...others] = reports;
    assert.ok(refund?.verb === 'refund');
    assert.deepEqual([refund.given, others], [{ kind: 'amount', amount: 1000n, isUpTo: true }, []]);
  });

  it('is refunded for the remaining amount when it is canceled', () => {
    const { take, verbs } = translated();
    for (const name of ['captured-twice', 'canceled']) take(recordedOrder(name));
    assert.deepEqual(verbs(), ['sale', 'refund', 'refund']);
    assert.equal(translated().take(recordedOrder('canceled')).kind, 'ignored');
  });

  it('is corrected once an added amount is paid, and the correction includes the returned items', () => {
    const { take, reports, verbs } = translated();
    for (const name of ['long', 'returned', 'edited', 'edit-paid']) take(recordedOrder(name));
    assert.deepEqual(verbs(), ['sale', 'refund', 'correction']);
    const correction = reports[2];
    assert.ok(correction?.verb === 'correction');
    assert.equal(correction.total, 10_696n);
    assert.deepEqual(linesOf(correction), [
      ['Mug', 'product', 2, 1999],
      ['Poster', 'product', 2, 1500],
      ['Poster', 'product', 4, 3000],
      ['Shipping', 'shipping', 1, 490],
      ['Tax', 'tax', 1, 1328],
      ['Returned items', 'product', 1, 1859],
      ['Tax and shipping of returned items', 'tax', 1, 520],
    ]);
    // After the refund of 23.79, products for 19.99 + 15.00 + 30.00 are left, as Medusa shows them.
    const goods = correction.lines.reduce((sum, { type, total }) => sum + (type === 'product' ? Number(total) : 0), 0);
    assert.equal(Math.round((goods * (10_696 - 2_379)) / 10_696), 6_499);
  });

  it('has a separate line for rounding differences, and for credit that paid a part of the order', () => {
    const restOf = (fields: Record<string, unknown>) => linesOf(saleOf(recordedOrder('yen', fields))).at(-1);
    assert.deepEqual(restOf({ shipping_subtotal: 499.99 }), ['Rounding', 'fee', 1, 1]);
    assert.deepEqual(restOf({ shipping_subtotal: 1500, total: 4202 }), ['Credit', 'discount', 1, -100_000]);
  });

  it('has default names for items without a title, and no line for items without an amount', () => {
    const detail = { return_received_quantity: 1 };
    const bare = { items: [{ detail, product_id: 'prod_1' }, { variant_sku: '' }], shipping_subtotal: null };
    assert.deepEqual(linesOf(saleOf(recordedOrder('yen', bare))), [['Returned items', 'product', 1, 420_200]]);
    const titled = [{ title: 'Cap', subtotal: '7.50' }, { subtotal: 1 }];
    assert.deepEqual(
      linesOf(saleOf(recordedOrder('yen', { items: titled, promotions: [{}], metadata: null }))).slice(0, 2),
      [
        ['Cap', 'product', 1, 750],
        ['Item', 'product', 1, 100],
      ],
    );
    const order = recordedOrder('yen', {
      payment_collections: [{ payments: [{ captures: [{}], refunds: [{ id: 'r' }, { amount: 1 }] }] }],
    });
    assert.equal(translated().take({ ...order, total: 0 }).kind, 'ignored');
  });

  it('fails if it has no id, its total is not an amount, or its currency is unknown', () => {
    for (const fields of [
      { id: '' },
      { total: null },
      { total: 'much' },
      { currency_code: 'zzz' },
      { currency_code: null },
    ]) {
      assert.equal(translated().take(recordedOrder('captured', fields)).kind, 'failed', JSON.stringify(fields));
    }
  });

  it('results in the amounts that Medusa showed last, for messages in any order, even if each is sent twice', () => {
    const first = ['placed', 'captured', 'refunded'];
    const second = ['captured-in-part', 'captured-twice', 'canceled'];
    const third = ['long', 'returned', 'edited', 'edit-paid'];
    const states = [...first, ...second, ...third].map((name) => recordedOrder(name));
    // Medusa doesn’t round amounts. For the orders in `shown`, it captured 56.68208, 29.6191 and 106.9572, and refunded
    // 10, 29.6191 and 23.7881.
    const shown = { refunded: 4668n, canceled: 0n, 'edit-paid': 8317n };
    const expected = Object.entries(shown).map(([name, left]) => [recordedOrder(name).id, left]);
    fc.assert(
      fc.property(fc.shuffledSubarray([...states, ...states], { minLength: 2 * states.length }), (orders) => {
        const { take, reports } = translated();
        for (const order of orders) take(order);
        assert.deepEqual(
          expected.map(([id]) => [id, leftOf(reports.filter(({ externalId }) => externalId === id))]),
          expected,
        );
      }),
      { numRuns: 200 },
    );
  });

  it('has the time of its last change, which can be a capture or a refund', () => {
    const times = (name: string) => changedAt(JSON.parse(JSON.stringify(recordedOrder(name))) as JsonObject);
    const states = ['long', 'returned', 'edited', 'edit-paid'].map((name) => times(name)?.getTime() ?? 0);
    assert.deepEqual(
      states,
      states.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(states).size, 4);
    assert.equal(changedAt({}), undefined);
  });
});
