import { parse } from '#core/contract/parse.ts';
import { faultAt, invalidRequest, type Problem, problem } from '#core/contract/problem.ts';
import type { ConnectorEventId, ConnectorId } from '#core/ids.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { type Answer, answer, answerFound, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';
import type { Database } from '#platform/postgres/database.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import {
  changeConnector,
  type ConnectorChangeOutcome,
  createConnector,
  deleteConnector,
  rotateConnectorSecret,
} from '../commands/change-connector.ts';
import { dismissConnectorEvent, type EventChangeOutcome, retryConnectorEvent } from '../commands/change-event.ts';
import type * as contract from '../contract/connector.ts';
import { CONNECTOR_SETTINGS } from '../contract/connector-settings.ts';
import { type ConnectorKind, type JsonObject, MAX_CONNECTORS, wrongModeText } from '../domain/connector.ts';
import { EVENT_TYPES } from '../domain/event-types.ts';
import { connectorEvents, type ConnectorResource, connectors, readPayload } from '../store/read/connectors.ts';

/**
 * Returns the handlers for connectors and their events. `publicUrl` returns the service's address for other systems.
 */
export function connectorHandlers({
  secrets,
  publicUrl,
}: {
  readonly secrets: SecretBox;
  readonly publicUrl: () => string;
}): HandlersFor<typeof contract> {
  return {
    listConnectors: (request) => answerPage(request, connectors, { show: (items) => items.map(showConnector) }),

    createConnector: async ({ tenant, body: { kind, name, mode, source, secret, settings = {} } }) => {
      const read = readSettings(kind, settings);
      if (read.kind === 'problem') return read;
      const created = await createConnector(
        tenant,
        { kind, name, mode, source, settings: read.settings },
        secret === undefined ? null : secrets.seal(secret),
      );
      switch (created.kind) {
        case 'created':
          return answer(201, await readConnector(tenant, created.id));
        case 'wrong-mode':
          return faultAt('/mode', 'wrong-mode', wrongModeText(created.mode));
        case 'source-taken':
          return SOURCE_TAKEN;
        case 'too-many':
          return problem(
            'too-many-connectors',
            `There are already ${MAX_CONNECTORS} connectors. Delete a connector first.`,
          );
        default:
          return created satisfies never;
      }
    },

    getConnector: async ({ tenant, params: { id } }) => answerFound(await readConnector(tenant, id)),

    changeConnector: async ({ tenant, params: { id }, body: { name, settings } }) => {
      const current = settings && (await readOne(tenant, connectors, { id }));
      if (settings !== undefined && current === undefined) return problem('not-found');
      const read = settings && current && readSettings(current.kind, settings);
      if (read?.kind === 'problem') return read;
      return answerChange(tenant, id, await changeConnector(tenant, id, { name, settings: read?.settings }));
    },

    deleteConnector: async ({ tenant, params: { id } }) => answerChange(tenant, id, await deleteConnector(tenant, id)),

    rotateConnectorSecret: async ({ tenant, params: { id }, body: { secret } }) =>
      answerChange(tenant, id, await rotateConnectorSecret(tenant, secrets, id, secret)),

    listConnectorEvents: async (request) => {
      const { id } = request.params;
      if ((await readOne(request.tenant, connectors, { id })) === undefined) return problem('not-found');
      return answerPage(request, connectorEvents, { within: { connectorId: id } });
    },

    getConnectorEvent: async ({ tenant, params: { id, eventId } }) => answerFound(await readEvent(tenant, id, eventId)),

    retryConnectorEvent: async ({ tenant, params: { id, eventId } }) =>
      answerEvent(tenant, id, eventId, await retryConnectorEvent(tenant, id, eventId)),

    dismissConnectorEvent: async ({ tenant, params: { id, eventId }, body: { note } }) =>
      answerEvent(tenant, id, eventId, await dismissConnectorEvent(tenant, id, eventId, note)),
  };

  function showConnector(connector: ConnectorResource) {
    const webhookUrl = `${publicUrl()}/v1/connectors/${connector.id}/webhook`;
    return { ...connector, webhookUrl, eventTypes: EVENT_TYPES[connector.kind] };
  }

  async function readConnector(tenant: Tenant<Database>, id: ConnectorId) {
    const found = await readOne(tenant, connectors, { id });
    return found && showConnector(found);
  }

  async function answerChange(
    tenant: Tenant<Database>,
    id: ConnectorId,
    changing: ConnectorChangeOutcome,
  ): Promise<Answer | Problem> {
    switch (changing) {
      case 'changed':
        return answer(200, await readConnector(tenant, id));
      case 'unknown':
        return problem('not-found');
      case 'deleted':
        return DELETED;
      default:
        return changing satisfies never;
    }
  }
}

const SOURCE_TAKEN = faultAt(
  '/source',
  'duplicate',
  'Another connector has this source. Two shops can have orders with the same number, so use another source.',
);

export const DELETED = problem('invalid-transition', 'A deleted connector can’t be changed. Create a new connector.');

/** Validates settings with the schema of the connector's kind. The faults contain pointers into the request body. */
function readSettings(
  kind: ConnectorKind,
  settings: Readonly<Record<string, unknown>>,
): Problem | { readonly kind: 'read'; readonly settings: JsonObject } {
  const parsed = parse(CONNECTOR_SETTINGS[kind], settings);
  if (parsed.kind === 'faults') {
    return invalidRequest(parsed.faults.map((fault) => ({ ...fault, pointer: `/settings${fault.pointer}` })));
  }
  return { kind: 'read', settings: parsed.value as JsonObject };
}

async function readEvent(tenant: Tenant<Database>, connectorId: ConnectorId, id: ConnectorEventId) {
  const event = await readOne(tenant, connectorEvents, { id, connectorId });
  return event && { ...event, payload: await readPayload(tenant, id) };
}

async function answerEvent(
  tenant: Tenant<Database>,
  connectorId: ConnectorId,
  id: ConnectorEventId,
  changing: EventChangeOutcome,
): Promise<Answer | Problem> {
  switch (changing.kind) {
    case 'changed':
      return answer(200, await readEvent(tenant, connectorId, id));
    case 'unknown':
      return problem('not-found');
    case 'connector-deleted':
      return DELETED;
    case 'no-payload':
      return problem(
        'invalid-transition',
        'The payload of this event is not stored, so the event can’t be processed again. If its order is missing, report it with the API.',
      );
    case 'forbidden':
      return problem(
        'invalid-transition',
        changing.state === 'processed'
          ? 'This event was processed, so it can’t be retried or dismissed. If its order is missing, report it with the API.'
          : `An event that is ${changing.state} can’t be dismissed. Only pending, waiting and dead-lettered events can be dismissed.`,
      );
    default:
      return changing satisfies never;
  }
}
