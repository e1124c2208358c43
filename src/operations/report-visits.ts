import type { CollaboratorReference } from '#domain/collaborator.ts';
import type { ConfigVersion, OpportunityId, OrganizationId, UserId } from '#domain/ids.ts';
import { hashAddress } from '#domain/visitor-address.ts';
import { placeVisit, type Presented, SITE_VISIT } from '#domain/visit.ts';
import {
  type Connection,
  type Database,
  inTransaction,
  isUniqueViolation,
  type Queryable,
  retried,
} from '#store/database.ts';
import { lockOpportunities, placeOpportunity, type VisitRow, writeVisits } from '#store/visits.ts';
import {
  type Keyed,
  type OtherRequest,
  type Recorded,
  recordOnce,
  withoutRepeats,
  type Written,
} from './keyed-reports.ts';
import { inRounds, type OnFailure, type Waiting } from './report-rounds.ts';
import { type Counting, type Refusal, type ReferrerWithTouches, touchConfigurations } from './touch-configurations.ts';

export type VisitReport = Keyed & {
  readonly collaborator: CollaboratorReference;
  /** The opportunity that the header names; null without one, or with one that was never given out. */
  readonly presented: OpportunityId | null;
  readonly userId: UserId | null;
  /** Of a visitor's own browser: the address, or network, that it comes from; asked only where visits are counted. */
  readonly network?: (() => string) | null;
};

export type VisitOutcome = Recorded | OtherRequest | { readonly kind: Refusal };

/** An outcome that is missing was not written, while others of its batch were: that report may be sent again. */
export type ReportVisits = (
  organizationId: OrganizationId,
  reports: readonly VisitReport[],
) => Promise<(VisitOutcome | undefined)[]>;

/**
 * Takes what waits of one organization's visits and writes it, durable when this resolves; one outcome a report, in the
 * order of the reports. Visits of known users may create, claim or merge opportunities: they go in a transaction of
 * their own, with row locks; all others are one statement. `onFailure` is told why outcomes are missing.
 */
export function visitReporting(database: Database, onFailure?: OnFailure): ReportVisits {
  const configurations = touchConfigurations(database);

  return (organizationId, reports) =>
    inRounds<VisitReport, VisitOutcome>(reports, {
      record: (waiting, outcomes) => recordRound(organizationId, waiting, outcomes),
      forget: () => configurations.forget(organizationId),
      onFailure,
    });

  async function recordRound(
    organizationId: OrganizationId,
    waiting: readonly WaitingVisit[],
    outcomes: (VisitOutcome | undefined)[],
  ): Promise<void> {
    const { version, referrers, counting } = await configurations.resolve(
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
    for (const { index, kind } of await withoutRepeats(database, organizationId, refused, outcomes)) {
      outcomes[index] = { kind };
    }
    // One after the other, not put together: what the first has written counts also where the second fails.
    const plain = known.filter(isPlain);
    await recordOnce(plain, outcomes, (visits) => recordPlain(database, organizationId, version, visits, counting));
    const ofUsers = known.filter((visit) => !isPlain(visit));
    await recordOnce(ofUsers, outcomes, (visits) => recordOfUsers(database, organizationId, version, visits, counting));
  }
}

type WaitingVisit = Waiting<VisitReport>;
type KnownVisit = WaitingVisit & { readonly referrer: ReferrerWithTouches };

// --- writing ----------------------------------------------------------------------------------------------------------

function isPlain({ report }: KnownVisit): boolean {
  return report.userId === null;
}

async function recordPlain(
  database: Database,
  organizationId: OrganizationId,
  configVersion: ConfigVersion,
  visits: readonly KnownVisit[],
  counting: Counting | null,
): Promise<Written> {
  const rows = visits.map((visit) => visitRow(visit, visit.report.presented, counting));
  return retried(() => write(database, organizationId, configVersion, visits, rows));
}

async function recordOfUsers(
  database: Database,
  organizationId: OrganizationId,
  configVersion: ConfigVersion,
  visits: readonly KnownVisit[],
  counting: Counting | null,
): Promise<Written> {
  try {
    return await inTransaction(database, async (connection) => {
      const { ready, rows } = await placeVisits(connection, organizationId, visits, counting);
      const written = await write(connection, organizationId, configVersion, ready, rows);
      // Part of it is not to be had, or was had before: a claim or merge must not stand without its visit.
      if (written.placed.size < ready.length) throw new NotWritten(written);
      return written;
    });
  } catch (error) {
    if (error instanceof NotWritten) return { placed: new Map(), kept: error.written.kept };
    // Another process has just created the opportunity of one of these users.
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

/** Resolves each visit under the locks. A second visit of a user whose opportunity is created here waits a round. */
async function placeVisits(
  connection: Connection,
  organizationId: OrganizationId,
  visits: readonly KnownVisit[],
  counting: Counting | null,
): Promise<{ ready: KnownVisit[]; rows: VisitRow[] }> {
  const { byPresented, byUser } = await lockOpportunities(
    connection,
    organizationId,
    visits.flatMap(({ report }) => report.presented ?? []),
    visits.flatMap(({ report }) => report.userId ?? []),
  );
  const created = new Set<UserId>();
  const ready: KnownVisit[] = [];
  const rows: VisitRow[] = [];
  for (const visit of visits) {
    const { presented, userId } = visit.report;
    if (userId === null || created.has(userId)) continue;
    const header = presented === null ? undefined : byPresented.get(presented);
    const placement = placeVisit(userId, header, byUser.get(userId));
    const opportunityId = await placeOpportunity(connection, organizationId, placement);
    if (opportunityId === null) created.add(userId);
    else follow({ id: opportunityId, userId }, placement.kind === 'merge' ? placement.merged : undefined);
    ready.push(visit);
    rows.push(visitRow(visit, opportunityId, counting));
  }
  return { ready, rows };

  /** What later visits of this batch find: the place has its user now, and stands for the one merged into it. */
  function follow(place: Presented, merged: OpportunityId | undefined): void {
    if (place.userId !== null) byUser.set(place.userId, place);
    for (const [presented, held] of byPresented) {
      if (held.id === place.id || held.id === merged) byPresented.set(presented, place);
    }
  }
}

function visitRow(
  { referrer, report }: KnownVisit,
  presented: OpportunityId | null,
  counting: Counting | null,
): VisitRow {
  return {
    trigger: null,
    presented,
    collaboratorId: referrer.collaboratorId,
    collaboratorUserId: referrer.userId,
    aliasId: referrer.aliasId,
    userId: report.userId,
    reason: referrer.reason,
    touches: referrer.touches,
    key: report.key,
    ...(counting === null ? {} : { counted: countedBy(report, counting) }),
  };
}

function countedBy(
  { network }: VisitReport,
  { ofCollaborator, addressKey }: Counting,
): NonNullable<VisitRow['counted']> {
  const address = addressKey === null || network == null ? null : hashAddress(addressKey, network());
  return { address, inAll: ofCollaborator };
}

async function write(
  connection: Queryable,
  organizationId: OrganizationId,
  configVersion: ConfigVersion,
  visits: readonly KnownVisit[],
  rows: readonly VisitRow[],
): Promise<Written> {
  const { placed, kept } = await writeVisits(connection, organizationId, configVersion, rows);
  const opportunities = visits.flatMap(({ index }, n) => {
    const opportunityId = placed.get(n);
    return opportunityId === undefined ? [] : [[index, opportunityId] as const];
  });
  return { placed: new Map(opportunities), kept };
}
