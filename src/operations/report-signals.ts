import type { CollaboratorReference } from '#domain/collaborator.ts';
import { isCommonTrigger } from '#domain/custom-event.ts';
import type { CollaboratorId, OpportunityId, OrganizationId } from '#domain/ids.ts';
import type { Trigger } from '#domain/program.ts';
import { COUPON_ALIAS, COUPON_APPLIED } from '#domain/visit.ts';
import { aliasKey } from '#domain/alias.ts';
import { findCustomEvents } from '#store/custom-events.ts';
import { type Database, retried } from '#store/database.ts';
import { findEngaged, findStandings, type Standing } from '#store/signals.ts';
import { type VisitRow, writeVisits } from '#store/visits.ts';
import { inRounds, type Waiting } from './report-rounds.ts';
import {
  type ReferrerWithTouches,
  type Refusal,
  type TouchConfigurations,
  touchConfigurations,
  type TouchRequest,
} from './touch-configurations.ts';

/** What a visitor did, other than visit: it touches engagements as a visit does, and creates no opportunity. */
export type SignalReport =
  | { readonly kind: 'coupon'; readonly opportunityId: OpportunityId; readonly code: string }
  | {
      readonly kind: 'custom';
      readonly opportunityId: OpportunityId;
      /** The slug of a custom event. */
      readonly event: Trigger;
      /** Null is everyone who is engaged on the opportunity. */
      readonly collaborator: CollaboratorReference | null;
    };

export type SignalFault = Refusal | 'unknown-event' | 'unknown-opportunity';
export type SignalOutcome =
  | { readonly kind: 'recorded'; readonly opportunityId: OpportunityId }
  /** All that is wrong with it; nothing was written. */
  | { readonly kind: 'refused'; readonly faults: readonly SignalFault[] };

/** An outcome that is missing was not written, while others of its batch were: that report may be sent again. */
export type ReportSignals = (
  organizationId: OrganizationId,
  reports: readonly SignalReport[],
) => Promise<(SignalOutcome | undefined)[]>;

/**
 * Takes what waits of one organization's signals (coupons applied, custom events) and writes it in one statement, durable
 * when this resolves; one outcome a report, in the order of the reports. An opportunity that is invalid, or was removed,
 * takes a signal without effect.
 */
export function signalReporting(database: Database): ReportSignals {
  const configurations = touchConfigurations(database);
  return (organizationId, reports) =>
    inRounds<SignalReport, SignalOutcome>(
      reports,
      (waiting, outcomes) => recordRound(database, configurations, organizationId, waiting, outcomes),
      () => configurations.forget(organizationId),
    );
}

/** The code of a shop's coupon as a reference to the collaborator who has it for an alias. */
export function couponReference(code: string): Extract<CollaboratorReference, { kind: 'alias' }> {
  return { kind: 'alias', type: COUPON_ALIAS, codeKey: aliasKey(code) };
}

async function recordRound(
  database: Database,
  configurations: TouchConfigurations,
  organizationId: OrganizationId,
  waiting: readonly Waiting<SignalReport>[],
  outcomes: (SignalOutcome | undefined)[],
): Promise<void> {
  const facts = await loadFacts(database, organizationId, waiting);
  const requests = waiting.map(({ report }) => requestsOf(report, facts));
  const resolved = await configurations.resolve(organizationId, requests.flat());
  const rows: VisitRow[] = [];
  /** The report of each row. */
  const owners: number[] = [];
  let next = 0;
  for (const [n, { report, index }] of waiting.entries()) {
    const named = requests[n] ?? [];
    const referrers = resolved.referrers.slice(next, (next += named.length));
    const standing = facts.standings.get(report.opportunityId);
    const faults = faultsOf(report, standing, referrers, facts);
    if (faults.length > 0 || standing === undefined) outcomes[index] = { kind: 'refused', faults };
    else {
      const added = rowsOf(report, standing, referrers);
      rows.push(...added);
      owners.push(...added.map(() => index));
      if (added.length === 0) outcomes[index] = { kind: 'recorded', opportunityId: standing.opportunityId };
    }
  }
  if (rows.length === 0) return;
  const written = await retried(() => writeVisits(database, organizationId, resolved.version, rows));
  for (const [row, opportunityId] of written) {
    const index = owners[row];
    if (index !== undefined) outcomes[index] = { kind: 'recorded', opportunityId };
  }
}

