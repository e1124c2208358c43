import type { CollaboratorReference } from '#collaborators/domain/collaborator.ts';
import type { ConfigVersion, OpportunityId, OrganizationId, UserId } from '#core/ids.ts';
import { includesHost } from '#programs/domain/fraud-list.ts';
import { hashAddress } from '#core/visitor-address.ts';
import type { PlatformUserId } from '#core/user.ts';
import { placeVisit, type Presented } from '../domain/visit.ts';
import { type Connection, type Database, isUniqueViolation, retryStatement } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { lockUsers } from '#collaborators/store/text-users.ts';
import { canMerge, lockOpportunities, placeOpportunity } from '../store/opportunities.ts';
import { type VisitRow, writeVisits } from '../store/visits.ts';
import {
  type Keyed,
  type OtherRequest,
  type Recorded,
  recordOnce,
  answerStoredRepeats,
  type Written,
} from './keyed-reports.ts';
import { type OnFailure, recordInRounds, type WaitingReport } from './report-rounds.ts';
import {
  type VisitChecks,
  type Refusal,
  type ReferrerWithTouches,
  touchConfigurations,
} from './touch-configurations.ts';
import { SITE_VISIT } from '#programs/domain/custom-event.ts';

export type VisitReport = Keyed & {
  readonly collaborator: CollaboratorReference;
  /** The opportunity in the request header, which may not exist. Null if the header is missing or malformed. */
  readonly presented: OpportunityId | null;
  readonly userId: PlatformUserId | null;
  /** The time of the visit. Null means the time of the report. */
  readonly occurredAt?: Date | null;
  /**
   * Returns the visitor's IPv4 address or IPv6 network. Called only if a fraud check needs it. Null if the visit was
   * not reported by the visitor's browser.
   */
  readonly network?: (() => string) | null;
  /** The host of the page with the link. Null if it is not known. */
  readonly referrer?: string | null;
};

export type VisitOutcome = Recorded | OtherRequest | { readonly kind: Refusal };

/**
 * Reports visits. A missing outcome means that the report was not written, although other reports of its batch were
 * written. The report can be sent again.
 */
export type ReportVisits = (
  organizationId: OrganizationId,
  reports: readonly VisitReport[],
) => Promise<(VisitOutcome | undefined)[]>;

/**
 * Returns a function that writes a batch of an organization's visits. The function's promise resolves once the visits
 * are durable, with the outcome of each report in the same order. Visits of known users can create, claim or merge
 * opportunities, so they are written in a separate transaction with row locks. All other visits are written in one
 * statement. `onFailure` is called with the error that caused missing outcomes.
 */
export function createVisitReporter(database: Database, onFailure?: OnFailure): ReportVisits {
  const configurations = touchConfigurations(database);

  return (organizationId, reports) =>
    recordInRounds<VisitReport, VisitOutcome>(reports, {
      record: (waiting, outcomes) => recordRound(organizationId, waiting, outcomes),
      forget: () => configurations.forget(organizationId),
      onFailure,
    });

  async function recordRound(
    organizationId: OrganizationId,
    waiting: readonly WaitingVisit[],
    outcomes: (VisitOutcome | undefined)[],
  ): Promise<void> {
    const { version, referrers, checks } = await configurations.resolve(
      organizationId,
      waiting.map(({ report: { collaborator } }) => ({ trigger: SITE_VISIT, collaborator })),
    );
    const known: KnownVisit[] = [];
    const refused: (WaitingVisit & { readonly kind: Refusal })[] = [];
    for (const [n, { report, index }] of waiting.entries()) {
      const referrer = referrers[n] ?? 'unknown-collaborator';
      if (typeof referrer === 'object') known.push({ report, index, referrer });
      else refused.push({ report, index, kind: referrer });
    }
    for (const { index, kind } of await answerStoredRepeats(
      { connection: database, organizationId },
      refused,
      outcomes,
    )) {
      outcomes[index] = { kind };
    }
    // Run the calls sequentially, so that outcomes of the first call count even if the second fails.
    const plain = known.filter(isPlain);
    await recordOnce(plain, outcomes, (visits) =>
      recordPlain({ connection: database, organizationId }, version, visits, checks),
    );
    const ofUsers = known.filter((visit) => !isPlain(visit));
    await recordOnce(ofUsers, outcomes, (visits) =>
      recordOfUsers({ connection: database, organizationId }, version, visits, checks),
    );
  }
}

type WaitingVisit = WaitingReport<VisitReport>;
type KnownVisit = WaitingVisit & { readonly referrer: ReferrerWithTouches };

function isPlain({ report }: KnownVisit): boolean {
  return report.userId === null;
}

async function recordPlain(
  tenant: Tenant<Database>,
  configVersion: ConfigVersion,
  visits: readonly KnownVisit[],
  checks: VisitChecks | null,
): Promise<Written> {
  const rows = visits.map((visit) => visitRow(visit, visit.report.presented, null, checks));
  return retryStatement(() => write(tenant, configVersion, visits, rows));
}

