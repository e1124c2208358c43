import type { CollaboratorReference } from '#domain/collaborator.ts';
import type { CollaboratorId, ConfigVersion, OpportunityId, OrganizationId, UserId } from '#domain/ids.ts';
import type { ProgramVersion } from '#domain/program.ts';
import { placeVisit, type Presented, type Touch, touchesOf, type UnengagedReason } from '#domain/visit.ts';
import {
  type Connection,
  type Database,
  inTransaction,
  isUniqueViolation,
  type Queryable,
  retried,
} from '#store/database.ts';
import { findActivePrograms } from '#store/program-versions.ts';
import { findReferrers, type FoundReferrer } from '#store/referrers.ts';
import { lockOpportunities, placeOpportunity, type VisitRow, writeVisits } from '#store/visits.ts';

export type VisitReport = {
  readonly collaborator: CollaboratorReference;
  /** The opportunity that the header names; null without one, or with one that was never given out. */
  readonly presented: OpportunityId | null;
  readonly userId: UserId | null;
};

export type VisitOutcome =
  | { readonly kind: 'recorded'; readonly opportunityId: OpportunityId }
  | { readonly kind: 'unknown-collaborator' }
  | { readonly kind: 'inactive-collaborator' };

/** An outcome that is missing was not written, while others of its batch were: that report may be sent again. */
export type ReportVisits = (
  organizationId: OrganizationId,
  reports: readonly VisitReport[],
) => Promise<(VisitOutcome | undefined)[]>;

/**
 * Takes what waits of one organization's visits and writes it, durable when this resolves; one outcome a report, in the
 * order of the reports. Visits of known users may create, claim or merge opportunities: they go in a transaction of
 * their own, with row locks; all others are one statement.
 */
export function visitReporting(database: Database): ReportVisits {
  const configurations = new Map<OrganizationId, Configuration>();

  return async (organizationId, reports) => {
    const outcomes: (VisitOutcome | undefined)[] = reports.map(() => undefined);
    let waiting = reports.map((report, index) => ({ report, index }));
    try {
      for (let tries = 0; waiting.length > 0; tries += 1) {
        if (tries > MAX_TRIES) throw new Error('the configuration changes faster than visits can be written');
        await recordRound(organizationId, waiting, outcomes);
        waiting = waiting.filter(({ index }) => outcomes[index] === undefined);
        if (waiting.length > 0) configurations.delete(organizationId);
      }
    } catch (error) {
      // What an earlier round has written stays written: to fail the batch would have it written again.
      if (!outcomes.some((outcome) => outcome?.kind === 'recorded')) throw error;
    }
    return outcomes;
  };

  async function recordRound(
    organizationId: OrganizationId,
    waiting: readonly WaitingVisit[],
    outcomes: (VisitOutcome | undefined)[],
  ): Promise<void> {
    const { configuration, refused } = await loadConfiguration(database, configurations, organizationId, waiting);
    const known: KnownVisit[] = [];
    for (const { report, index } of waiting) {
      const key = referenceKey(report.collaborator);
      const referrer = configuration.referrers.get(key);
      if (referrer !== undefined) known.push({ report, index, referrer });
      else outcomes[index] = { kind: refused.get(key) ?? 'unknown-collaborator' };
    }
    // One after the other, not put together: what the first has written counts also where the second fails.
    const plain = known.filter(isPlain);
    const ofUsers = known.filter((visit) => !isPlain(visit));
    for (const [index, opportunityId] of await recordPlain(database, organizationId, configuration, plain)) {
      outcomes[index] = { kind: 'recorded', opportunityId };
    }
    for (const [index, opportunityId] of await recordOfUsers(database, organizationId, configuration, ofUsers)) {
      outcomes[index] = { kind: 'recorded', opportunityId };
    }
  }
}

/** Enough for edits that follow each other closely; a deferred visit of the same user takes one. */
const MAX_TRIES = 100;

// --- the configuration that a batch is decided by ---------------------------------------------------------------------

/**
 * What is known of an organization's configuration at one version, with the collaborators who may earn. It may be old:
 * the statement that writes refuses a version that is no longer current, and the batch is decided again. Who may not earn
 * is not kept, since a refusal writes nothing that would notice: that is looked up each time.
 */
type Configuration = {
  readonly version: ConfigVersion;
  readonly programs: readonly ProgramVersion[];
  readonly referrers: Map<string, ReferrerWithTouches>;
};
type ReferrerWithTouches = FoundReferrer & {
  readonly touches: readonly Touch[];
  readonly reason: UnengagedReason | null;
};
type Refusal = Exclude<VisitOutcome, { kind: 'recorded' }>['kind'];
type WaitingVisit = { readonly report: VisitReport; readonly index: number };
type KnownVisit = WaitingVisit & { readonly referrer: ReferrerWithTouches };

/** Bounds on memory; what is beyond is read again. */
const MAX_CACHED_REFERRERS = 20_000;
const MAX_CACHED_ORGANIZATIONS = 1_000;

