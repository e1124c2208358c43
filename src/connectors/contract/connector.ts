import { z } from 'zod';
import { choice, field, id, object, optional, refusal, text } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownChoice, shownFlag, shownId, shownInteger, shownText, shownTime } from '#core/contract/response-fields.ts';
import type { ConnectorEventId, ConnectorId } from '#core/ids.ts';
import { MODES } from '#core/mode.ts';
import { CONNECTOR_KINDS, CONNECTOR_STATUSES, EVENT_STATES, MAX_CONNECTORS } from '../domain/connector.ts';

const operation = operationsOf('Connectors');
const CONNECTOR_ID = 4031567812345678;

const name = text(1, 255, { description: 'The connector’s name.', example: 'Stripe, Germany' });
export const connectorSecret = text(
  8,
  255,
  {
    description: 'The secret with which the sender signs. It is never shown.',
    example: 'whsec_9eKQIMV2b5sSYspob7oDrscChlQ',
  },
  { noControlCharacters: true },
);
const source = text(
  1,
  64,
  {
    description:
      'The `source` of the connector’s orders, which no other connector can have. The default is the kind, with a ' +
      'number if another connector has that source.',
    example: 'stripe',
  },
  { noControlCharacters: true },
);
const settings = field<Readonly<Record<string, unknown>>>(
  { type: 'object' },
  { description: 'All settings for the connector’s kind. See docs/reference/connectors.md.', example: {} },
  (value) =>
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
      ? { ...value }
      : refusal('wrong-type', 'This must be an object.'),
);

