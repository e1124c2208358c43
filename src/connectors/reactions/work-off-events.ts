import type { OrganizationId } from '#core/ids.ts';
import { opportunityNumbers } from '#core/opportunity-number.ts';
import {
  asDatabase,
  type Connection,
  type Database,
  inTransaction,
  isUnavailable,
} from '#platform/postgres/database.ts';
import { isRetryable } from '#platform/postgres/failures.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { touchConfigurations } from '#tracking/commands/touch-configurations.ts';
import type { ConnectorEvent, Json, Link, Translation } from '../domain/connector.ts';
import { isObject } from '../domain/json.ts';
import type { ReportOutcome } from '../domain/report.ts';
import { sourceOf } from '../domain/source.ts';
import { TRANSLATORS } from '../domain/translators.ts';
import { isOverdue, MAX_EVENT_ATTEMPTS, retryGapSeconds } from '../domain/waiting.ts';
import { type ClaimedEvent, claimEvent, settleEvent, type Settlement, wakeEvents } from '../store/connector-events.ts';
import { loadLinks, saveLinks } from '../store/connector-links.ts';
import { noteAttributedOrder } from '../store/connectors.ts';
import { makeReports, NotReported } from './make-reports.ts';

export type WorkOffOptions = {
  readonly lateReportDays: number;
  readonly onDeadLettered?: (organizationId: OrganizationId, event: ClaimedEvent, reason: string) => void;
};

/**
 * Works in up to `limit` due events of an organization, each in a transaction of its own: claim, translate, report, and
 * store the links and what became of it. Returns the number of events.
 */
export async function workOffEvents(
  { connection, organizationId }: Tenant<Database>,
  limit: number,
  options: WorkOffOptions,
): Promise<number> {
  for (let done = 0; done < limit; done += 1) {
    const isWorked = await inTenantTransaction({ connection, organizationId }, (tenant) => workOffOne(tenant, options));
    if (!isWorked) return done;
  }
  return limit;
}

async function workOffOne(tenant: Tenant<Connection>, options: WorkOffOptions): Promise<boolean> {
  const event = await claimEvent(tenant);
  if (event === undefined) return false;
  const settlement = await settlementOf(tenant, event, options);
  await settleEvent(tenant, event.id, settlement);
  if (settlement.state === 'dead-lettered') {
    options.onDeadLettered?.(tenant.organizationId, event, settlement.reason);
  }
  return true;
}

/** Works in an event within a savepoint, so that a failure undoes its reports and can be recorded. */
async function settlementOf(
  { connection, organizationId }: Tenant<Connection>,
  event: ClaimedEvent,
  options: WorkOffOptions,
): Promise<Settlement> {
  try {
    return await inTransaction(asDatabase(connection), (nested) =>
      process({ connection: nested, organizationId }, event, options),
    );
  } catch (error) {
    if (error instanceof NotReported) return notYet(event, error.kind, error.message, []);
    // The whole transaction is lost. It is repeated after a deadlock, and otherwise the event stays due.
    if (isUnavailable(error) || isRetryable(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    if (event.attempts + 1 >= MAX_EVENT_ATTEMPTS) return { state: 'dead-lettered', reason };
    return { state: 'pending', reason, retryInSeconds: retryGapSeconds(event.attempts) };
  }
}

async function process(
  tenant: Tenant<Connection>,
  event: ClaimedEvent,
  { lateReportDays }: WorkOffOptions,
): Promise<Settlement> {
  const translation = await translate(tenant, event);
  switch (translation.kind) {
    case 'translated': {
      const outcome = await makeReports(
        {
          tenant,
          numbers: opportunityNumbers(event.opportunityKey),
          configurations: touchConfigurations(asDatabase(tenant.connection)),
          now: new Date(),
          lateReportDays,
        },
        translation.reports,
      );
      await leaveLinks(tenant, event, translation.links);
      await noteFirstAttributed(tenant, event, outcome);
      return { state: 'processed', reason: null, outcome };
    }
    case 'ignored':
      await leaveLinks(tenant, event, translation.links ?? []);
      return { state: 'ignored', reason: translation.reason, outcome: [] };
    case 'waiting':
      return notYet(event, 'waiting', translation.reason, translation.waitsFor);
    case 'failed':
      return notYet(event, 'failed', translation.reason, []);
    default:
      return translation satisfies never;
  }
}

async function translate(tenant: Tenant<Connection>, claimed: ClaimedEvent): Promise<Translation> {
  const { kind, mode, settings, externalId, type, occurredAt, waitedHours } = claimed;
  if (claimed.payload === null) return { kind: 'failed', reason: 'The payload has been removed.' };
  const payload = parsePayload(claimed.payload);
  if (!isObject(payload)) return { kind: 'failed', reason: 'The payload is no JSON object.' };
  const { linkKeys, translate: translateEvent } = TRANSLATORS[kind];
  const event: ConnectorEvent = { id: externalId, type, occurredAt, payload };
  const find = await loadLinks(tenant, claimed.connectorId, linkKeys(event));
  return translateEvent(event, find, settings, { source: sourceOf(kind, mode, settings), waitedHours });
}

/** Stores links, and makes the events due that wait for them. */
async function leaveLinks(
  tenant: Tenant<Connection>,
  { connectorId }: ClaimedEvent,
  links: readonly Link[],
): Promise<void> {
  await saveLinks(tenant, connectorId, links);
  await wakeEvents(tenant, connectorId, links);
}

async function noteFirstAttributed(
  tenant: Tenant<Connection>,
  { connectorId }: ClaimedEvent,
  outcome: readonly ReportOutcome[],
): Promise<void> {
  const attributed = outcome.find(({ isAttributed }) => isAttributed === true);
  if (attributed !== undefined) await noteAttributedOrder(tenant, connectorId, attributed.externalId);
}

function notYet(
  { waitedHours }: ClaimedEvent,
  kind: 'waiting' | 'failed',
  reason: string,
  waitsFor: Extract<Settlement, { state: 'waiting' }>['waitsFor'],
): Settlement {
  return kind === 'waiting' && !isOverdue(waitedHours)
    ? { state: 'waiting', reason, waitsFor }
    : { state: 'dead-lettered', reason };
}

/** Parses JSON. An integer that a number can't hold stays a text. */
function parsePayload(text: string): Json {
  return JSON.parse(text, exactly as (this: unknown, key: string, value: Json) => Json) as Json;
}

function exactly(_: string, value: Json, { source }: { readonly source?: string }): Json {
  return typeof value === 'number' && !Number.isSafeInteger(value) && isInteger(source) ? source : value;
}

function isInteger(source: string | undefined): source is string {
  return source !== undefined && /^-?[0-9]+$/.test(source);
}
