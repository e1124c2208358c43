import type { ConnectorId } from '#core/ids.ts';
import { opportunityNumbers } from '#core/opportunity-number.ts';
import { asDatabase, type Connection, type Database, inTransaction } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { touchConfigurations } from '#tracking/commands/touch-configurations.ts';
import type { FindLink, Link } from '../domain/connector.ts';
import type { NamedOrder } from '../domain/reconciliation/comparison.ts';
import { type Obstacle, obstacleOf } from '../domain/reconciliation/listed-order.ts';
import { readList, type UnreadList } from '../domain/reconciliation/lists.ts';
import type { Table } from '../domain/reconciliation/rows.ts';
import { listedKeys, translateListed } from '../domain/reconciliation/translation.ts';
import type { ReportOutcome } from '../domain/report.ts';
import { wakeEvents } from '../store/connector-events.ts';
import { loadLinks, saveLinks } from '../store/connector-links.ts';
import { type LockedConnector, lockConnector, noteAttributedOrder } from '../store/connectors.ts';
import { makeReports, NotReported, type ReportContext } from './make-reports.ts';
import { findListed } from './reconcile.ts';

/** The outcome of recording one order from a list. */
export type ListedOutcome = { readonly externalId: string } & (
  | { readonly kind: 'recorded'; readonly report: ReportOutcome }
  | { readonly kind: 'already-recorded' | 'not-listed' }
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle }
  | { readonly kind: 'refused'; readonly reason: string }
);

export type ListedOrdersOutcome =
  | { readonly kind: 'recorded'; readonly outcomes: readonly ListedOutcome[] }
  | { readonly kind: 'unknown' | 'deleted' }
  | { readonly kind: 'unread'; readonly reading: UnreadList };

/**
 * Records orders of a list with the external ids and links that the connector's messages would store. Because of these
 * links, a later message about a recorded order doesn't record the order again, and later refunds of the order count.
 * Each order is recorded or refused separately.
 */
export function recordListedOrders(
  tenant: Tenant<Database>,
  id: ConnectorId,
  { table, externalIds }: { readonly table: Table; readonly externalIds: readonly string[] },
  lateReportDays: number,
): Promise<ListedOrdersOutcome> {
  return inTenantTransaction(tenant, async (tenant): Promise<ListedOrdersOutcome> => {
    // Lock the connector, so that the worker can't process a message of the same order at the same time.
    const connector = await lockConnector(tenant, id);
    if (connector === undefined) return { kind: 'unknown' };
    if (connector.isDeleted) return { kind: 'deleted' };
    const reading = readList(connector.kind, table, connector.settings);
    if (reading.kind !== 'read') return { kind: 'unread', reading };
    const { named, booked } = await findListed(tenant, id, connector.source, reading.list);
    const listed = new Map(named.map((order) => [order.externalId, order]));
    const reporting: ReportContext = {
      tenant,
      numbers: opportunityNumbers(connector.opportunityKey),
      configurations: touchConfigurations(asDatabase(tenant.connection)),
      now: new Date(),
      lateReportDays,
    };
    const record = await openRecorder(reporting, id, connector, named);
    const outcomes = new Map<string, ListedOutcome>();
    for (const externalId of inOrderOfTime(externalIds, listed)) {
      const order = listed.get(externalId);
      if (booked.has(externalId)) outcomes.set(externalId, { externalId, kind: 'already-recorded' });
      else if (order === undefined) outcomes.set(externalId, { externalId, kind: 'not-listed' });
      else outcomes.set(externalId, await record.one(order));
    }
    await record.end();
    return { kind: 'recorded', outcomes: [...new Set(externalIds)].flatMap((each) => outcomes.get(each) ?? []) };
  });
}

/**
 * Returns the distinct ids, sorted by the times of their orders, because a later order can share the referral of an
 * earlier order.
 */
function inOrderOfTime(externalIds: readonly string[], listed: ReadonlyMap<string, NamedOrder>): readonly string[] {
  const timeOf = (externalId: string): number => listed.get(externalId)?.occurredAt.getTime() ?? 0;
  return [...new Set(externalIds)].toSorted((a, b) => timeOf(a) - timeOf(b));
}

/**
 * Loads the links of the orders, and returns two functions. `one` records an order. `end`, which must be called last,
 * stores the links of all recorded orders. It also marks events as due if they wait for these links, and records the
 * connector's first attributed order.
 */
async function openRecorder(
  reporting: ReportContext,
  id: ConnectorId,
  { kind, source }: LockedConnector,
  orders: readonly NamedOrder[],
) {
  const { tenant, now, lateReportDays } = reporting;
  const stored = await loadLinks(tenant, id, orders.flatMap(listedKeys));
  const left = new Map<string, Link>();
  const find: FindLink = (kind, externalId) => left.get(`${kind}:${externalId}`)?.value ?? stored(kind, externalId);
  const attributed: string[] = [];

  async function one(order: NamedOrder): Promise<ListedOutcome> {
    const { externalId, whole } = order;
    const obstacle = obstacleOf(order, now, lateReportDays);
    if (obstacle !== null || whole === undefined) {
      return { externalId, kind: 'obstacle', obstacle: obstacle ?? 'unsupported' };
    }
    const translation = translateListed(kind, whole, find, source);
    if (translation.kind !== 'translated') return { externalId, kind: 'refused', reason: translation.reason };
    try {
      const [report] = await inTransaction(asDatabase(tenant.connection), (connection: Connection) =>
        makeReports({ ...reporting, tenant: { ...tenant, connection } }, translation.reports),
      );
      if (report === undefined) throw new Error(`The listed order ${externalId} produced no report.`);
      for (const link of translation.links) left.set(`${link.kind}:${link.externalId}`, link);
      if (report.isAttributed === true) attributed.push(externalId);
      return { externalId, kind: 'recorded', report };
    } catch (error) {
      if (error instanceof NotReported) return { externalId, kind: 'refused', reason: error.message };
      throw error;
    }
  }

  async function end(): Promise<void> {
    const links = [...left.values()];
    await saveLinks(tenant, id, links);
    await wakeEvents(tenant, id, links);
    const [first] = attributed;
    if (first !== undefined) await noteAttributedOrder(tenant, id, first);
  }

  return { one, end };
}
