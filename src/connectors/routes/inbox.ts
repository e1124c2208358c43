import type { ConnectorId } from '#core/ids.ts';
import { problem } from '#core/contract/problem.ts';
import { isStorableText } from '#core/contract/text.ts';
import { type Batcher, createBatcher, type BatcherOptions } from '#platform/http/batcher.ts';
import { answer, type HandlersFor } from '#platform/http/handler.ts';
import { type Database, retryStatement } from '#platform/postgres/database.ts';
import type { FindInbox, OpenInbox } from '../commands/find-inboxes.ts';
import { VERIFIERS } from '../commands/verifiers.ts';
import type * as contract from '../contract/connector-inbox.ts';
import type { SignedEvent } from '../domain/connector.ts';
import type { Mode } from '#core/mode.ts';
import { insertEvents, type ReceivedEvent } from '../store/connector-events.ts';
import { noteRefusal } from '../store/connectors.ts';

export type InboxBatch = Batcher<ReceivedEvent, true>;

/**
 * Creates a batcher that writes verified events. Calls `onWritten` with the number of events when a batch is durable.
 */
export function inboxBatch(
  database: Database,
  options: Pick<BatcherOptions, 'isHarmless' | 'isUnresponsive'>,
  onWritten: (events: number) => void,
): InboxBatch {
  return createBatcher(async (organizationId, events: readonly ReceivedEvent[]) => {
    await retryStatement(() => insertEvents({ connection: database, organizationId }, events));
    onWritten(events.length);
    return events.map(() => true as const);
  }, options);
}

/**
 * Returns the handler for messages from other systems. It acknowledges an event with a 200 only once the event is
 * durable, so that the sender retries an event that was not stored.
 */
export function inboxHandlers(
  database: Database,
  findInbox: FindInbox,
  batch: InboxBatch,
): HandlersFor<typeof contract> {
  const recordRefusal = refusalRecorder(database);
  return {
    receiveConnectorEvent: async ({ params: { id }, bytes, bodyBytes, header }) => {
      const inbox = await findInbox(id);
      if (inbox === undefined) return problem('not-found');
      if (inbox.secret === null) return NO_SECRET;
      const body = bytes();
      const verification = await VERIFIERS[inbox.kind](body, header, inbox.secret, new Date());
      switch (verification.kind) {
        case 'verified': {
          const { mode, ...event } = verification.event;
          if (!isStorableEvent(event)) return NO_EVENT;
          const refusal = mode === null || mode === inbox.mode ? null : otherMode(mode);
          // An event whose mode differs from the organization's mode is stored without its payload, so that it can't be
          // retried by mistake.
          const payload = refusal === null ? body.toString('utf8') : null;
          const received = { ...event, connectorId: id, payload, refusal };
          await batch.submit(inbox.organizationId, received, { lines: 0, bytes: bodyBytes });
          return answer(200);
        }
        case 'no-event':
          return answer(200);
        case 'invalid-signature':
          await recordRefusal(inbox);
          return INVALID_SIGNATURE;
        case 'malformed':
          return NO_EVENT;
        default:
          return verification satisfies never;
      }
    },
  };
}

/** The minimum time between two recorded refusals of one connector's messages, in milliseconds. */
const REFUSALS_MS = 60_000;
/**
 * The maximum number of connectors whose last recorded refusal is cached. The cache is cleared before it would exceed
 * this number.
 */
const MAX_CACHED = 1_000;

/**
 * Returns a function that records a refused message. The connector's page shows the record, because the cause may be a
 * wrong secret.
 */
function refusalRecorder(database: Database): (inbox: OpenInbox) => Promise<void> {
  const recorded = new Map<ConnectorId, number>();
  return async ({ organizationId, id }) => {
    const now = performance.now();
    if (now - (recorded.get(id) ?? -Infinity) < REFUSALS_MS) return;
    if (recorded.size >= MAX_CACHED) recorded.clear();
    recorded.set(id, now);
    await noteRefusal({ connection: database, organizationId }, id);
  };
}

/**
 * The maximum length of the id, the type and the subject of an event, in UTF-16 units. The database also enforces it
 * for the id and the type.
 */
const MAX_LENGTH = 255;

/** The latest accepted time of an event. All date formats of the service support times up to this time. */
const LAST_TIME = Date.UTC(9999, 11, 31);

/** Returns whether an event can be stored. A valid signature proves the sender, but not the format. */
function isStorableEvent({ id, type, subject, occurredAt }: Omit<SignedEvent, 'mode'>): boolean {
  const texts = subject === null ? [id, type] : [id, type, subject];
  const time = occurredAt.getTime();
  return (
    texts.every((text) => text.length > 0 && text.length <= MAX_LENGTH && isStorableText(text)) &&
    time >= 0 &&
    time <= LAST_TIME
  );
}

const NO_EVENT = problem('malformed-json', 'The signature is valid, but the body is not an event. Send a JSON event.');

const NO_SECRET = problem(
  'invalid-signature',
  'The connector has no signing secret yet. Copy the sender’s secret to the connector.',
);

const INVALID_SIGNATURE = problem(
  'invalid-signature',
  'The signature is missing, was made with another secret, or has a time more than 5 minutes from the current time. ' +
    'Check the connector’s signing secret and the server’s clock.',
);

function otherMode(mode: Mode): string {
  return `This is a ${mode} event, and the connector accepts ${mode === 'live' ? 'test' : 'live'} events only.`;
}