async function loadConfiguration(
  database: Database,
  configurations: Map<OrganizationId, Configuration>,
  organizationId: OrganizationId,
  visits: readonly WaitingVisit[],
): Promise<{ configuration: Configuration; refused: ReadonlyMap<string, Refusal> }> {
  for (;;) {
    const configuration = await rememberConfiguration(database, configurations, organizationId);
    const { referrers, programs, version } = configuration;
    const missing = new Map<string, CollaboratorReference>();
    for (const { report } of visits) {
      const key = referenceKey(report.collaborator);
      if (!referrers.has(key)) missing.set(key, report.collaborator);
    }
    const refused = new Map<string, Refusal>();
    if (missing.size === 0) return { configuration, refused };
    if (referrers.size + missing.size > MAX_CACHED_REFERRERS) {
      configurations.delete(organizationId);
      if (referrers.size > 0) continue;
    }
    const found = await findReferrers(database, organizationId, [...missing.values()]);
    if (found.configVersion !== version) {
      configurations.delete(organizationId);
      continue;
    }
    for (const [index, key] of [...missing.keys()].entries()) {
      const referrer = found.referrers[index];
      if (referrer?.status === 'active') referrers.set(key, { ...referrer, ...touchesOf(referrer, programs) });
      else refused.set(key, referrer === undefined ? 'unknown-collaborator' : 'inactive-collaborator');
    }
    return { configuration, refused };
  }
}

async function rememberConfiguration(
  database: Database,
  configurations: Map<OrganizationId, Configuration>,
  organizationId: OrganizationId,
): Promise<Configuration> {
  const known = configurations.get(organizationId);
  if (known !== undefined) return known;
  const { configVersion, programs } = await findActivePrograms(database, organizationId);
  const configuration: Configuration = { version: configVersion, programs, referrers: new Map() };
  if (configurations.size >= MAX_CACHED_ORGANIZATIONS) configurations.clear();
  configurations.set(organizationId, configuration);
  return configuration;
}

function referenceKey(reference: CollaboratorReference): string {
  return reference.kind === 'id' ? String(reference.id) : `${reference.type}:${reference.codeKey}`;
}

// --- writing ----------------------------------------------------------------------------------------------------------

type Placed = (readonly [index: number, opportunityId: OpportunityId])[];

function isPlain({ report }: KnownVisit): boolean {
  return report.userId === null;
}

async function recordPlain(
  database: Database,
  organizationId: OrganizationId,
  configuration: Configuration,
  visits: readonly KnownVisit[],
): Promise<Placed> {
  if (visits.length === 0) return [];
  const rows = visits.map((visit) => visitRow(visit, visit.report.presented));
  return retried(() => write(database, organizationId, configuration, visits, rows));
}

async function recordOfUsers(
  database: Database,
  organizationId: OrganizationId,
  configuration: Configuration,
  visits: readonly KnownVisit[],
): Promise<Placed> {
  if (visits.length === 0) return [];
  try {
    return await inTransaction(database, async (connection) => {
      const { ready, rows } = await placeVisits(connection, organizationId, visits);
      const placed = await write(connection, organizationId, configuration, ready, rows);
      // Part of it is not to be had: a claim or merge must not stand without its visit.
      if (placed.length < ready.length) throw new ConfigurationMoved();
      return placed;
    });
  } catch (error) {
    // The other case: another process has just created the opportunity of one of these users.
    if (error instanceof ConfigurationMoved || isUniqueViolation(error, 'opportunities_user')) return [];
    throw error;
  }
}

class ConfigurationMoved extends Error {}

/** Resolves each visit under the locks. A second visit of a user whose opportunity is created here waits a round. */
async function placeVisits(
  connection: Connection,
  organizationId: OrganizationId,
  visits: readonly KnownVisit[],
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
    rows.push(visitRow(visit, opportunityId));
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

function visitRow({ referrer, report }: KnownVisit, presented: OpportunityId | null): VisitRow {
  return {
    presented,
    collaboratorId: referrer.collaboratorId,
    collaboratorUserId: referrer.userId,
    aliasId: referrer.aliasId,
    userId: report.userId,
    reason: referrer.reason,
  };
}

async function write(
  connection: Queryable,
  organizationId: OrganizationId,
  configuration: Configuration,
  visits: readonly KnownVisit[],
  rows: readonly VisitRow[],
): Promise<Placed> {
  const touches = new Map<CollaboratorId, readonly Touch[]>();
  for (const { referrer } of visits) touches.set(referrer.collaboratorId, referrer.touches);
  const opportunities = await writeVisits(
    connection,
    organizationId,
    configuration.version,
    rows,
    [...touches].map(([collaboratorId, touches]) => ({ collaboratorId, touches })),
  );
  return visits.flatMap(({ index }, n) => {
    const opportunityId = opportunities.get(n);
    return opportunityId === undefined ? [] : [[index, opportunityId] as const];
  });
}
