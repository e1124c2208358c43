import { type Minor, parseMajor } from '#core/money.ts';
import type { Line } from '#programs/domain/line.ts';
import type { Clues } from '../customers.ts';
import { linesOf, MAX_LINES, type Part } from '../lines.ts';
import { CANCELED, META_KEYS } from '../woocommerce/translator.ts';
import { type ListedOrder, type ListReader, readEach } from './listed-order.ts';
import { amountIn, currencyIn, idIn, isFault, type Row, type RowFault, timeIn } from './rows.ts';

/**
 * The reader for the export of the plugin “Order Export & Order Import for WooCommerce”. WooCommerce itself exports no
 * order totals. If the plugin writes a row for each item, all rows of an order have the same totals.
 */
export const woocommerceOrdersReader: ListReader = {
  format: 'woocommerce-orders',
  columns: ['order_id', 'order_date', 'paid_date', 'status', 'order_total', 'order_currency', 'refund_items'],
  read: (rows) => readEach(firstOfEach(rows), orderIn),
};

function firstOfEach(rows: readonly Row[]): readonly Row[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const id = row.cell('order_id');
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

function orderIn(row: Row): ListedOrder | RowFault {
  const externalId = idIn(row, 'order_id');
  const hasPaid = row.cell('paid_date') !== '';
  // Dates in the export can lack a zone. Such dates are read as UTC.
  const occurredAt = timeIn(row, hasPaid ? 'paid_date' : 'order_date');
  const currency = currencyIn(row, 'order_currency');
  const total = amountIn(row, 'order_total');
  const others = ['shipping_total', 'tax_total', 'discount_total', 'fee_total'].map((name) => amountIn(row, name));
  const fault = [externalId, occurredAt, currency, total, ...others].find((each) => isFault(each));
  if (fault !== undefined) return fault;
  const status = statusOf(row);
  const isCanceled = CANCELED.has(status);
  const name = { externalId: externalId as string, currency: currency as string, total: total as Minor };
  const number = row.cell('order_number');
  return {
    names: [name.externalId],
    keys: [],
    number: number === '' || number === name.externalId ? null : number,
    occurredAt: occurredAt as Date,
    currency: name.currency,
    total: name.total,
    refunded: isCanceled ? name.total : refundedOf(row),
    state: isCanceled ? 'canceled' : hasPaid || status === 'completed' ? 'paid' : 'unpaid',
    whole: {
      ...name,
      modifiedAt: occurredAt as Date,
      paidAt: hasPaid ? (occurredAt as Date) : undefined,
      isCanceled,
      lines: linesOfOrder(row, others as readonly Minor[], name.total),
      refunds: [],
      canLoseRefunds: true,
      canFall: true,
      clues: cluesIn(row),
      customer: customerOf(row),
      buyer: {},
    },
  };
}

function statusOf(row: Row): string {
  const status = row.cell('status').toLowerCase();
  return status.startsWith('wc-') ? status.slice(3) : status;
}

/** Returns the sum of the refunds, which are listed as `amount:5.00|reason:…|date:…;amount:…`. */
function refundedOf(row: Row): Minor {
  const amounts = readEntries(row.cell('refund_items'), 'amount').map((text): bigint => parseMajor(text) ?? 0n);
  return amounts.reduce((sum, amount) => sum + (amount < 0n ? -amount : amount), 0n) as Minor;
}

/**
 * Returns a field of each entry in a cell such as `code:ada10|amount:3.00;code:…`. Skips entries that don't begin with
 * this field.
 */
function readEntries(cell: string, field: string): readonly string[] {
  const entries = cell.split(';').filter((entry) => entry.startsWith(`${field}:`));
  return entries.map((entry) =>
    entry
      .slice(field.length + 1)
      .split('|', 1)
      .join(''),
  );
}

function cluesIn(row: Row): Clues {
  const found = [...META_KEYS].map((key) => row.cell(`meta:${key}`)).filter((value) => value !== '');
  const codes = readEntries(row.cell('coupon_items'), 'code').filter((code) => code !== '');
  return { trackingIds: [...new Set(found)], couponCodes: [...new Set(codes)] };
}

/** Returns the id of the customer's account, or undefined for guests, who have the id 0. */
function customerOf(row: Row): string | undefined {
  const id = row.cell('customer_id');
  return id === '' || id === '0' ? undefined : id;
}

/** Returns the lines of an order, as the connector reports them. They add up to the total. */
function linesOfOrder(row: Row, others: readonly Minor[], total: Minor): readonly Line[] {
  const [shipping = 0n, tax = 0n, discount = 0n, fee = 0n] = others;
  const parts: Part[] = [
    ...productsOf(row),
    { name: 'Discount', type: 'discount', total: -discount },
    { name: 'Shipping', type: 'shipping', total: shipping },
    { name: 'Fees', type: fee < 0n ? 'discount' : 'fee', total: fee },
    { name: 'Tax', type: 'tax', total: tax },
  ];
  const rest = total - parts.reduce((sum, part) => sum + part.total, 0n);
  return linesOf([...parts, { name: 'Other items', type: rest < 0n ? 'discount' : 'product', total: rest }]);
}

/**
 * Returns the items of the columns `line_item_1`, `line_item_2` and so on. Unreadable items are skipped, so their
 * amounts become part of the line `Other items`.
 */
function productsOf(row: Row): readonly Part[] {
  const products: Part[] = [];
  for (let at = 1; at <= MAX_LINES; at += 1) {
    const cell = row.cell(`line_item_${at}`);
    if (cell === '') break;
    const item = itemIn(cell);
    if (item !== undefined) products.push(item);
  }
  return products;
}

/**
 * Parses an item such as `name:Mug|product_id:93|sku:MUG|quantity:2|total:18.00|sub_total:20.00|…`. The name can
 * contain a `|`. Returns undefined if the item can't be read.
 */
function itemIn(cell: string): Part | undefined {
  const [name, rest] = splitOnce(cell, '|product_id:');
  if (rest === undefined) return undefined;
  const [product = '', ...fields] = rest.split('|');
  const field = (key: string): string => fields.find((each) => each.startsWith(`${key}:`))?.slice(key.length + 1) ?? '';
  const total = parseMajor(field('sub_total'));
  const quantity = Number(field('quantity'));
  if (total === undefined) return undefined;
  return {
    externalId: field('sku') || product || undefined,
    name: name.startsWith('name:') ? name.slice('name:'.length) : name,
    type: 'product',
    quantity: Number.isSafeInteger(quantity) ? quantity : 1,
    total,
  };
}

function splitOnce(text: string, mark: string): readonly [string, string | undefined] {
  const at = text.lastIndexOf(mark);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + mark.length)];
}
