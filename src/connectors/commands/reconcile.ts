import type { ConnectorId } from '#core/ids.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import type { Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import {
  compareOrders,
  type Comparison,
  nameOrders,
  periodOf,
  possibleNames,
} from '../domain/reconciliation/comparison.ts';
import { type ListFormat, MAX_LISTED_ROWS } from '../domain/reconciliation/listed-order.ts';
import { type ReadList, readList, type UnreadList } from '../domain/reconciliation/lists.ts';
import type { Table } from '../domain/reconciliation/rows.ts';
import { loadLinks } from '../store/connector-links.ts';
import { findBookedOrders, listBookedOrders } from '../store/read/booked-orders.ts';
import { connectors } from '../store/read/connectors.ts';

export type Reconciliation =
  | {
      readonly kind: 'compared';
      readonly format: ListFormat;
      /** The time from the first to the last payment of the list. Undefined if the list has no paid order. */
      readonly period: { readonly from: Date; readonly until: Date } | undefined;
      readonly comparison: Comparison;
    }
  | { readonly kind: 'unread'; readonly reading: UnreadList }
  | { readonly kind: 'unknown' }
  /** More than MAX_LISTED_ROWS recorded orders belong to the list's period but are missing from the list. */
  | { readonly kind: 'too-many-others' };

/** Compares a list of orders, exported from a connector's system, with the recorded orders. Stores nothing. */
export async function reconcile(
  tenant: Tenant<Database>,
  id: ConnectorId,
  table: Table,
  lateReportDays: number,
): Promise<Reconciliation> {
  const connector = await readOne(tenant, connectors, { id });
  if (connector === undefined) return { kind: 'unknown' };
  const { kind, source, settings } = connector;
  const reading = readList(kind, table, settings);
  if (reading.kind !== 'read') return { kind: 'unread', reading };
  return inTenantTransaction(tenant, async (tenant): Promise<Reconciliation> => {
    const { list } = reading;
    const { named, booked } = await findListed(tenant, id, source, list);
    const period = periodOf(list);
    const limit = MAX_LISTED_ROWS + booked.size + 1;
    const inPeriod = period === undefined ? [] : await listBookedOrders(tenant, source, period, limit);
    const others = inPeriod.filter(({ externalId }) => !booked.has(externalId));
    if (others.length > MAX_LISTED_ROWS) return { kind: 'too-many-others' };
    const comparison = compareOrders(named, booked, others, { now: new Date(), lateReportDays });
    return { kind: 'compared', format: list.format, period, comparison };
  });
}

/** Determines the external id of each order in a list, and loads the recorded orders with these ids. */
export async function findListed(
  tenant: Parameters<typeof loadLinks>[0],
  id: ConnectorId,
  source: string,
  list: ReadList,
) {
  const find = await loadLinks(
    tenant,
    id,
    list.orders.flatMap(({ keys }) => keys),
  );
  const booked = await findBookedOrders(tenant, source, possibleNames(list, find));
  return { named: nameOrders(list, find, (externalId) => booked.has(externalId)), booked };
}
