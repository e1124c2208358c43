import { setImmediate } from 'node:timers/promises';
import type { ConnectorEventId, OrganizationId } from '#core/ids.ts';
import { opportunityNumbers } from '#core/opportunity-number.ts';
import {
  asDatabase,
  type Connection,
  type Database,
  inTransaction,
  isUnavailable,
} from '#platform/postgres/database.ts';
import { isCanceled, isLockTimeout, isRetryable } from '#platform/postgres/failures.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { limitLockWaits } from '#platform/worker/jobs.ts';
import { touchConfigurations } from '#tracking/commands/touch-configurations.ts';
import {
  type ConnectorEvent,
  type FindLink,
  type Link,
  type LinkKey,
  MAX_WAIT_DAYS,
  type Translation,
} from '../domain/connector.ts';
import { parseStoredMessage } from '../commands/parse-message.ts';
import { TRANSLATORS } from '../domain/translators.ts';
import { isOverdue, MAX_EVENT_ATTEMPTS, retryGapSeconds } from '../domain/waiting.ts';
import {
  claimConnector,
  type ClaimedConnector,
  type ClaimedEvent,
  claimEvents,
  settleEvents,
  type Settlement,
  wakeEvents,
} from '../store/connector-events.ts';
import { loadLinks, saveLinks } from '../store/connector-links.ts';
import { noteAttributedOrder } from '../store/connectors.ts';
import { makeReports, NotReported, type ReportContext } from '../commands/make-reports.ts';

export type WorkOffOptions = {
  readonly lateReportDays: number;
  readonly onDeadLettered?: (organizationId: OrganizationId, event: ClaimedEvent, reason: string) => void;
};

/**
 * Processes up to `limit` due events of one connector of an organization, in one transaction: claim, translate, report,
 * and store the links and outcomes. If the transaction fails, its events are processed one by one, and only a failing
 * event waits for another attempt or is dead-lettered. If a call of the organization keeps a lock for longer than the
 * worker waits, the events stay due. Returns the number of processed events. Throws if the database is unavailable, or
 * if an error prevents the claim of events.
 */
export async function workOffEvents(tenant: Tenant<Database>, limit: number, options: WorkOffOptions): Promise<number> {
  const claimed: ClaimedEvent[] = [];
  try {
    return await workOffBatch(tenant, limit, options, claimed);
  } catch (error) {
    if (isLockTimeout(error)) return 0;
    if ((isUnavailable(error) && !isCanceled(error)) || claimed.length === 0) throw error;
    let done = 0;
    for (const end = claimed.length; done < end; done += 1) if (!(await workOffOne(tenant, options))) break;
    return done;
  }
}

/**
 * Processes one event. If processing fails, schedules the next attempt, or dead-letters the event. Returns false if
 * there is no event to claim, or if a call of the organization keeps a lock for longer than the worker waits.
 */
async function workOffOne(tenant: Tenant<Database>, options: WorkOffOptions): Promise<boolean> {
  const claimed: ClaimedEvent[] = [];
  try {
    return (await workOffBatch(tenant, 1, options, claimed)) > 0;
  } catch (error) {
    if (isLockTimeout(error)) return false;
    const [event] = claimed;
    if ((isUnavailable(error) && !isCanceled(error)) || event === undefined) throw error;
    const failure = failureOf(event, error);
    await inTenantTransaction(tenant, (tenant) => settleEvents(tenant, new Map([[event.id, failure]])));
    return true;
  }
}

/**
 * Processes a batch of due events, and returns the number of processed events. Adds the claimed events to `claimed`,
 * even if processing fails.
 */
async function workOffBatch(
  tenant: Tenant<Database>,
  limit: number,
  options: WorkOffOptions,
  claimed: ClaimedEvent[],
): Promise<number> {
  const settlements = await inTenantTransaction(tenant, async (tenant) => {
    claimed.length = 0;
    await limitLockWaits(tenant.connection);
    const connector = await claimConnector(tenant);
    if (connector === undefined) return new Map<ConnectorEventId, Settlement>();
    claimed.push(...(await claimEvents(tenant, connector.id, limit)));
    return workIn(tenant, connector, claimed, options);
  });
  for (const event of claimed) {
    const settlement = settlements.get(event.id);
    if (settlement?.state === 'dead-lettered') {
      options.onDeadLettered?.(tenant.organizationId, event, settlement.reason);
    }
  }
  return settlements.size;
}

/** Processes claimed events sequentially, so that each event sees the links of earlier events. */
async function workIn(
  tenant: Tenant<Connection>,
  connector: ClaimedConnector,
  claimed: readonly ClaimedEvent[],
  { lateReportDays }: WorkOffOptions,
): Promise<ReadonlyMap<ConnectorEventId, Settlement>> {
  const deadline = performance.now() + MAX_TURN_MS;
  const events = await readEvents(claimed, deadline);
  const { linkKeys } = TRANSLATORS[connector.kind];
  const keys = events.flatMap(({ event }) => (event === undefined ? [] : linkKeys(event)));
  const stored = await loadLinks(tenant, connector.id, keys);
  const left = new Map<string, Link>();
  const find: FindLink = (kind, externalId) => left.get(`${kind}:${externalId}`)?.value ?? stored(kind, externalId);
  const reporting: ReportContext = {
    tenant,
    numbers: opportunityNumbers(connector.opportunityKey),
    configurations: touchConfigurations(asDatabase(tenant.connection)),
    now: new Date(),
    lateReportDays,
  };
  const settlements = new Map<ConnectorEventId, Settlement>();
  for (const { claimed: each, event } of events) {
    // After the deadline, the remaining events stay due.
    if (settlements.size > 0 && performance.now() > deadline) break;
    const translation = translate(connector, each, event, find);
    const { settlement, links } = await report(reporting, each, translation);
    settlements.set(each.id, settlement);
    for (const link of links) left.set(`${link.kind}:${link.externalId}`, link);
  }
  const links = [...left.values()];
  await saveLinks(tenant, connector.id, links);
  await settleEvents(tenant, settlements);
  // Wake waiting events after the events of this batch are settled, so that waiting events of this batch are found too.
  await wakeEvents(tenant, connector.id, links);
  await noteFirstAttributed(tenant, connector, settlements);
  return settlements;
}

