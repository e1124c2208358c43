import type { CollaboratorReference } from '#collaborators/domain/collaborator.ts';
import type { AliasId, OpportunityId, OrganizationId, UserId } from '#core/ids.ts';
import type { PlatformUserId } from '#core/user.ts';
import type { Presented } from '#tracking/domain/visit.ts';
import { type Connection, type Database, isUniqueViolation } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { findUsers } from '#collaborators/store/read/users.ts';
import { findSales, type SaleCoupon, type SaleRow, writeSaleCoupons, writeSales } from '../store/sales.ts';
import { lockUsers } from '#collaborators/store/text-users.ts';
import { createOpportunity, lockOpportunities } from '#tracking/store/opportunities.ts';
import { type VisitRow, writeVisits } from '#tracking/store/visits.ts';
import { firstsOf, setKnownOutcomes, openOf, pick, type SaleOutcome, type SaleOutcomes } from './record-sales.ts';
import { type SaleReport, saleRow } from './report-sales.ts';
import { couponReference, signalRow } from '#tracking/commands/report-signals.ts';
import {
  type ReferrerWithTouches,
  type Resolved,
  type TouchConfigurations,
  touchConfigurations,
} from '#tracking/commands/touch-configurations.ts';
import { COUPON_APPLIED } from '#programs/domain/custom-event.ts';

export type CouponSaleReport = SaleReport & {
  /** The coupon codes. Codes that belong to no collaborator are ignored, because shops also have other coupons. */
  readonly couponCodes: readonly string[];
  /** The buyer of an order without a referral. Null if the order has a referral, or the report names no buyer. */
  readonly userId: PlatformUserId | null;
};

export type ReportCouponSales = (
  organizationId: OrganizationId,
  reports: readonly CouponSaleReport[],
) => Promise<SaleOutcome[]>;

/**
 * Returns a function that records an organization's pending sales that have coupon codes, or a user instead of a
 * referral. The function's promise resolves once all are durable, with the outcome of each report in the same order.
 *
 * A sale and the touches of its coupon codes right before it are written in one database transaction, or not at all. A
 * repeat adds nothing. Sales of the same opportunity use separate database transactions, because the first sale must
 * not count the touches of the second sale. All other sales share one database transaction.
 */
export function createCouponSaleReporter(database: Database): ReportCouponSales {
  const configurations = touchConfigurations(database);
  return async (organizationId, reports) => {
    const rows = reports.map(saleRow);
    const outcomes: SaleOutcomes = reports.map(() => undefined);
    let tries = 0;
    const tenant = { connection: database, organizationId };
    for (let open = openOf(outcomes); open.length > 0; open = openOf(outcomes)) {
      const written = await recordRound(tenant, configurations, reports, rows, firstsOf(rows, open));
      for (const [index, opportunityId] of written ?? []) outcomes[index] = { kind: 'recorded', opportunityId };
      if (written === undefined) configurations.forget(organizationId);
      await setKnownOutcomes(tenant, 'sale', rows, outcomes);
      const isProgress = openOf(outcomes).length < open.length;
      tries = isProgress ? 0 : tries + 1;
      if (tries > MAX_TRIES)
        throw new Error('The configuration changes faster than sales can be written. Retry the report.');
    }
    return outcomes.map((outcome) => outcome ?? { kind: 'unknown-opportunity' });
  };
}

/** The maximum number of consecutive rounds without a new outcome. It allows for frequent edits and merges. */
const MAX_TRIES = 100;

type Written = (readonly [index: number, opportunityId: OpportunityId | null])[];

/**
 * Writes one round of sales. Returns the index and the opportunity of each written sale. If a concurrent change of the
 * configuration, an opportunity or a sale prevents it, writes nothing and returns undefined.
 */
async function recordRound(
  tenant: Tenant<Database>,
  configurations: TouchConfigurations,
  reports: readonly CouponSaleReport[],
  rows: readonly SaleRow[],
  indexes: readonly number[],
): Promise<Written | undefined> {
  const coupons = pick(reports, indexes).map(({ couponCodes }) => referencesOf(couponCodes));
  const resolved = await configurations.resolve(
    tenant.organizationId,
    coupons.flat().map((collaborator) => ({ trigger: COUPON_APPLIED, collaborator })),
  );
  let next = 0;
  const sales = pick(rows, indexes).map((row, n) => {
    const found = resolved.referrers.slice(next, (next += coupons[n]?.length ?? 0));
    const referrers = found.filter((each) => typeof each === 'object');
    return { row, index: indexes[n] as number, user: reports[indexes[n] as number]?.userId ?? null, referrers };
  });
  try {
    return await inTenantTransaction(tenant, (tenant) => write(tenant, resolved.version, sales));
  } catch (error) {
    if (error instanceof Moved) return undefined;
    // A concurrent transaction has just created the opportunity of one of the users.
    if (isUniqueViolation(error, 'opportunities_user')) return undefined;
    throw error;
  }
}