type Facts = {
  readonly standings: ReadonlyMap<OpportunityId, Standing>;
  readonly customEvents: ReadonlySet<string>;
  readonly engaged: ReadonlyMap<OpportunityId, readonly CollaboratorId[]>;
};

async function loadFacts(
  database: Database,
  organizationId: OrganizationId,
  waiting: readonly Waiting<SignalReport>[],
): Promise<Facts> {
  const reports = waiting.map(({ report }) => report);
  const standings = await findStandings(
    database,
    organizationId,
    reports.map(({ opportunityId }) => opportunityId),
  );
  const custom = reports.filter((report) => report.kind === 'custom');
  const slugs = custom.map(({ event }) => event);
  const forAll = custom.flatMap(({ collaborator, opportunityId }) => {
    const standing = standings.get(opportunityId);
    return collaborator === null && standing !== undefined ? [standing.opportunityId] : [];
  });
  return {
    standings,
    customEvents: slugs.length === 0 ? new Set() : await findCustomEvents(database, organizationId, slugs),
    engaged: forAll.length === 0 ? new Map() : await findEngaged(database, organizationId, forAll),
  };
}

/** Whom a signal is for: one that it names, or all who are engaged. */
function requestsOf(report: SignalReport, { standings, engaged }: Facts): TouchRequest[] {
  switch (report.kind) {
    case 'coupon':
      return [{ trigger: COUPON_APPLIED, collaborator: couponReference(report.code) }];
    case 'custom': {
      const { event: trigger, collaborator, opportunityId } = report;
      if (collaborator !== null) return [{ trigger, collaborator }];
      const survivor = standings.get(opportunityId)?.opportunityId;
      const ids = survivor === undefined ? [] : (engaged.get(survivor) ?? []);
      return ids.map((id) => ({ trigger, collaborator: { kind: 'id', id } }));
    }
    default:
      return report satisfies never;
  }
}

function faultsOf(
  report: SignalReport,
  standing: Standing | undefined,
  referrers: readonly (ReferrerWithTouches | Refusal)[],
  { customEvents }: Facts,
): SignalFault[] {
  const isUnknownEvent = report.kind === 'custom' && (isCommonTrigger(report.event) || !customEvents.has(report.event));
  const namesOne = report.kind === 'coupon' || report.collaborator !== null;
  return [
    ...(isUnknownEvent ? ['unknown-event' as const] : []),
    ...(standing === undefined ? ['unknown-opportunity' as const] : []),
    ...(namesOne ? referrers.filter((referrer) => typeof referrer === 'string') : []),
  ];
}

/** Of all who are engaged those who may not earn any more are left out. An opportunity that is not active has no rows. */
function rowsOf(
  report: SignalReport,
  { state, opportunityId }: Standing,
  referrers: readonly (ReferrerWithTouches | Refusal)[],
): VisitRow[] {
  if (state !== 'active') return [];
  const trigger = report.kind === 'coupon' ? COUPON_APPLIED : report.event;
  return referrers.flatMap((referrer) =>
    typeof referrer === 'object' ? [signalRow(trigger, opportunityId, referrer)] : [],
  );
}

/** A signal on an opportunity that is known to be there. */
export function signalRow(trigger: Trigger, opportunityId: OpportunityId, referrer: ReferrerWithTouches): VisitRow {
  return {
    trigger,
    presented: opportunityId,
    collaboratorId: referrer.collaboratorId,
    collaboratorUserId: referrer.userId,
    aliasId: referrer.aliasId,
    userId: null,
    reason: referrer.reason,
    touches: referrer.touches,
  };
}
