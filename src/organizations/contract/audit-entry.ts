import { z } from 'zod';
import { id, text } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownId, shownText, shownTime } from '#core/contract/response-fields.ts';

const operation = operationsOf('Audit');

const auditEntry = z
  .strictObject({
    id: shownId({ description: 'The id of the audit record.', example: 201 }),
    at: shownTime({ description: 'When the call was made.' }),
    author: shownText({
      description:
        'The author: `key 3` is the API key with the id 3, `person 5` a person, `collaborator 7` a collaborator, and `command line` ' +
        'a user of `whence` on the server.',
      example: 'key 3',
    }),
    operation: shownText({
      description: 'The `operationId` of the call in this document, or the name of another recorded action.',
      example: 'changeProgram',
    }),
    path: shownText({ description: 'The path of the call.', example: '/v1/programs/5' }),
    request: z.unknown().meta({
      description:
        'The body of the request, without secrets. A body of more than 16,384 bytes is replaced by its length. Null if the ' +
        'operation has no body.',
      examples: [{ name: 'Partners' }],
    }),
    before: z.unknown().meta({
      description:
        'The resource before the change, as its `GET` returned it. Null for a creation. For a bulk call: the id and status of each resource.',
      examples: [{ id: 5, name: 'Affiliates' }],
    }),
    after: z.unknown().meta({
      description: 'The response, without secrets. Null if it was empty.',
      examples: [{ id: 5, name: 'Partners' }],
    }),
  })
  .meta({
    id: 'AuditEntry',
    description:
      'The record of a change, a login, an export of personal data, or a read of payout details. Audit records are never ' +
      'deleted. Only an erasure changes them, by removing personal data.',
  });

export const listAuditEntries = operation({
  method: 'GET',
  path: '/v1/audit-entries',
  summary: 'List audit records',
  description:
    'Lists every call that changed data, except reports, which are stored as events. Also lists logins of people, exports of ' +
    'personal data, and reads of payout details. A call that was refused or changed nothing has no audit record.',
  scope: 'resources:read',
  query: listQuery(['id', 'at'], {
    operation: text(1, 64, { description: 'Audit records of this operation.', example: 'changeProgram' }),
    author: text(1, 255, { description: 'Audit records of this author.', example: 'key 3' }),
    path: text(1, 255, { description: 'Audit records of calls on exactly this path.', example: '/v1/programs/5' }),
  }),
  mayLag: true,
  success: listSuccess(auditEntry, 'Audit records.'),
});

export const getAuditEntry = operation({
  method: 'GET',
  path: '/v1/audit-entries/{id}',
  summary: 'Get an audit record',
  description: 'Returns an audit record.',
  scope: 'resources:read',
  params: z.object({ id: id({ description: 'The id of the audit record.', example: 201 }) }),
  success: { description: 'The audit record.', body: auditEntry },
});
