import { type Minor, splitByLargestRemainder } from '#core/money.ts';
import type { Line } from '#programs/domain/line.ts';
import type { Clues } from '../customers.ts';
import { linesOf, MAX_LINES, type Part } from '../lines.ts';
import { ATTRIBUTES, PAID } from '../shopify/order.ts';
import { type ListedOrder, type ListReader, readEach } from './listed-order.ts';
import { amountIn, currencyIn, idIn, isFault, type Row, type RowFault, timeIn } from './rows.ts';

/**
 * The reader for Shopify's export of orders. Each line item has a row, and the first row of an order has its totals.
 */
export const shopifyOrdersReader: ListReader = {
  format: 'shopify-orders',
  columns: [
    'Name',
    'Id',
    'Financial Status',
    'Paid at',
    'Created at',
    'Cancelled at',
    'Currency',
    'Total',
    'Refunded Amount',
    'Lineitem name',
    'Lineitem price',
    'Lineitem quantity',
  ],
  read: (rows) => readEach(ordersOf(rows), orderIn),
};

/** Groups the rows by order. A row without an id belongs to the order above it. */
function ordersOf(rows: readonly Row[]): readonly (readonly Row[])[] {
  const orders: Row[][] = [];
  for (const row of rows) {
    const last = orders.at(-1);
    if (last === undefined || row.cell('Id') !== '') orders.push([row]);
    else last.push(row);
  }
  return orders;
}

function orderIn(rows: readonly Row[]): ListedOrder | RowFault {
  const row = rows[0] as Row;
  const externalId = idIn(row, 'Id');
  const paidAt = timeIn(row, row.cell('Paid at') === '' ? 'Created at' : 'Paid at');
  const currency = currencyIn(row, 'Currency');
  const total = amountIn(row, 'Total');
  const refunds = amountIn(row, 'Refunded Amount');
  const parts = partsOf(rows);
  const fault = [externalId, paidAt, currency, total, refunds, parts].find((each) => isFault(each));
  if (fault !== undefined) return fault;
  const status = row.cell('Financial Status').toLowerCase();
  const isCanceled = row.cell('Cancelled at') !== '' || status === 'voided';
  const isPaid = PAID.has(status);
  const name = { externalId: externalId as string, currency: currency as string, total: total as Minor };
  const refunded = isCanceled ? name.total : (refunds as Minor);
  return {
    names: [name.externalId],
    keys: [],
    number: row.cell('Name'),
    occurredAt: paidAt as Date,
    currency: name.currency,
    total: name.total,
    refunded,
    state: isCanceled ? 'canceled' : isPaid ? 'paid' : 'unpaid',
    whole: {
      ...name,
      modifiedAt: paidAt as Date,
      paidAt: isPaid && row.cell('Paid at') !== '' ? (paidAt as Date) : undefined,
      isCanceled,
      lines: linesOfOrder(parts as ListedParts, name.total),
      refunds: [],
      canLoseRefunds: false,
      canFall: false,
      clues: cluesIn(row),
      customer: undefined,
      buyer: {},
    },
  };
}

type ListedParts = {
  readonly products: readonly Part[];
  readonly shipping: Minor;
  readonly tax: Minor;
  readonly discount: Minor;
};

function partsOf(rows: readonly Row[]): ListedParts | RowFault {
  const row = rows[0] as Row;
  const products: Part[] = [];
  for (const item of rows.slice(0, MAX_LINES)) {
    const price = amountIn(item, 'Lineitem price');
    if (isFault(price)) return price;
    const pieces = Number(item.cell('Lineitem quantity'));
    const quantity = Number.isSafeInteger(pieces) && pieces > 0 ? pieces : 1;
    products.push({
      externalId: item.cell('Lineitem sku') || undefined,
      name: item.cell('Lineitem name') || 'Item',
      type: 'product',
      quantity,
      total: price * BigInt(quantity),
    });
  }
  const [shipping, tax, discount] = [
    amountIn(row, 'Shipping'),
    amountIn(row, 'Taxes'),
    amountIn(row, 'Discount Amount'),
  ] as const;
  if (isFault(shipping)) return shipping;
  if (isFault(tax)) return tax;
  return isFault(discount) ? discount : { products, shipping, tax, discount };
}

/**
 * Returns the lines of an order, as the connector reports them. They add up to the total. If the prices include tax,
 * the tax is subtracted from the products and the shipping in proportion, because the list has no tax amounts for
 * single lines.
 */
function linesOfOrder({ products, shipping, tax, discount }: ListedParts, total: Minor): readonly Line[] {
  const parts: readonly Part[] = [
    ...products,
    { name: 'Discount', type: 'discount', total: -discount },
    { name: 'Shipping', type: 'shipping', total: shipping },
  ];
  const sum = parts.reduce((all, part) => all + part.total, 0n);
  const taxed = parts.map((part) => (part.type === 'discount' || part.total < 0n ? 0n : part.total));
  const isIncluded = sum === total && tax > 0n && taxed.some((each) => each > 0n);
  const included = isIncluded ? splitByLargestRemainder(tax, taxed) : taxed.map(() => 0n);
  const net = parts.map((part, at) => ({ ...part, total: part.total - (included[at] as bigint) }));
  const rest = total - tax - net.reduce((all, part) => all + part.total, 0n);
  return linesOf([
    ...net,
    { name: 'Tax', type: 'tax', total: tax },
    { name: 'Other', type: rest < 0n ? 'discount' : 'fee', total: rest },
  ]);
}

/** Returns the tracking ids in the cart attributes, which are lines such as `_whence: 1234`, and the discount codes. */
function cluesIn(row: Row): Clues {
  const attributes = row
    .cell('Note Attributes')
    .split('\n')
    .map((line) => line.split(':').map((part) => part.trim()));
  const trackingIds = attributes.flatMap(([name, value = '']) => (ATTRIBUTES.has(name) && value !== '' ? [value] : []));
  const codes = row.cell('Discount Code').split(',');
  const couponCodes = codes.map((code) => code.trim()).filter((code) => code !== '');
  return { trackingIds: [...new Set(trackingIds)], couponCodes: [...new Set(couponCodes)] };
}
