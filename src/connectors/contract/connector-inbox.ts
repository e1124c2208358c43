import { z } from 'zod';
import { id } from '#core/contract/fields.ts';
import { operation } from '#core/contract/operation.ts';
import type { ConnectorId } from '#core/ids.ts';

/** Receives messages from a billing or shop system. It is not part of the API for clients. */
export const receiveConnectorEvent = operation({
  method: 'POST',
  path: '/v1/connectors/{id}/webhook',
  tag: 'Connectors',
  summary: 'Receive an event',
  description: 'Verifies the signature of the sender, and stores the event once.',
  scope: 'events:write',
  open: true,
  signed: true,
  repeats: 'binding',
  params: z.object({ id: id<ConnectorId>({ description: 'The connector’s id.', example: 4031567812345678 }) }),
  success: { description: 'The event is stored.' },
  problems: ['invalid-signature', 'malformed-json'],
});
