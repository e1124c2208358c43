import { hash } from 'node:crypto';
import type { OpportunityId, OrganizationId, TransactionId } from '#core/ids.ts';
import { type GivenSale, soldAs } from '#programs/domain/sold-lines.ts';
import { hundredthsOf } from '#core/given-amount.ts';
import { contentDifferences, type SaleConflict } from '../domain/sale-conflict.ts';
import type { Binding } from '#tracking/store/bindings.ts';
import { type Connection, type Database, inTransaction } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { countRenewals, findRenewed, type Renewed } from '../store/renewals.ts';
import { findSales, type StoredSale, writeRenewals } from '../store/sales.ts';
import { firstsOf, openOf, pick } from './record-sales.ts';
import { saleContent } from './report-sales.ts';
import { lockTransactions } from '../store/transactions.ts';

export type RenewalReport = Binding & {
  readonly given: GivenSale;
  /** The time of the renewal. Null means the time of the report. */
  readonly occurredAt?: Date | null;
  /** The currency of the renewal, or null for the currency of the sale. */
  readonly currency: string | null;
  /** The binding of the renewed sale. */
  readonly sale: Binding;
};

export type RenewalOutcome =
  | { readonly kind: 'recorded' | 'repeated'; readonly opportunityId: OpportunityId | null }
  | SaleConflict
  | { readonly kind: 'unknown-sale' }
  /** The transaction that the report names as the sale is itself a renewal or a lead. */
  | { readonly kind: 'not-a-sale' };

export type ReportRenewals = (
  organizationId: OrganizationId,
  reports: readonly RenewalReport[],
) => Promise<RenewalOutcome[]>;

/**
 * Returns a function that writes an organization's pending renewals. The function's promise resolves once all are
 * durable, with the outcome of each report in the same order.
 *
 * A renewal's number is 1 + the number of earlier renewals of its sale, drawn under the lock of the sale's row.
 * Renewals of the same sale use separate database transactions, so that their numbers follow the order of their events.
 */
export function createRenewalReporter(database: Database): ReportRenewals {
  return async (organizationId, reports) => {
    const outcomes: (RenewalOutcome | undefined)[] = reports.map(() => undefined);
    let tries = 0;
    for (let open = openOf(outcomes); open.length > 0; open = openOf(outcomes)) {
      const indexes = firstsOf(reports, open);
      const round = pick(reports, indexes);
      const written = await inTransaction(database, (connection) => write({ connection, organizationId }, round));
      for (const [n, outcome] of written) {
        const index = indexes[n];
        if (index !== undefined) outcomes[index] = outcome;
      }
      const isProgress = openOf(outcomes).length < open.length;
      tries = isProgress ? 0 : tries + 1;
      if (tries > MAX_TRIES)
        throw new Error('Opportunities are merged faster than renewals can be written. Retry the report.');
    }
    return outcomes.map((outcome) => outcome ?? { kind: 'unknown-sale' });
  };
}

/** The maximum number of consecutive rounds without a new outcome. It allows for merged opportunities. */
const MAX_TRIES = 10;

/**
 * Writes one round of renewals, which must all have different bindings. Returns outcomes by the index of the report. A
 * report whose index is missing waits for another round.
 */
async function write(
  tenant: Tenant<Connection>,
  reports: readonly RenewalReport[],
): Promise<Map<number, RenewalOutcome>> {
  const renewed = await findRenewed(
    tenant,
    reports.map(({ sale }) => sale),
  );
  await lockTransactions(
    tenant,
    [...renewed.values()].map(({ id }) => id),
  );
  const stored = await findSales(tenant, reports);
  const { outcomes, ready } = separateKnown(reports, stored, renewed);
  if (ready.length === 0) return outcomes;
  const counts = await countRenewals(
    tenant,
    ready.map(({ sale }) => sale.id),
  );
  const rows = ready.map(({ report, sale }) => ({
    ...bindingAndContent(report, sale),
    reportedOpportunityId: sale.opportunityId,
    renews: sale.id,
    number: (counts.get(sale.id) ?? 0) + 1,
  }));
  for (const [index, { opportunityId, id }] of await writeRenewals(tenant, rows)) {
    const n = ready[index]?.n;
    // If a renewal is not new, a concurrent transaction has just written it. The next round finds it.
    if (id !== null && n !== undefined) outcomes.set(n, { kind: 'recorded', opportunityId });
  }
  return outcomes;
}

type Ready = { readonly n: number; readonly report: RenewalReport; readonly sale: Renewed };

/**
 * Separates reports with a known outcome from reports to write, at most one per sale. A repeat is recognized before the
 * renewed sale is checked.
 */
function separateKnown(
  reports: readonly RenewalReport[],
  stored: ReadonlyMap<number, StoredSale>,
  renewed: ReadonlyMap<number, Renewed>,
): { outcomes: Map<number, RenewalOutcome>; ready: Ready[] } {
  const outcomes = new Map<number, RenewalOutcome>();
  const ready = new Map<TransactionId, Ready>();
  for (const [n, report] of reports.entries()) {
    const before = stored.get(n);
    const sale = renewed.get(n);
    if (before !== undefined) outcomes.set(n, compare(report, sale, before));
    else if (sale === undefined) outcomes.set(n, { kind: 'unknown-sale' });
    else if (sale.type !== 'sale') outcomes.set(n, { kind: 'not-a-sale' });
    else if (!ready.has(sale.id)) ready.set(sale.id, { n, report, sale });
  }
  return { outcomes, ready: [...ready.values()] };
}

function compare(report: RenewalReport, sale: Renewed | undefined, before: StoredSale): RenewalOutcome {
  const { type, contentHash, opportunityId } = before;
  if (contentHash.equals(contentOf(report, currencyOf(report, sale)))) return { kind: 'repeated', opportunityId };
  if (type !== 'renewal') return { kind: 'conflict', stands: type, differences: [] };
  const currency = report.currency ?? before.currency;
  const content = { renews: sale?.id, total: hundredthsOf(report.given.total, currency), currency };
  return { kind: 'conflict', stands: type, differences: contentDifferences(content, before) };
}

function bindingAndContent(report: RenewalReport, sale: Renewed) {
  const { source, externalId, given, occurredAt = null } = report;
  const currency = currencyOf(report, sale);
  return {
    source,
    externalId,
    currency,
    occurredAt,
    ...soldAs(given, currency),
    contentHash: contentOf(report, currency),
  };
}

/**
 * Returns the content hash that identifies repeats. It includes the renewed sale. It never equals the hash of a sale,
 * whose content starts with its total.
 */
function contentOf({ sale: { source, externalId }, given }: RenewalReport, currency: string): Buffer {
  const content = ['renewal', source, externalId, ...saleContent({ ...soldAs(given, currency), currency })];
  return hash('sha256', JSON.stringify(content), 'buffer');
}

/**
 * Returns the reported currency of a renewal, or else the currency of the renewed sale. Returns an empty text if
 * neither is known. An unknown sale has no renewals, so no stored hash can match.
 */
function currencyOf({ currency }: RenewalReport, sale: Renewed | undefined): string {
  return currency ?? sale?.currency ?? '';
}
