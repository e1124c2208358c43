import { hash } from 'node:crypto';
import type { OpportunityId, OrganizationId } from '#domain/ids.ts';
import type { Minor } from '#domain/money.ts';
import type { Binding } from '#store/bindings.ts';
import type { Database } from '#store/database.ts';
import { recordSales, type SaleOutcome } from './record-sales.ts';

export type LeadReport = Binding & { readonly opportunityId: OpportunityId };

export type ReportLeads = (organizationId: OrganizationId, reports: readonly LeadReport[]) => Promise<SaleOutcome[]>;

/**
 * Takes what waits of one organization's leads and writes it in one statement, durable when this resolves; one outcome a
 * report, in the order of the reports. A lead is a transaction without money: no lines, a total of 0, and for its
 * currency the code that ISO 4217 has for none.
 */
export function leadReporting(database: Database): ReportLeads {
  return (organizationId, reports) =>
    recordSales(
      database,
      organizationId,
      'lead',
      reports.map(({ opportunityId, ...binding }) => ({
        ...binding,
        reportedOpportunityId: opportunityId,
        total: 0n as Minor,
        currency: NO_CURRENCY,
        lines: [],
        contentHash: LEAD_CONTENT,
      })),
    );
}

const NO_CURRENCY = 'XXX';

/** All leads of one opportunity are the same; none is the same as a sale, whose content begins with its total. */
const LEAD_CONTENT = hash('sha256', JSON.stringify(['lead']), 'buffer');
