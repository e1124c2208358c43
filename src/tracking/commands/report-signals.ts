import type { CollaboratorReference } from '#collaborators/domain/collaborator.ts';
import { COUPON_APPLIED, isCommonTrigger } from '#programs/domain/custom-event.ts';
import type { CollaboratorId, ConfigVersion, OpportunityId, OrganizationId } from '#core/ids.ts';
import type { Trigger } from '#programs/domain/program.ts';
import type { ReportKey } from '#core/report-key.ts';
import type { PlatformUserId } from '#core/user.ts';
import { COUPON_ALIAS, MAX_ENGAGEMENTS } from '../domain/visit.ts';
import { aliasKey } from '#collaborators/domain/alias.ts';
import { findCustomEvents } from '#programs/store/custom-events.ts';
import { type Database, retryStatement } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { findUsers } from '#collaborators/store/read/users.ts';
import { findEngaged, findStandings, findUserOpportunities, type CurrentOpportunity } from '../store/signals.ts';
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
  type ReferrerWithTouches,
  type Refusal,
  type TouchConfigurations,
  touchConfigurations,
  type TouchRequest,
} from './touch-configurations.ts';

/** An action of a visitor other than a visit. It touches engagements as a visit does, but creates no opportunity. */
export type SignalReport = Keyed & Signal & { readonly occurredAt: Date | null };

type Signal =
  | { readonly kind: 'coupon'; readonly opportunityId: OpportunityId; readonly code: string }
  | {
      readonly kind: 'custom';
      /** The opportunity of the signal. Null means the opportunity of the user. */
      readonly opportunityId: OpportunityId | null;
      /** The user whose opportunity the signal is for. Used only if `opportunityId` is null. */
      readonly userId: PlatformUserId | null;
      /** The slug of a custom event. */
      readonly event: Trigger;
      /** The collaborator of the signal. Null means up to MAX_ENGAGED collaborators with an engagement. */
      readonly collaborator: CollaboratorReference | null;
    };

export type SignalFault = Refusal | 'unknown-opportunity';
export type SignalOutcome =
  | Recorded
  | OtherRequest
  /** The user has no active opportunity, so nothing was written. */
  | { readonly kind: 'no-opportunity' }
  /** No custom event has this slug, so nothing was written. */
  | { readonly kind: 'unknown-event' }
  /** The report has faults, so nothing was written. */
  | { readonly kind: 'refused'; readonly faults: readonly SignalFault[] };

/**
 * Reports signals. A missing outcome means that the report was not written, although other reports of its batch were
 * written. The report can be sent again.
 */
export type ReportSignals = (
  organizationId: OrganizationId,
  reports: readonly SignalReport[],
) => Promise<(SignalOutcome | undefined)[]>;

/**
 * Returns a function that writes a batch of an organization's signals, which are applied coupons and custom events. The
 * function's promise resolves once the signals are durable, with the outcome of each report in the same order. A signal
 * for an invalid or removed opportunity is accepted without effect. `onFailure` is called with the error that caused
 * missing outcomes.
 */
export function createSignalReporter(database: Database, onFailure?: OnFailure): ReportSignals {
  const configurations = touchConfigurations(database);
  return (organizationId, reports) =>
    recordInRounds<SignalReport, SignalOutcome>(reports, {
      record: (waiting, outcomes) =>
        recordRound({ connection: database, organizationId }, configurations, waiting, outcomes),
      forget: () => configurations.forget(organizationId),
      onFailure,
    });
}

/** Returns a reference to the collaborator whose alias is the given coupon code. */
export function couponReference(code: string): Extract<CollaboratorReference, { kind: 'alias' }> {
  return { kind: 'alias', type: COUPON_ALIAS, codeKey: aliasKey(code) };
}

