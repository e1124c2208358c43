import { hash } from 'node:crypto';
import type { OpportunityId, OrganizationId } from '#domain/ids.ts';
import type { Minor } from '#domain/money.ts';
import type { OpportunityNumbers } from '#domain/opportunity-number.ts';
import type { Binding } from '#store/bindings.ts';
import type { Database } from '#store/database.ts';
import { findMembers } from '#store/members.ts';
import { findSales, type SaleRow } from '#store/sales.ts';
import { recordSales, type SaleOutcome, type SaleOutcomes } from './record-sales.ts';

export type LeadReport = Binding & {
  readonly opportunityId: OpportunityId;
  /** Its externalId was not named: it is the opportunity's number, so that a visitor is one lead. */
  readonly isUnnamed: boolean;
};

export type ReportLeads = (
  organizationId: OrganizationId,
  reports: readonly LeadReport[],
  numbers: OpportunityNumbers,
) => Promise<SaleOutcome[]>;

/**
 * Takes what waits of one organization's leads and writes it in one statement, durable when this resolves; one outcome a
 * report, in the order of the reports. A lead is a transaction without money: no lines, a total of 0, and for its
 * currency the code that ISO 4217 has for none.
 */
export function leadReporting(database: Database): ReportLeads {
  return async (organizationId, reports, numbers) => {
    const outcomes = await findLeadsOfMembers(database, organizationId, reports, numbers);
    const open = [...reports.keys()].filter((n) => outcomes[n] === undefined);
    const rows = open.flatMap((n) => reports[n] ?? []).map(leadRow);
    const recorded = await recordSales(database, organizationId, 'lead', rows);
    for (const [index, n] of open.entries()) outcomes[n] = recorded[index];
    return outcomes as SaleOutcome[];
  };
}

/** A visitor whose opportunities were merged is one lead still: a report is a repeat where another member is one. */
async function findLeadsOfMembers(
  database: Database,
  organizationId: OrganizationId,
  reports: readonly LeadReport[],
  numbers: OpportunityNumbers,
): Promise<SaleOutcomes> {
  const unnamed = reports.flatMap(({ isUnnamed, opportunityId }) => (isUnnamed ? [opportunityId] : []));
  const members = await findMembers(database, organizationId, unnamed);
  const others = [...reports.entries()].flatMap(([n, { isUnnamed, opportunityId, source }]) =>
    (isUnnamed ? (members.get(opportunityId) ?? []) : [])
      .filter((member) => member !== opportunityId)
      .map((member) => ({ n, source, member })),
  );
  const outcomes: SaleOutcomes = reports.map(() => undefined);
  if (others.length === 0) return outcomes;
  const named = numbers.encode(others.map(({ member }) => member));
  const bindings = others.map(({ source }, index) => ({ source, externalId: String(named[index]) }));
  for (const [index, { contentHash, opportunityId }] of await findSales(database, organizationId, bindings)) {
    const n = others[index]?.n;
    if (n !== undefined && contentHash.equals(LEAD_CONTENT)) outcomes[n] = { kind: 'repeated', opportunityId };
  }
  return outcomes;
}

function leadRow({ opportunityId, source, externalId }: LeadReport): SaleRow {
  return {
    source,
    externalId,
    reportedOpportunityId: opportunityId,
    total: 0n as Minor,
    currency: NO_CURRENCY,
    lines: [],
    contentHash: LEAD_CONTENT,
  };
}

const NO_CURRENCY = 'XXX';

/** All leads of one opportunity are the same; none is the same as a sale, whose content begins with its total. */
const LEAD_CONTENT = hash('sha256', JSON.stringify(['lead']), 'buffer');