async function recordOfUsers(
  tenant: Tenant<Database>,
  configVersion: ConfigVersion,
  visits: readonly KnownVisit[],
  checks: VisitChecks | null,
): Promise<Written> {
  try {
    return await inTenantTransaction(tenant, async (tenant) => {
      const { ready, rows } = await placeVisits(tenant, visits, checks);
      const written = await write(tenant, configVersion, ready, rows);
      // If a visit was not written, roll back, because a claim or a merge must not be committed without its visit.
      if (written.placed.size < ready.length) throw new NotWritten(written);
      return written;
    });
  } catch (error) {
    if (error instanceof NotWritten) return { placed: new Map(), kept: error.written.kept };
    // A concurrent transaction has just created the opportunity of one of the users.
    if (isUniqueViolation(error, 'opportunities_user')) return { placed: new Map(), kept: new Map() };
    throw error;
  }
}

class NotWritten extends Error {
  readonly written: Written;
  constructor(written: Written) {
    super();
    this.written = written;
  }
}

/**
 * Locks users and opportunities, and decides the opportunity of each visit. Returns the visits that can be written now,
 * with their rows. If a user's first visit creates their opportunity, their other visits wait for the next round.
 */
async function placeVisits(
  tenant: Tenant<Connection>,
  visits: readonly KnownVisit[],
  checks: VisitChecks | null,
): Promise<{ ready: KnownVisit[]; rows: VisitRow[] }> {
  const users = await lockUsers(
    tenant,
    visits.flatMap(({ report }) => report.userId ?? []),
  );
  const { byPresented, byUser } = await lockOpportunities(
    tenant,
    visits.flatMap(({ report }) => report.presented ?? []),
    [...users.values()],
  );
  const created = new Set<UserId>();
  const ready: KnownVisit[] = [];
  const rows: VisitRow[] = [];
  for (const visit of visits) {
    const { presented } = visit.report;
    const userId = visit.report.userId === null ? undefined : users.get(visit.report.userId);
    if (userId === undefined || created.has(userId)) continue;
    const header = presented === null ? undefined : byPresented.get(presented);
    let placement = placeVisit(userId, header, byUser.get(userId));
    // If the opportunities are too large to be merged, they stay separate, and the visit belongs to the opportunity of
    // its user.
    if (placement.kind === 'merge' && !(await canMerge(tenant, placement))) {
      placement = placeVisit(userId, undefined, byUser.get(userId));
    }
    const opportunityId = await placeOpportunity(tenant, placement);
    if (opportunityId === null) created.add(userId);
    else updateOpportunities({ id: opportunityId, userId }, placement.kind === 'merge' ? placement.merged : undefined);
    ready.push(visit);
    rows.push(visitRow(visit, opportunityId, userId, checks));
  }
  return { ready, rows };

  /**
   * Updates the opportunities for later visits of this batch. `place` is an opportunity with its current user. If the
   * opportunity `merged` was merged into it, `place` replaces that opportunity too.
   */
  function updateOpportunities(place: Presented, merged: OpportunityId | undefined): void {
    if (place.userId !== null) byUser.set(place.userId, place);
    for (const [presented, held] of byPresented) {
      if (held.id === place.id || held.id === merged) byPresented.set(presented, place);
    }
  }
}

function visitRow(
  { referrer, report }: KnownVisit,
  presented: OpportunityId | null,
  userId: UserId | null,
  checks: VisitChecks | null,
): VisitRow {
  return {
    trigger: null,
    presented,
    collaboratorId: referrer.collaboratorId,
    collaboratorUserId: referrer.userId,
    aliasId: referrer.aliasId,
    userId,
    reason: referrer.reason,
    touches: referrer.touches,
    occurredAt: report.occurredAt ?? null,
    key: report.key,
    ...(checks === null ? {} : { checked: checkedBy(report, checks) }),
  };
}

/** Returns the data of a visit to record for fraud signals. */
function checkedBy(
  { network, referrer = null }: VisitReport,
  { ofCollaborator, addressKey, adReferrers, lists }: VisitChecks,
): NonNullable<VisitRow['checked']> {
  const isNeeded = addressKey !== null || lists?.needsNetwork === true;
  const visitor = isNeeded && network != null ? network() : null;
  const isCounted = addressKey !== null && visitor !== null && lists?.allowsNetwork(visitor) !== true;
  const isAd = referrer !== null && includesHost(adReferrers, referrer) && lists?.allowsReferrer(referrer) !== true;
  return {
    address: isCounted ? hashAddress(addressKey, visitor) : null,
    inAll: ofCollaborator,
    referrer: isAd ? referrer : null,
    deniedBy: lists?.deniedBy(visitor, referrer) ?? null,
  };
}

async function write(
  tenant: Tenant,
  configVersion: ConfigVersion,
  visits: readonly KnownVisit[],
  rows: readonly VisitRow[],
): Promise<Written> {
  const { placed, kept } = await writeVisits(tenant, configVersion, rows);
  const opportunities = visits.flatMap(({ index }, n) => {
    const opportunityId = placed.get(n);
    return opportunityId === undefined ? [] : [[index, opportunityId] as const];
  });
  return { placed: new Map(opportunities), kept };
}
