import type { ConnectorKind, JsonObject } from '../connector.ts';
import { type ListedOrder, type ListReader, MAX_LISTED_ROWS } from './listed-order.ts';
import { columnsOf, isFault, rowsOf, type Table } from './rows.ts';
import { shopifyOrdersReader } from './shopify-list.ts';
import { stripeBalanceReader, stripePaymentsReader } from './stripe-lists.ts';
import { woocommerceOrdersReader } from './woocommerce-list.ts';

/** The lists that can be compared, for each kind of connector. */
export const LIST_READERS: Readonly<Record<ConnectorKind, readonly ListReader[]>> = {
  stripe: [stripePaymentsReader, stripeBalanceReader],
  paddle: [],
  polar: [],
  shopify: [shopifyOrdersReader],
  woocommerce: [woocommerceOrdersReader],
  medusa: [],
};

export type ReadList = Pick<ListReader, 'format' | 'hasParts'> & { readonly orders: readonly ListedOrder[] };

export type ListOutcome =
  | { readonly kind: 'read'; readonly list: ReadList }
  | { readonly kind: 'unsupported' | 'too-long' }
  /**
   * The table lacks columns of every supported list. `missing` contains the missing columns of the most similar list.
   */
  | { readonly kind: 'other-columns'; readonly format: ListReader['format']; readonly missing: readonly string[] }
  | { readonly kind: 'unreadable-row'; readonly row: number; readonly reason: string };

/** The reason why a list can't be read. */
export type UnreadList = Exclude<ListOutcome, { kind: 'read' }>;

/** Reads a list that a connector's system has exported. The columns in the header identify the kind of export. */
export function readList(kind: ConnectorKind, table: Table, settings: JsonObject): ListOutcome {
  const columns = new Set(columnsOf(table));
  const [nearest] = LIST_READERS[kind]
    .map((reader) => ({ reader, missing: reader.columns.filter((column) => !columns.has(column)) }))
    .toSorted((a, b) => shareOf(a) - shareOf(b));
  if (nearest === undefined) return { kind: 'unsupported' };
  const { reader, missing } = nearest;
  if (missing.length > 0) return { kind: 'other-columns', format: reader.format, missing };
  if (table.records.length - 1 > MAX_LISTED_ROWS) return { kind: 'too-long' };
  const orders = reader.read(rowsOf(table), settings);
  if (isFault(orders)) return { kind: 'unreadable-row', ...orders };
  return { kind: 'read', list: { ...reader, orders } };
}

function shareOf({ reader, missing }: { readonly reader: ListReader; readonly missing: readonly string[] }): number {
  return missing.length / reader.columns.length;
}