/**
 * The time in milliseconds after which a transaction processes no further event. Decisions wait for the transaction.
 */
const MAX_TURN_MS = 500;

const ADVICE = 'Dismiss this event, and report any payment or refund with the API.';

const REMOVED: Translation = { kind: 'failed', reason: `The payload has been removed. ${ADVICE}` };

const UNREADABLE: Translation = {
  kind: 'failed',
  reason: `The payload can’t be read: it is malformed, nested too deeply, or has too many values. ${ADVICE}`,
};

type ReadEvent = { readonly claimed: ClaimedEvent; readonly event: ConnectorEvent | undefined };

/**
 * Parses events until the deadline, at least one. Parsing can take milliseconds, so the process serves other requests
 * between two events.
 */
async function readEvents(claimed: readonly ClaimedEvent[], deadline: number): Promise<readonly ReadEvent[]> {
  const events: ReadEvent[] = [];
  for (const each of claimed) {
    if (events.length > 0 && performance.now() > deadline) break;
    events.push({ claimed: each, event: readEvent(each) });
    await setImmediate();
  }
  return events;
}

function readEvent({ externalId, type, occurredAt, payload: text }: ClaimedEvent): ConnectorEvent | undefined {
  const payload = text === null ? undefined : parseStoredMessage(text);
  return payload && { id: externalId, type, occurredAt, payload };
}

function translate(
  { kind, source, settings }: ClaimedConnector,
  { payload, waitedHours }: ClaimedEvent,
  event: ConnectorEvent | undefined,
  find: FindLink,
): Translation {
  if (event === undefined) return payload === null ? REMOVED : UNREADABLE;
  return TRANSLATORS[kind].translate(event, find, settings, { source, waitedHours });
}

type Reported = { readonly settlement: Settlement; readonly links: readonly Link[] };

/** Makes the reports of an event within a savepoint, so that a failure rolls them back and can be recorded. */
async function report(reporting: ReportContext, event: ClaimedEvent, translation: Translation): Promise<Reported> {
  switch (translation.kind) {
    case 'translated': {
      const { reports, links } = translation;
      if (reports.length === 0) return { settlement: { state: 'processed', reason: null, outcome: [] }, links };
      try {
        const outcome = await inTransaction(asDatabase(reporting.tenant.connection), (connection) =>
          makeReports({ ...reporting, tenant: { ...reporting.tenant, connection } }, reports),
        );
        return { settlement: { state: 'processed', reason: null, outcome }, links };
      } catch (error) {
        if (error instanceof NotReported) return waitOrDeadLetter(event, error.kind, error.message, []);
        // An unavailable database, a retryable error or a lock timeout ends the whole transaction, so no further event
        // can be processed in it.
        if (isUnavailable(error) || isRetryable(error) || isLockTimeout(error)) throw error;
        return { settlement: failureOf(event, error), links: [] };
      }
    }
    case 'ignored': {
      const { reason, links = [] } = translation;
      return { settlement: { state: 'ignored', reason, outcome: [] }, links };
    }
    case 'waiting':
      return waitOrDeadLetter(event, 'waiting', translation.reason, translation.waitsFor);
    case 'failed':
      return waitOrDeadLetter(event, 'failed', translation.reason, []);
    default:
      return translation satisfies never;
  }
}

/** The advice for an event that has waited too long. */
const OVERDUE_ADVICE =
  `This event has waited for ${MAX_WAIT_DAYS} days. Send the missing event again from the connected system and retry this event, ` +
  'or dismiss it.';

function waitOrDeadLetter(
  { waitedHours }: ClaimedEvent,
  kind: 'waiting' | 'failed',
  reason: string,
  waitsFor: readonly LinkKey[],
): Reported {
  const settlement: Settlement =
    kind === 'waiting' && !isOverdue(waitedHours)
      ? { state: 'waiting', reason, waitsFor }
      : { state: 'dead-lettered', reason: kind === 'waiting' ? `${reason} ${OVERDUE_ADVICE}` : reason };
  return { settlement, links: [] };
}

/**
 * Returns the settlement after an unexpected failure: another attempt, or `dead-lettered` after MAX_EVENT_ATTEMPTS
 * attempts.
 */
function failureOf({ attempts }: ClaimedEvent, error: unknown): Settlement {
  const reason = error instanceof Error ? error.message : String(error);
  return attempts + 1 >= MAX_EVENT_ATTEMPTS
    ? { state: 'dead-lettered', reason, isFailure: true }
    : { state: 'pending', reason, isFailure: true, retryInSeconds: retryGapSeconds(attempts) };
}

async function noteFirstAttributed(
  tenant: Tenant<Connection>,
  { id }: ClaimedConnector,
  settlements: ReadonlyMap<ConnectorEventId, Settlement>,
): Promise<void> {
  const outcomes = [...settlements.values()].flatMap((each) => ('outcome' in each ? each.outcome : []));
  const attributed = outcomes.find(({ isAttributed }) => isAttributed === true);
  if (attributed !== undefined) await noteAttributedOrder(tenant, id, attributed.externalId);
}