/** Returns the collaborator references for coupon codes. Codes that differ only in case count once. */
function referencesOf(codes: readonly string[]): CollaboratorReference[] {
  const references = codes.map(couponReference);
  return [...new Map(references.map((reference) => [reference.codeKey, reference])).values()];
}

class Moved extends Error {}

type CouponSale = {
  readonly row: SaleRow;
  readonly index: number;
  readonly user: PlatformUserId | null;
  readonly referrers: readonly ReferrerWithTouches[];
};

/**
 * Writes sales and the touches of their coupon codes. Returns the index and the opportunity of each written sale. Skips
 * sales that are already stored, and sales that must wait for another sale of the same opportunity. The opportunities
 * are locked first, so a concurrent report of the same binding sees the committed result of the first report.
 *
 * The touches draw their event ids before the sales do. Throws `Moved`, which rolls back the transaction, if a touch
 * can't be written. Also throws `Moved` if touches were written but a concurrent transaction has written their sale.
 */
async function write(
  tenant: Tenant<Connection>,
  configVersion: Resolved['version'],
  sales: readonly CouponSale[],
): Promise<Written> {
  const users = await numberUsers(tenant, sales);
  const { byPresented, byUser } = await lockOpportunities(
    tenant,
    sales.flatMap(({ row }) => row.reportedOpportunityId ?? []),
    [...users.values()],
  );
  const stored = await findSales(
    tenant,
    sales.map(({ row }) => row),
  );
  const taken = new Set<OpportunityId>();
  const created = new Set<UserId>();
  const ready: ReadySale[] = [];
  for (const [n, sale] of sales.entries()) {
    const { row, user, referrers } = sale;
    const userId = user === null ? null : (users.get(user) ?? null);
    const isWaiting = stored.has(n) || (userId !== null && created.has(userId));
    if (isWaiting) continue;
    let opportunityId = findOpportunity(row, userId, byPresented, byUser);
    if (opportunityId === undefined && row.reportedOpportunityId === null && referrers.length > 0) {
      opportunityId = await createOpportunity(tenant, userId);
      if (userId !== null) created.add(userId);
    }
    if (opportunityId !== undefined && taken.has(opportunityId)) continue;
    ready.push(readySale(sale, opportunityId));
    if (opportunityId !== undefined) taken.add(opportunityId);
  }
  const signals = ready.flatMap((sale) => sale.signals);
  if (signals.length > 0) {
    const { placed } = await writeVisits(tenant, configVersion, signals);
    if (placed.size < signals.length) throw new Moved();
  }
  const written = await writeSales(
    tenant,
    'sale',
    ready.map(({ row }) => row),
  );
  const outcomes: Written = [];
  const coupons: SaleCoupon[] = [];
  for (const [n, { index, signals, aliasIds }] of ready.entries()) {
    const { id = null, opportunityId = null } = written.get(n) ?? {};
    if (id === null && signals.length > 0) throw new Moved();
    if (id === null) continue;
    outcomes.push([index, opportunityId]);
    coupons.push(...aliasIds.map((aliasId) => ({ transactionId: id, aliasId })));
  }
  if (coupons.length > 0) await writeSaleCoupons(tenant, coupons);
  return outcomes;
}

type ReadySale = {
  readonly row: SaleRow;
  readonly index: number;
  readonly signals: readonly VisitRow[];
  /** The coupons of collaborators that the order used. */
  readonly aliasIds: readonly AliasId[];
};

/**
 * Returns the stored user numbers of the buyers. Assigns new numbers only to buyers who used a collaborator's coupon.
 * Other buyers without a number are missing from the result.
 */
async function numberUsers(
  tenant: Tenant<Connection>,
  sales: readonly CouponSale[],
): Promise<Map<PlatformUserId, UserId>> {
  const usersOf = (some: readonly CouponSale[]) => some.flatMap(({ user }) => user ?? []);
  const found = await findUsers(tenant, usersOf(sales));
  const referred = sales.filter(({ referrers }) => referrers.length > 0);
  return new Map([...found, ...(await lockUsers(tenant, usersOf(referred)))]);
}

function findOpportunity(
  row: SaleRow,
  userId: UserId | null,
  byPresented: ReadonlyMap<OpportunityId, Presented>,
  byUser: ReadonlyMap<UserId, Presented>,
): OpportunityId | undefined {
  if (row.reportedOpportunityId !== null) return byPresented.get(row.reportedOpportunityId)?.id;
  return userId === null ? undefined : byUser.get(userId)?.id;
}

function readySale({ row, index, referrers }: CouponSale, opportunityId: OpportunityId | undefined): ReadySale {
  const aliasIds = referrers.flatMap(({ aliasId }) => aliasId ?? []);
  if (opportunityId === undefined) return { row, index, signals: [], aliasIds };
  // The touches occur right before the sale, even if the sale is reported late.
  const at = { occurredAt: row.occurredAt ?? null, key: null };
  const signals = referrers.map((each) => signalRow(COUPON_APPLIED, opportunityId, each, at));
  return row.reportedOpportunityId === null
    ? { row: { ...row, suppliedOpportunityId: opportunityId }, index, signals, aliasIds }
    : { row, index, signals, aliasIds };
}
