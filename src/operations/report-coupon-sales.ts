import type { CollaboratorReference } from '#domain/collaborator.ts';
import type { OpportunityId, OrganizationId } from '#domain/ids.ts';
import { COUPON_APPLIED } from '#domain/visit.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import { findSales, type SaleRow, writeSales } from '#store/sales.ts';
import { lockOpportunities, writeVisits } from '#store/visits.ts';
import { firstsOf, judge, openOf, pick, type SaleOutcome, type SaleOutcomes } from './record-sales.ts';
import { type SaleReport, saleRow } from './report-sales.ts';
import { couponReference, signalRow } from './report-signals.ts';
import {
  type ReferrerWithTouches,
  type Resolved,
  type TouchConfigurations,
  touchConfigurations,
} from './touch-configurations.ts';

/** Of the codes those that are nobody's are of no effect: shops have coupons of their own. */
export type CouponSaleReport = SaleReport & { readonly couponCodes: readonly string[] };

export type ReportCouponSales = (
  organizationId: OrganizationId,
  reports: readonly CouponSaleReport[],
) => Promise<SaleOutcome[]>;

/**
 * Takes what waits of one organization's sales with coupon codes; one outcome a report, in their order, each durable when
 * this resolves. A sale is written with the touches of its codes right before it, in one transaction, or not at all; a
 * repeat adds nothing. Of one opportunity's sales each goes in a transaction of its own, since the touches of the second
 * must not be there for the first. They go apart from all other sales, which are one statement.
 */
export function couponSaleReporting(database: Database): ReportCouponSales {
  const configurations = touchConfigurations(database);
  return async (organizationId, reports) => {
    const rows = reports.map(saleRow);
    const outcomes: SaleOutcomes = reports.map(() => undefined);
    let tries = 0;
    for (let open = openOf(outcomes); open.length > 0; open = openOf(outcomes)) {
      const written = await recordRound(database, configurations, organizationId, reports, rows, firstsOf(rows, open));
      for (const [index, opportunityId] of written ?? []) outcomes[index] = { kind: 'recorded', opportunityId };
      if (written === undefined) configurations.forget(organizationId);
      await judge(database, organizationId, 'sale', rows, outcomes);
      const isProgress = openOf(outcomes).length < open.length;
      tries = isProgress ? 0 : tries + 1;
      if (tries > MAX_TRIES) throw new Error('the configuration changes faster than sales can be written');
    }
    return outcomes.map((outcome) => outcome ?? { kind: 'unknown-opportunity' });
  };
}

/** Rounds in which nothing comes through: edits and merges that follow each other closely. */
const MAX_TRIES = 100;

type Written = (readonly [index: number, opportunityId: OpportunityId])[];

/** Undefined where something has moved meanwhile: then nothing was written. */
async function recordRound(
  database: Database,
  configurations: TouchConfigurations,
  organizationId: OrganizationId,
  reports: readonly CouponSaleReport[],
  rows: readonly SaleRow[],
  indexes: readonly number[],
): Promise<Written | undefined> {
  const coupons = pick(reports, indexes).map(({ couponCodes }) => referencesOf(couponCodes));
  const resolved = await configurations.resolve(
    organizationId,
    coupons.flat().map((collaborator) => ({ trigger: COUPON_APPLIED, collaborator })),
  );
  let next = 0;
  const sales = pick(rows, indexes).map((row, n) => {
    const found = resolved.referrers.slice(next, (next += coupons[n]?.length ?? 0));
    return { row, index: indexes[n] as number, referrers: found.filter((each) => typeof each === 'object') };
  });
  try {
    return await inTransaction(database, (connection) => write(connection, organizationId, resolved.version, sales));
  } catch (error) {
    if (error instanceof Moved) return undefined;
    throw error;
  }
}

/** A code that is named twice, in whatever case, counts once. */
function referencesOf(codes: readonly string[]): CollaboratorReference[] {
  const references = codes.map(couponReference);
  return [...new Map(references.map((reference) => [reference.codeKey, reference])).values()];
}

class Moved extends Error {}

type CouponSale = {
  readonly row: SaleRow;
  readonly index: number;
  readonly referrers: readonly ReferrerWithTouches[];
};

/**
 * The opportunities are locked first, so whoever comes second with a binding sees what the first has committed. The
 * touches draw their ids before the sales do; where it turns out that a sale stood already after all, all is undone.
 */
async function write(
  connection: Connection,
  organizationId: OrganizationId,
  configVersion: Resolved['version'],
  sales: readonly CouponSale[],
): Promise<Written> {
  const { byPresented } = await lockOpportunities(
    connection,
    organizationId,
    sales.map(({ row }) => row.reportedOpportunityId),
    [],
  );
  const stored = await findSales(
    connection,
    organizationId,
    sales.map(({ row }) => row),
  );
  const taken = new Set<OpportunityId>();
  const ready = sales.flatMap((sale, n) => {
    const opportunityId = byPresented.get(sale.row.reportedOpportunityId)?.id;
    if (stored.has(n) || (opportunityId !== undefined && taken.has(opportunityId))) return [];
    if (opportunityId === undefined) return [{ ...sale, signals: [] }];
    taken.add(opportunityId);
    return [{ ...sale, signals: sale.referrers.map((each) => signalRow(COUPON_APPLIED, opportunityId, each)) }];
  });
  const signals = ready.flatMap((sale) => sale.signals);
  if (signals.length > 0) {
    const { placed } = await writeVisits(connection, organizationId, configVersion, signals);
    if (placed.size < signals.length) throw new Moved();
  }
  const written = await writeSales(
    connection,
    organizationId,
    'sale',
    ready.map(({ row }) => row),
  );
  return ready.flatMap(({ index, signals }, n) => {
    const sale = written.get(n);
    if (sale?.isNew === true) return [[index, sale.opportunityId] as const];
    if (signals.length > 0) throw new Moved();
    return [];
  });
}
