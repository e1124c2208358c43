import { hash } from 'node:crypto';
import type { OpportunityId, OrganizationId, TransactionId } from '#domain/ids.ts';
import { contentDifferences, type SaleConflict } from '#domain/sale-conflict.ts';
import type { Binding } from '#store/bindings.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import { countRenewals, findRenewed, type Renewed } from '#store/renewals.ts';
import { lockTransactions } from '#store/sale-facts.ts';
import { findSales, type StoredSale, writeRenewals } from '#store/sales.ts';
import { firstsOf, openOf, pick } from './record-sales.ts';
import { saleContent, type SaleReport } from './report-sales.ts';

export type RenewalReport = Omit<SaleReport, 'opportunityId' | 'currency'> & {
  /** Null: that of the sale. */
  readonly currency: string | null;
  /** The one that is renewed. */
  readonly sale: Binding;
};

export type RenewalOutcome =
  | { readonly kind: 'recorded' | 'repeated'; readonly opportunityId: OpportunityId }
  | SaleConflict
  | { readonly kind: 'unknown-sale' }
  /** What is to be renewed is a renewal or a lead itself. */
  | { readonly kind: 'not-a-sale' };

export type ReportRenewals = (
  organizationId: OrganizationId,
  reports: readonly RenewalReport[],
) => Promise<RenewalOutcome[]>;

/**
 * Takes what waits of one organization's renewals and writes it, durable when this resolves; one outcome a report, in the
 * order of the reports. A renewal's number is 1 + the renewals of its sale so far, drawn under the lock of the sale's row;
 * of one sale's renewals each goes in a transaction of its own, so that the numbers have the order of the events.
 */
export function renewalReporting(database: Database): ReportRenewals {
  return async (organizationId, reports) => {
    const outcomes: (RenewalOutcome | undefined)[] = reports.map(() => undefined);
    let tries = 0;
    for (let open = openOf(outcomes); open.length > 0; open = openOf(outcomes)) {
      const indexes = firstsOf(reports, open);
      const round = pick(reports, indexes);
      const written = await inTransaction(database, (connection) => write(connection, organizationId, round));
      for (const [n, outcome] of written) {
        const index = indexes[n];
        if (index !== undefined) outcomes[index] = outcome;
      }
      const isProgress = openOf(outcomes).length < open.length;
      tries = isProgress ? 0 : tries + 1;
      if (tries > MAX_TRIES) throw new Error('opportunities are merged faster than renewals can be written');
    }
    return outcomes.map((outcome) => outcome ?? { kind: 'unknown-sale' });
  };
}

/** Rounds in which nothing comes through. */
const MAX_TRIES = 10;

/** By the index of the report; what is missing waits for a further round. The reports are of different bindings. */
async function write(
  connection: Connection,
  organizationId: OrganizationId,
  reports: readonly RenewalReport[],
): Promise<Map<number, RenewalOutcome>> {
  const renewed = await findRenewed(
    connection,
    organizationId,
    reports.map(({ sale }) => sale),
  );
  await lockTransactions(
    connection,
    organizationId,
    [...renewed.values()].map(({ id }) => id),
  );
  const stored = await findSales(connection, organizationId, reports);
  const { outcomes, ready } = judge(reports, stored, renewed);
  if (ready.length === 0) return outcomes;
  const counts = await countRenewals(
    connection,
    organizationId,
    ready.map(({ sale }) => sale.id),
  );
  const rows = ready.map(({ report, sale }) => ({
    ...bindingAndContent(report, sale),
    reportedOpportunityId: sale.opportunityId,
    renews: sale.id,
    number: (counts.get(sale.id) ?? 0) + 1,
  }));
  for (const [index, { opportunityId, isNew }] of await writeRenewals(connection, organizationId, rows)) {
    const n = ready[index]?.n;
    // One that is not new was written by somebody else at this moment: the next round finds it.
    if (isNew && n !== undefined) outcomes.set(n, { kind: 'recorded', opportunityId });
  }
  return outcomes;
}

type Ready = { readonly n: number; readonly report: RenewalReport; readonly sale: Renewed };

/** Like a sale's, a repeat is recognized before the sale that it names is looked at. Of each sale one is ready. */
function judge(
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
  const content = { renews: sale?.id, total: report.total, currency: report.currency ?? before.currency };
  return { kind: 'conflict', stands: type, differences: contentDifferences(content, before) };
}

function bindingAndContent(report: RenewalReport, sale: Renewed) {
  const { source, externalId, total, lines } = report;
  const currency = currencyOf(report, sale);
  return { source, externalId, total, currency, lines, contentHash: contentOf(report, currency) };
}

/** What makes a repeat a repeat, with the sale: never that of a sale, whose content begins with its total. */
function contentOf({ sale: { source, externalId }, ...report }: RenewalReport, currency: string): Buffer {
  const content = ['renewal', source, externalId, ...saleContent({ ...report, currency })];
  return hash('sha256', JSON.stringify(content), 'buffer');
}

/** Of a sale that isn't there no renewal is on record: then nothing equals it, whatever the currency. */
function currencyOf({ currency }: RenewalReport, sale: Renewed | undefined): string {
  return currency ?? sale?.currency ?? '';
}
