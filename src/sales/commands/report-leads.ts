import { hash } from 'node:crypto';
import type { OpportunityId, OrganizationId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { OpportunityNumbers } from '#core/opportunity-number.ts';
import type { Binding } from '#tracking/store/bindings.ts';
import type { Database } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { findMembers } from '#collaborators/store/members.ts';
import { findSales, type SaleRow } from '../store/sales.ts';
import { recordSales, type SaleOutcome, type SaleOutcomes } from './record-sales.ts';

export type LeadReport = Binding & {
  readonly opportunityId: OpportunityId;
  /**
   * Whether the report has no externalId. The lead's externalId is then the public opportunity number, so that a
   * visitor counts as one lead.
   */
  readonly isUnnamed: boolean;
  /** The time of the lead. Null means the time of the report. */
  readonly occurredAt: Date | null;
};

export type ReportLeads = (
  organizationId: OrganizationId,
  reports: readonly LeadReport[],
  numbers: OpportunityNumbers,
) => Promise<SaleOutcome[]>;

/**
 * Returns a function that writes an organization's pending leads as a batch. The function's promise resolves once all
 * are durable, with the outcome of each report in the same order.
 *
 * A lead is a transaction without money. It has no lines, a total of 0, and the currency code that ISO 4217 reserves
 * for "no currency".
 */
export function createLeadReporter(database: Database): ReportLeads {
  return async (organizationId, reports, numbers) => {
    const tenant = { connection: database, organizationId };
    const outcomes = await findLeadsOfMembers(tenant, reports, numbers);
    const open = [...reports.keys()].filter((n) => outcomes[n] === undefined);
    const rows = open.flatMap((n) => reports[n] ?? []).map(leadRow);
    const recorded = await recordSales(tenant, 'lead', rows);
    for (const [index, n] of open.entries()) outcomes[n] = recorded[index];
    return outcomes as SaleOutcome[];
  };
}

/**
 * Returns the outcome `repeated` for each report without an externalId if another opportunity of the same merge already
 * has a lead of the same source. So a visitor still counts as one lead after a merge. All other outcomes are undefined.
 */
async function findLeadsOfMembers(
  tenant: Tenant<Database>,
  reports: readonly LeadReport[],
  numbers: OpportunityNumbers,
): Promise<SaleOutcomes> {
  const unnamed = reports.flatMap(({ isUnnamed, opportunityId }) => (isUnnamed ? [opportunityId] : []));
  const members = await findMembers(tenant, unnamed);
  const others = [...reports.entries()].flatMap(([n, { isUnnamed, opportunityId, source }]) =>
    (isUnnamed ? (members.get(opportunityId) ?? []) : [])
      .filter((member) => member !== opportunityId)
      .map((member) => ({ n, source, member })),
  );
  const outcomes: SaleOutcomes = reports.map(() => undefined);
  if (others.length === 0) return outcomes;
  const named = numbers.encode(others.map(({ member }) => member));
  const bindings = others.map(({ source }, index) => ({ source, externalId: String(named[index]) }));
  for (const [index, { contentHash, opportunityId }] of await findSales(tenant, bindings)) {
    const n = others[index]?.n;
    if (n !== undefined && contentHash.equals(LEAD_CONTENT)) outcomes[n] = { kind: 'repeated', opportunityId };
  }
  return outcomes;
}

function leadRow({ opportunityId, source, externalId, occurredAt }: LeadReport): SaleRow {
  return {
    source,
    externalId,
    reportedOpportunityId: opportunityId,
    total: 0n as Minor,
    currency: NO_CURRENCY,
    lines: [],
    occurredAt,
    contentHash: LEAD_CONTENT,
  };
}

const NO_CURRENCY = 'XXX';

/**
 * The content hash of every lead, so that all leads of an opportunity are equal. No lead equals a sale, because a
 * sale's content starts with its total.
 */
const LEAD_CONTENT = hash('sha256', JSON.stringify(['lead']), 'buffer');