async function recordRound(
  tenant: Tenant<Database>,
  configurations: TouchConfigurations,
  waiting: readonly WaitingReport<SignalReport>[],
  outcomes: (SignalOutcome | undefined)[],
): Promise<void> {
  const facts = await loadFacts(tenant, waiting);
  const requests = waiting.map(({ report }) => requestsOf(report, facts));
  const resolved = await configurations.resolve(tenant.organizationId, requests.flat());
  const effective: EffectiveSignal[] = [];
  const others: (WaitingReport<SignalReport> & { readonly outcome: SignalOutcome })[] = [];
  let next = 0;
  for (const [n, { report, index }] of waiting.entries()) {
    const named = requests[n] ?? [];
    const referrers = resolved.referrers.slice(next, (next += named.length));
    const effect = effectOf(report, referrers, facts);
    if (effect.kind === 'touches') effective.push({ report, index, rows: effect.rows });
    else others.push({ report, index, outcome: effect });
  }
  // Signals without touches write nothing, so no statement checks the configuration version of their lookup.
  const isStale = others.length > 0 && !(await configurations.isCurrent(tenant.organizationId, resolved.version));
  for (const { index, outcome } of await answerStoredRepeats(tenant, isStale ? [] : others, outcomes)) {
    outcomes[index] = outcome;
  }
  await recordOnce(effective, outcomes, (signals) => write(tenant, resolved.version, signals));
}

type EffectiveSignal = WaitingReport<SignalReport> & { readonly rows: readonly VisitRow[] };

async function write(
  tenant: Tenant<Database>,
  configVersion: ConfigVersion,
  signals: readonly EffectiveSignal[],
): Promise<Written> {
  const rows = signals.flatMap((signal) => signal.rows);
  /** The index of each row's report. */
  const owners = signals.flatMap(({ index, rows }) => rows.map(() => index));
  const { placed, kept } = await retryStatement(() => writeVisits(tenant, configVersion, rows));
  const opportunities = [...placed].map(([row, opportunityId]) => [owners[row] as number, opportunityId] as const);
  return { placed: new Map(opportunities), kept };
}

type Facts = {
  /**
   * The current opportunity of each report. A report is missing if its opportunity id was never issued, or if its user
   * has no active opportunity.
   */
  readonly standings: ReadonlyMap<SignalReport, CurrentOpportunity>;
  readonly customEvents: ReadonlySet<string>;
  readonly engaged: ReadonlyMap<OpportunityId, readonly CollaboratorId[]>;
};

async function loadFacts(tenant: Tenant<Database>, waiting: readonly WaitingReport<SignalReport>[]): Promise<Facts> {
  const reports = waiting.map(({ report }) => report);
  const standings = await loadStandings(tenant, reports);
  const custom = reports.filter((report) => report.kind === 'custom');
  const slugs = custom.map(({ event }) => event);
  const forAll = custom.flatMap((report) => {
    const standing = standings.get(report);
    return report.collaborator === null && standing !== undefined ? [standing.opportunityId] : [];
  });
  return {
    standings,
    customEvents: slugs.length === 0 ? new Set() : await findCustomEvents(tenant, slugs),
    engaged: forAll.length === 0 ? new Map() : await findEngaged(tenant, forAll),
  };
}

/**
 * Returns the current opportunity of each report: of the reported id, or the active opportunity of its user. A report
 * is missing if its id was never issued, or if its user has no active opportunity.
 */
async function loadStandings(
  tenant: Tenant<Database>,
  reports: readonly SignalReport[],
): Promise<Map<SignalReport, CurrentOpportunity>> {
  const presented = reports.flatMap(({ opportunityId }) => opportunityId ?? []);
  const users = reports.flatMap((report) => userOf(report) ?? []);
  const byId = presented.length === 0 ? new Map() : await findStandings(tenant, presented);
  const numbers = await findUsers(tenant, users);
  const byUser = numbers.size === 0 ? new Map() : await findUserOpportunities(tenant, [...numbers.values()]);
  const found = reports.map((report): [SignalReport, CurrentOpportunity | undefined] => {
    if (report.opportunityId !== null) return [report, byId.get(report.opportunityId)];
    const user = userOf(report);
    const opportunityId = user === null ? undefined : byUser.get(numbers.get(user));
    return [report, opportunityId === undefined ? undefined : { opportunityId, state: 'active' }];
  });
  return new Map(found.filter((pair): pair is [SignalReport, CurrentOpportunity] => pair[1] !== undefined));
}