const connector = z
  .strictObject({
    id: shownId({ description: 'The connector’s id, a random number.', example: CONNECTOR_ID }),
    kind: shownChoice(CONNECTOR_KINDS, { description: 'The system that sends the events.' }),
    name: shownText({ description: 'The connector’s name.', example: 'Stripe, Germany' }),
    mode: shownChoice(MODES, { description: 'The mode of the organization. Events of the other mode are ignored.' }),
    status: shownChoice(CONNECTOR_STATUSES, { description: '`active → deleted`.' }),
    webhookUrl: shownText({
      description: 'The URL for the system’s events.',
      example: `https://whence.example/v1/connectors/${CONNECTOR_ID}/webhook`,
    }),
    eventTypes: z
      .array(shownText({ description: 'A type of event.', example: 'invoice.paid' }))
      .meta({ description: 'The types of events to enable in the sending system.' }),
    source: shownText({
      description: 'The `source` of the connector’s orders. It can’t be changed.',
      example: 'stripe',
    }),
    settings: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The settings that were set.', examples: [{ reverseDisputes: 'lost' }] }),
    hasSecret: shownFlag({
      description: 'Whether the connector has the sender’s secret. Without the secret, it refuses all events.',
    }),
    pendingEvents: shownInteger({
      description: 'The number of events that are due or scheduled to be processed.',
      example: 0,
    }),
    waitingEvents: shownInteger({ description: 'The number of events that wait for another event.', example: 1 }),
    deadLetteredEvents: shownInteger({ description: 'The number of events that could not be processed.', example: 0 }),
    firstEventAt: shownTime({ description: 'When the first event arrived.' }).nullable(),
    lastEventAt: shownTime({ description: 'When the last event arrived.' }).nullable(),
    lastRefusedAt: shownTime({
      description: 'When a message with an invalid signature last arrived. Recorded at most once a minute.',
    }).nullable(),
    firstAttributedOrder: shownText({
      description: 'The `externalId` of the first sale with a referral.',
      example: 'in_1RFFohKXBGcbgpbZk9MxzDMc',
    }).nullable(),
    firstAttributedAt: shownTime({ description: 'When the first sale with a referral was recorded.' }).nullable(),
    createdAt: shownTime({ description: 'When it was created.' }),
    updatedAt: shownTime({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'Connector', description: 'A connector to a billing or shop system, without its secret.' });

const ofConnector = { id: id<ConnectorId>({ description: 'The connector’s id.', example: CONNECTOR_ID }) };
export const connectorParams = z.object(ofConnector);
const params = connectorParams;

export const listConnectors = operation({
  method: 'GET',
  path: '/v1/connectors',
  summary: 'List connectors',
  description: 'Lists the connectors that are not deleted. `status=deleted` lists deleted connectors.',
  scope: 'resources:read',
  query: listQuery(['id', 'createdAt'], {
    status: choice(CONNECTOR_STATUSES, { description: 'Connectors in this state.' }),
    kind: choice(CONNECTOR_KINDS, { description: 'Connectors of this kind.' }),
  }),
  mayLag: true,
  success: listSuccess(connector, 'Connectors.'),
});

export const createConnector = operation({
  method: 'POST',
  path: '/v1/connectors',
  summary: 'Create a connector',
  description:
    'Creates a connector. Signed events that are sent to its `webhookUrl` are recorded as sales, renewals and refunds. ' +
    'Some systems show their secret only after they have the URL. In that case, omit `secret`, and set it later with ' +
    '`POST /v1/connectors/{id}/rotate-secret`. ' +
    `An organization can have up to ${MAX_CONNECTORS} connectors.`,
  scope: 'resources:write',
  gives: 'events:write',
  fresh: true,
  example: { kind: 'stripe', name: 'Stripe', secret: 'whsec_9eKQIMV2b5sSYspob7oDrscChlQ' },
  body: object({
    kind: choice(CONNECTOR_KINDS, { description: 'The system that sends the events.' }),
    name,
    secret: optional(connectorSecret),
    mode: optional(choice(MODES, { description: 'The mode of the organization. The other mode is refused.' })),
    source: optional(source),
    settings: optional(settings),
  }),
  takesSecret: ['secret'],
  success: { status: 201, description: 'The connector.', body: connector },
  problems: ['too-many-connectors'],
});

export const getConnector = operation({
  method: 'GET',
  path: '/v1/connectors/{id}',
  summary: 'Get a connector',
  description: 'Returns a connector without its secret. This also works for deleted connectors.',
  scope: 'resources:read',
  params,
  success: { description: 'The connector.', body: connector },
});

export const changeConnector = operation({
  method: 'PATCH',
  path: '/v1/connectors/{id}',
  reader: getConnector,
  summary: 'Change a connector',
  description:
    'Changes the given fields of a connector. `settings` are replaced as a whole. The kind and the source ' +
    'can’t be changed.',
  scope: 'resources:write',
  params,
  example: { name: 'Stripe, Germany' },
  body: object({ name: optional(name), settings: optional(settings) }),
  success: { description: 'The changed connector.', body: connector },
  problems: ['invalid-transition'],
});

export const deleteConnector = operation({
  method: 'DELETE',
  path: '/v1/connectors/{id}',
  reader: getConnector,
  summary: 'Delete a connector',
  description:
    'Deletes a connector. Its URL no longer accepts events, and its pending and waiting events are dismissed. Recorded ' +
    'orders stay. Repeating the call changes nothing.',
  scope: 'resources:write',
  fresh: true,
  params,
  success: { description: 'The deleted connector.', body: connector },
});

export const rotateConnectorSecret = operation({
  method: 'POST',
  path: '/v1/connectors/{id}/rotate-secret',
  reader: getConnector,
  summary: 'Set a connector’s secret',
  description: 'Sets or replaces a connector’s secret. From now on, events must be signed with this secret.',
  scope: 'resources:write',
  gives: 'events:write',
  fresh: true,
  params,
  body: object({ secret: connectorSecret }),
  takesSecret: ['secret'],
  success: { description: 'The connector.', body: connector },
  problems: ['invalid-transition'],
});

const outcome = z
  .strictObject({
    verb: shownText({ description: 'The kind of report.', example: 'sale' }),
    source: shownText({ description: 'The `source` of the order.', example: 'stripe' }),
    externalId: shownText({ description: 'The `externalId` of the order.', example: 'in_1RFFohKXBGcbgpbZk9MxzDMc' }),
    refundId: shownText({ description: 'The id of the refund.', example: 're_3LQOJoKXBGcbgpbZ10i9Mg75' }).optional(),
    correctionId: shownText({ description: 'The id of the correction.', example: 'edited-1' }).optional(),
    outcome: shownChoice(['recorded', 'repeated'], { description: 'Whether the report was new.' }),
    referral: shownChoice(['tracking-id', 'coupon', 'customer', 'user', 'none'], {
      description: 'For a sale: how its referral was found.',
    }).optional(),
    isAttributed: shownFlag({ description: 'For a sale: whether it has an opportunity.' }).optional(),
  })
  .meta({ id: 'ConnectorReport', description: 'A report made from an event.' });

const eventShape = {
  id: shownId({ description: 'The event’s id.', example: 1207 }),
  connectorId: shownId({ description: 'The connector that received the event.', example: CONNECTOR_ID }),
  externalId: shownText({ description: 'The sender’s id of the event.', example: 'evt_1Pgc76B7WZ01zgkWwyRHS12y' }),
  type: shownText({ description: 'The sender’s type of the event.', example: 'invoice.paid' }),
  state: shownChoice(EVENT_STATES, {
    description:
      '`pending → processed`, `ignored`, `waiting` or `dead-lettered`. A pending, waiting or dead-lettered event can be ' +
      '`dismissed`. Any event that is not processed can be retried.',
  }),
  reason: shownText({
    description: 'The reason why the event is ignored, waiting, dead-lettered or dismissed.',
    example: 'The order of this event has not arrived.',
  }).nullable(),
  attempts: shownInteger({ description: 'The number of failed attempts.', example: 0 }),
  nextAttemptAt: shownTime({ description: 'When the next attempt is due.' }).nullable(),
  outcome: z.array(outcome).meta({ description: 'The reports made from the event.' }),
  occurredAt: shownTime({ description: 'When the event occurred, according to the sender.' }),
  receivedAt: shownTime({ description: 'When the event arrived.' }),
  settledAt: shownTime({
    description: 'When the event was processed, ignored, dead-lettered or dismissed.',
  }).nullable(),
};

const connectorEvent = z
  .strictObject(eventShape)
  .meta({ id: 'ConnectorEvent', description: 'An event of a billing or shop system.' });

const connectorEventWithPayload = z
  .strictObject({
    ...eventShape,
    payload: shownText({
      description: 'The JSON as it was sent. Null if it is not stored.',
      example: '{"id": "evt_1Pgc76B7WZ01zgkWwyRHS12y"}',
    }).nullable(),
  })
  .meta({ id: 'ConnectorEventWithPayload', description: 'An event with its payload.' });

export const listConnectorEvents = operation({
  method: 'GET',
  path: '/v1/connectors/{id}/events',
  summary: 'List a connector’s events',
  description: 'Lists the events that a connector received, newest first, without their payloads.',
  scope: 'resources:read',
  params,
  query: listQuery(['id'], {
    state: choice(EVENT_STATES, { description: 'Events in this state.' }),
    type: text(1, 64, { description: 'Events of this type.' }),
  }),
  mayLag: true,
  success: listSuccess(connectorEvent, 'Events.'),
});

const ofEvent = z.object({
  ...ofConnector,
  eventId: id<ConnectorEventId>({ description: 'The event’s id.', example: 1207 }),
});

export const getConnectorEvent = operation({
  method: 'GET',
  path: '/v1/connectors/{id}/events/{eventId}',
  summary: 'Get a connector’s event',
  description: 'Returns an event with its reports and its payload. The payload is null if it is not stored.',
  scope: 'resources:read',
  params: ofEvent,
  success: { description: 'The event.', body: connectorEventWithPayload },
});

export const retryConnectorEvent = operation({
  method: 'POST',
  path: '/v1/connectors/{id}/events/{eventId}/retry',
  reader: getConnectorEvent,
  summary: 'Retry a connector’s event',
  description:
    'Processes an event again, with the current settings of the connector. Events that are processed, or whose payload ' +
    'is not stored, can’t be retried. Nothing is reported twice.',
  scope: 'resources:write',
  params: ofEvent,
  success: { description: 'The event.', body: connectorEventWithPayload },
  problems: ['invalid-transition'],
});

export const dismissConnectorEvent = operation({
  method: 'POST',
  path: '/v1/connectors/{id}/events/{eventId}/dismiss',
  reader: getConnectorEvent,
  summary: 'Dismiss a connector’s event',
  description:
    'Closes a pending, waiting or dead-lettered event without a report. The note is stored with the event as its `reason`.',
  scope: 'resources:write',
  params: ofEvent,
  body: object({
    note: text(1, 1_000, {
      description: 'Why you dismiss the event.',
      example: 'A payment from before the connector existed.',
    }),
  }),
  success: { description: 'The event.', body: connectorEventWithPayload },
  problems: ['invalid-transition'],
});
