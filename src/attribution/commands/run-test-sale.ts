import type { Explanation, Circumstances } from '../domain/explanation.ts';
import type { CollaboratorId, OpportunityId, TransactionId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { OpportunityNumbers } from '#core/opportunity-number.ts';
import { asDatabase, type Connection, type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import type { Line } from '#programs/domain/line.ts';
import { lockDecisionOrder } from '#programs/store/decision-order.ts';
import { createCouponSaleReporter } from '#sales/commands/report-coupon-sales.ts';
import { createLeadReporter } from '#sales/commands/report-leads.ts';
import { createSignalReporter, type SignalOutcome } from '#tracking/commands/report-signals.ts';
import { createVisitReporter, type VisitOutcome } from '#tracking/commands/report-visits.ts';
import { readExplanation } from '../store/read/explanations.ts';
import { findTestedTransaction, findWrittenEntries, type WrittenEntry } from '../store/read/test-sales.ts';

export type TestSale = {
  readonly collaboratorId: CollaboratorId;
  /** A coupon that the buyer uses. Null for none. */
  readonly couponCode: string | null;
  /** The slug of a custom event after the visit. Null for none. */
  readonly event: string | null;
  readonly kind: 'sale' | 'lead';
  readonly total: Minor;
  readonly currency: string;
  readonly lines: readonly Line[];
};

export type TestSaleOutcome =
  | {
      readonly kind: 'decided';
      readonly explanation: Explanation;
      readonly circumstances: Circumstances;
      readonly ledgerEntries: readonly WrittenEntry[];
    }
  | Exclude<VisitOutcome, { kind: 'recorded' | 'other-request' }>
  | { readonly kind: 'unknown-event' };

/**
 * Decides reported sales. Callers pass the worker's function, because modules in `commands` can't import from
 * `reactions`.
 */
export type Decide = (tenant: Tenant<Connection>, transactionIds: readonly TransactionId[]) => Promise<unknown>;

/**
 * Reports a visit and a sale with the commands of the API, decides the sale, and reads its explanation and ledger
 * entries. Then rolls everything back, so that other database transactions never see any of these rows.
 */
export async function runTestSale(
  tenant: Tenant<Database>,
  sale: TestSale,
  { numbers, decide }: { readonly numbers: OpportunityNumbers; readonly decide: Decide },
): Promise<TestSaleOutcome> {
  try {
    return await inTenantTransaction(tenant, async (tenant) => {
      throw new RolledBack(await report(tenant, sale, numbers, decide));
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.outcome;
    throw error;
  }
}

class RolledBack extends Error {
  readonly outcome: TestSaleOutcome;
  constructor(outcome: TestSaleOutcome) {
    super();
    this.outcome = outcome;
  }
}

async function report(
  tenant: Tenant<Connection>,
  sale: TestSale,
  numbers: OpportunityNumbers,
  decide: Decide,
): Promise<TestSaleOutcome> {
  await lockDecisionOrder(tenant);
  const visit = await reportVisit(tenant, sale);
  if (visit.kind !== 'recorded') return visit;
  const { opportunityId } = visit;
  const signal = sale.event === null ? undefined : await reportEvent(tenant, opportunityId, sale.event, sale);
  if (signal?.kind === 'unknown-event') return { kind: 'unknown-event' };
  await reportSale(tenant, opportunityId, sale, numbers);
  const transactionId = await findTestedTransaction(tenant, opportunityId);
  await decide(tenant, [transactionId]);
  const found = await readExplanation(tenant, transactionId);
  if (found.kind !== 'found') throw new Error('The test sale was not decided.');
  return { ...found, kind: 'decided', ledgerEntries: await findWrittenEntries(tenant, transactionId) };
}

/**
 * The time between the test visit and the test sale, in milliseconds. A sale within seconds is a fraud signal in many
 * programs.
 */
const BEFORE_SALE_MS = 3_600_000;

type VisitReported =
  | { kind: 'recorded'; opportunityId: OpportunityId }
  | Exclude<VisitOutcome, { opportunityId: unknown } | { kind: 'other-request' }>;

async function reportVisit(
  { connection, organizationId }: Tenant<Connection>,
  { collaboratorId }: TestSale,
): Promise<VisitReported> {
  const collaborator = { kind: 'id', id: collaboratorId } as const;
  const occurredAt = new Date(Date.now() - BEFORE_SALE_MS);
  const report = { collaborator, presented: null, userId: null, occurredAt, key: null };
  const [outcome] = await createVisitReporter(asDatabase(connection))(organizationId, [report]);
  if (outcome === undefined || outcome.kind === 'other-request') throw new Error('The test visit was not written.');
  return outcome;
}

async function reportEvent(
  { connection, organizationId }: Tenant<Connection>,
  opportunityId: OpportunityId,
  event: string,
  { collaboratorId }: TestSale,
): Promise<SignalOutcome | undefined> {
  const collaborator = { kind: 'id', id: collaboratorId } as const;
  const report = {
    kind: 'custom',
    opportunityId,
    userId: null,
    event,
    collaborator,
    occurredAt: null,
    key: null,
  } as const;
  const [outcome] = await createSignalReporter(asDatabase(connection))(organizationId, [report]);
  return outcome;
}

const SOURCE = 'whence-test';

async function reportSale(
  { connection, organizationId }: Tenant<Connection>,
  opportunityId: OpportunityId,
  { kind, couponCode, total, currency, lines }: TestSale,
  numbers: OpportunityNumbers,
): Promise<void> {
  const database = asDatabase(connection);
  // The visit created a new opportunity, so the opportunity's id is an external id that no other sale has.
  const binding = { source: SOURCE, externalId: String(opportunityId), opportunityId, occurredAt: null };
  switch (kind) {
    case 'lead':
      await createLeadReporter(database)(organizationId, [{ ...binding, isUnnamed: false }], numbers);
      return;
    case 'sale': {
      const couponCodes = couponCode === null ? [] : [couponCode];
      await createCouponSaleReporter(database)(organizationId, [
        { ...binding, total, currency, lines, couponCodes, userId: null },
      ]);
      return;
    }
    default:
      kind satisfies never;
  }
}