/** Returns the user whose opportunity a report is for, or null if the report has an opportunity. */
function userOf(report: SignalReport): PlatformUserId | null {
  return report.kind === 'custom' && report.opportunityId === null ? report.userId : null;
}

/**
 * Returns the collaborators of a signal, each with the trigger: the collaborator in the report, or up to MAX_ENGAGED
 * collaborators with an engagement.
 */
function requestsOf(report: SignalReport, { standings, engaged }: Facts): TouchRequest[] {
  switch (report.kind) {
    case 'coupon':
      return [{ trigger: COUPON_APPLIED, collaborator: couponReference(report.code) }];
    case 'custom': {
      const { event: trigger, collaborator } = report;
      if (collaborator !== null) return [{ trigger, collaborator }];
      const survivor = standings.get(report)?.opportunityId;
      const ids = survivor === undefined ? [] : (engaged.get(survivor) ?? []);
      return ids.map((id) => ({ trigger, collaborator: { kind: 'id', id } }));
    }
    default:
      return report satisfies never;
  }
}

/** Returns the rows of a signal, or its outcome if it has no rows. */
function effectOf(
  report: SignalReport,
  referrers: readonly (ReferrerWithTouches | Refusal)[],
  { standings, customEvents }: Facts,
): { readonly kind: 'touches'; readonly rows: readonly VisitRow[] } | SignalOutcome {
  if (report.kind === 'custom' && (isCommonTrigger(report.event) || !customEvents.has(report.event))) {
    return { kind: 'unknown-event' };
  }
  const standing = standings.get(report);
  const namesOne = report.kind === 'coupon' || report.collaborator !== null;
  const refusals = namesOne ? referrers.filter((referrer) => typeof referrer === 'string') : [];
  const isUnknown = standing === undefined && report.opportunityId !== null;
  if (isUnknown) return { kind: 'refused', faults: ['unknown-opportunity', ...refusals] };
  if (refusals.length > 0) return { kind: 'refused', faults: refusals };
  if (standing === undefined) return { kind: 'no-opportunity' };
  const rows = rowsOf(report, standing, referrers);
  return rows.length > 0 ? { kind: 'touches', rows } : { kind: 'recorded', opportunityId: standing.opportunityId };
}

/**
 * Returns the rows of a signal. Skips engaged collaborators who can no longer earn. Returns no rows if the opportunity
 * is not active. Rows after the first MAX_ENGAGEMENTS touches get no touches, because such touches can't have
 * engagements, and a statement with many touches takes seconds.
 */
function rowsOf(
  report: SignalReport,
  { state, opportunityId }: CurrentOpportunity,
  referrers: readonly (ReferrerWithTouches | Refusal)[],
): VisitRow[] {
  if (state !== 'active') return [];
  const trigger = report.kind === 'coupon' ? COUPON_APPLIED : report.event;
  let left = MAX_ENGAGEMENTS;
  return referrers
    .filter((referrer) => typeof referrer === 'object')
    .map((referrer, n) => {
      left -= referrer.touches.length;
      const fitting = left >= 0 ? referrer : { ...referrer, touches: [], reason: 'too-many-engagements' as const };
      return signalRow(trigger, opportunityId, fitting, {
        occurredAt: report.occurredAt,
        key: n === 0 ? report.key : null,
      });
    });
}

/**
 * Returns the row of a signal for an existing opportunity. If a report has several rows, callers pass its
 * Idempotency-Key only for the first row.
 */
export function signalRow(
  trigger: Trigger,
  opportunityId: OpportunityId,
  referrer: ReferrerWithTouches,
  { occurredAt, key }: { readonly occurredAt: Date | null; readonly key: ReportKey | null },
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
    occurredAt,
    key,
  };
}
