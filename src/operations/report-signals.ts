import type { CollaboratorReference } from '#domain/collaborator.ts';
import { isCommonTrigger } from '#domain/custom-event.ts';
import type { CollaboratorId, ConfigVersion, OpportunityId, OrganizationId } from '#domain/ids.ts';
import type { Trigger } from '#domain/program.ts';
import type { ReportKey } from '#domain/report-key.ts';
import { COUPON_ALIAS, COUPON_APPLIED } from '#domain/visit.ts';
import { aliasKey } from '#domain/alias.ts';
import { findCustomEvents } from '#store/custom-events.ts';
import { type Database, retried } from '#store/database.ts';
import { findEngaged, findStandings, type Standing } from '#store/signals.ts';
import { type VisitRow, writeVisits } from '#store/visits.ts';
import {
  type Keyed,
  type OtherRequest,
  type Recorded,
  recordOnce,
  withoutRepeats,
  type Written,
} from './keyed-reports.ts';
import { inRounds, type OnFailure, type Waiting } from './report-rounds.ts';
import {
  type ReferrerWithTouches,
  type Refusal,
  type TouchConfigurations,
  touchConfigurations,
  type TouchRequest,
} from './touch-configurations.ts';

/** What a visitor did, other than visit: it touches engagements as a visit does, and creates no opportunity. */
export type SignalReport = Keyed & Signal;

type Signal =
  | { readonly kind: 'coupon'; readonly opportunityId: OpportunityId; readonly code: string }
  | {
      readonly kind: 'custom';
      readonly opportunityId: OpportunityId;
      /** The slug of a custom event. */
      readonly event: Trigger;
      /** Null is everyone who is engaged on the opportunity. */
      readonly collaborator: CollaboratorReference | null;
    };

export type SignalFault = Refusal | 'unknown-opportunity';
export type SignalOutcome =
  | Recorded
  | OtherRequest
  /** Its slug is that of no custom event. */
  | { readonly kind: 'unknown-event' }
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
 * takes a signal without effect. `onFailure` is told why outcomes are missing.
 */
export function signalReporting(database: Database, onFailure?: OnFailure): ReportSignals {
  const configurations = touchConfigurations(database);
  return (organizationId, reports) =>
    inRounds<SignalReport, SignalOutcome>(reports, {
      record: (waiting, outcomes) => recordRound(database, configurations, organizationId, waiting, outcomes),
      forget: () => configurations.forget(organizationId),
      onFailure,
    });
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
  const effective: EffectiveSignal[] = [];
  const others: (Waiting<SignalReport> & { readonly outcome: SignalOutcome })[] = [];
  let next = 0;
  for (const [n, { report, index }] of waiting.entries()) {
    const named = requests[n] ?? [];
    const referrers = resolved.referrers.slice(next, (next += named.length));
    const effect = effectOf(report, referrers, facts);
    if (effect.kind === 'touches') effective.push({ report, index, rows: effect.rows });
    else others.push({ report, index, outcome: effect });
  }
  // These write nothing, so no statement compares the version under which whom they name was looked up.
  const isStale = others.length > 0 && !(await configurations.isCurrent(organizationId, resolved.version));
  for (const { index, outcome } of await withoutRepeats(database, organizationId, isStale ? [] : others, outcomes)) {
    outcomes[index] = outcome;
  }
  await recordOnce(effective, outcomes, (signals) => write(database, organizationId, resolved.version, signals));
}

type EffectiveSignal = Waiting<SignalReport> & { readonly rows: readonly VisitRow[] };

async function write(
  database: Database,
  organizationId: OrganizationId,
  configVersion: ConfigVersion,
  signals: readonly EffectiveSignal[],
): Promise<Written> {
  const rows = signals.flatMap((signal) => signal.rows);
  /** The report of each row. */
  const owners = signals.flatMap(({ index, rows }) => rows.map(() => index));
  const { placed, kept } = await retried(() => writeVisits(database, organizationId, configVersion, rows));
  const opportunities = [...placed].map(([row, opportunityId]) => [owners[row] as number, opportunityId] as const);
  return { placed: new Map(opportunities), kept };
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

/** The rows of a signal, or its outcome where it has none. */
function effectOf(
  report: SignalReport,
  referrers: readonly (ReferrerWithTouches | Refusal)[],
  { standings, customEvents }: Facts,
): { readonly kind: 'touches'; readonly rows: readonly VisitRow[] } | SignalOutcome {
  if (report.kind === 'custom' && (isCommonTrigger(report.event) || !customEvents.has(report.event))) {
    return { kind: 'unknown-event' };
  }
  const standing = standings.get(report.opportunityId);
  const namesOne = report.kind === 'coupon' || report.collaborator !== null;
  const refusals = namesOne ? referrers.filter((referrer) => typeof referrer === 'string') : [];
  if (standing === undefined) return { kind: 'refused', faults: ['unknown-opportunity', ...refusals] };
  if (refusals.length > 0) return { kind: 'refused', faults: refusals };
  const rows = rowsOf(report, standing, referrers);
  return rows.length > 0 ? { kind: 'touches', rows } : { kind: 'recorded', opportunityId: standing.opportunityId };
}

/** Of all who are engaged those who may not earn any more are left out. An opportunity that is not active has no rows. */
function rowsOf(
  report: SignalReport,
  { state, opportunityId }: Standing,
  referrers: readonly (ReferrerWithTouches | Refusal)[],
): VisitRow[] {
  if (state !== 'active') return [];
  const trigger = report.kind === 'coupon' ? COUPON_APPLIED : report.event;
  return referrers
    .filter((referrer) => typeof referrer === 'object')
    .map((referrer, n) => signalRow(trigger, opportunityId, referrer, n === 0 ? report.key : null));
}

/** A signal on an opportunity that is known to be there. Of a report with several rows the first has the key. */
export function signalRow(
  trigger: Trigger,
  opportunityId: OpportunityId,
  referrer: ReferrerWithTouches,
  key: ReportKey | null = null,
): VisitRow {
  return {
    trigger,
    presented: opportunityId,
    collaboratorId: referrer.collaboratorId,
    collaboratorUserId: referrer.userId,
    aliasId: referrer.aliasId,
    userId: null,
    reason: referrer.reason,
    touches: referrer.touches,
    key,
  };
}
