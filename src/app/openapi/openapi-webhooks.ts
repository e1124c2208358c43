import type { MessageType } from '#webhooks/domain/webhook.ts';
import type { OpenapiComponents } from './openapi-components.ts';
import { headerParameter } from './openapi-headers.ts';
import type { HeaderDescription } from '#core/contract/operation.ts';
import { payloadOf, webhookMessages } from '#webhooks/contract/webhook-messages.ts';

type Json = Record<string, unknown>;

/**
 * Returns the webhook messages that the service sends, by type. Each message is described as a request to the URL of a
 * webhook.
 */
export function messageDescriptions(components: OpenapiComponents, headerPrefix: string): Record<string, Json> {
  const parameters = Object.entries(headers(headerPrefix)).map(([name, header]) => headerParameter(name, header, true));
  return Object.fromEntries(
    Object.entries(webhookMessages).map(([type, { description }]) => {
      const schema = components.schemaOf(payloadOf(type as MessageType), 'output');
      return [
        type,
        {
          post: {
            operationId: operationIdOf(type),
            tags: ['Webhooks'],
            summary: type,
            description,
            security: [],
            parameters,
            requestBody: {
              required: true,
              content: { 'application/json': { schema, example: components.exampleOf(schema) } },
            },
            responses: {
              '2XX': { description: 'The message was accepted.' },
              '4XX': {
                description:
                  'The message is retried later, as after any status other than 2xx. A 410 also pauses the webhook.',
              },
            },
          },
        },
      ];
    }),
  );
}

/** Returns the operation id of a type: `conversion.created` becomes `conversionCreated`. */
function operationIdOf(type: string): string {
  return type.replace(/\.(\w)/, (_, letter: string) => letter.toUpperCase());
}

function headers(prefix: string): Readonly<Record<string, HeaderDescription>> {
  const text = { type: 'string' };
  return {
    'webhook-id': {
      description: 'The delivery’s id, which is the same at every attempt (Standard Webhooks).',
      schema: text,
      example: '1207',
    },
    'webhook-timestamp': {
      description: 'The time of this attempt, in seconds since 1970 (Standard Webhooks).',
      schema: text,
      example: '1795253400',
    },
    'webhook-signature': {
      description:
        '`v1,` and the base64 of the HMAC-SHA256 of `<id>.<timestamp>.<body>`. While the secret is being ' +
        'rotated, there are several signatures, separated by spaces (Standard Webhooks).',
      schema: text,
      example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    },
    [`${prefix}-Event`]: { description: 'The type of the message.', schema: text, example: 'conversion.created' },
    [`${prefix}-Delivery`]: { description: 'The id of the delivery.', schema: text, example: '1207' },
    [`${prefix}-Sequence`]: {
      description:
        'If two messages are about the same resource, the message with the higher number shows the later state.',
      schema: text,
      example: '31',
    },
    [`${prefix}-Signature`]: {
      description: '`sha256=` and the hexadecimal HMAC-SHA256 of the body. The key is the signing secret as text.',
      schema: text,
      example: 'sha256=d1e2ba8ab5e9ae1f2d7e9a0c5a6c2b5f4f5c7b0f7b1a3f6d1c0e9d8b7a6f5e4d',
    },
  };
}
