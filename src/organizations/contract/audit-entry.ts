import { z } from 'zod';
import { id, text } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operation } from '#core/contract/operation.ts';
import { shownId, shownText, shownTime } from '#core/contract/response-fields.ts';

const tag = 'Audit';

const auditEntry = z
  .strictObject({
    id: shownId({ description: 'The entry’s id.', example: 201 }),
    at: shownTime({ description: 'When the change was made.' }),
    author: shownText({
      description:
        'Who made it: `key 3` is the API key with the id 3, `person 5` a person, `collaborator 7` a collaborator, `command line` ' +
        'whoever ran `whence` on the server.',
      example: 'key 3',
    }),
    operation: shownText({
      description: 'What was called, by its `operationId` in this document.',
      example: 'changeProgram',
    }),
    path: shownText({ description: 'What it was called on.', example: '/v1/programs/5' }),
    request: z.unknown().meta({
      description: 'The body as it was sent, without secrets; null where the call takes none.',
      examples: [{ name: 'Partners' }],
    }),
    before: z.unknown().meta({
      description:
        'The resource before the change, as its `GET` showed it; null at a creation. Of a call over many: the id and the status of each.',
      examples: [{ id: 5, name: 'Affiliates' }],
    }),
    after: z.unknown().meta({
      description: 'What was answered, without secrets; null for an empty answer.',
      examples: [{ id: 5, name: 'Partners' }],
    }),
  })
  .meta({
    id: 'AuditEntry',
    description:
      'One change that somebody made by the interface. Never removed, and never changed, but that values go when a collaborator is erased.',
  });

export const listAuditEntries = operation({
  method: 'GET',
  path: '/v1/audit-entries',
  tag,
  summary: 'List changes',
  description:
    'Every call that changed something, reports aside: those are events. A call that was refused, or that left everything ' +
    'as it was, has no entry.',
  scope: 'resources:read',
  keys: ['secret'],
  query: listQuery(['id', 'at'], {
    operation: text(1, 64, { description: 'Entries of this operation.', example: 'changeProgram' }),
    author: text(1, 255, { description: 'Entries by this author.', example: 'key 3' }),
    path: text(1, 255, { description: 'Entries of calls on exactly this path.', example: '/v1/programs/5' }),
  }),
  mayLag: true,
  success: listSuccess(auditEntry, 'Entries.'),
  problems: ['invalid-request'],
});

export const getAuditEntry = operation({
  method: 'GET',
  path: '/v1/audit-entries/{id}',
  tag,
  summary: 'Get a change',
  description: 'One entry of the audit.',
  scope: 'resources:read',
  keys: ['secret'],
  params: z.object({ id: id({ description: 'The entry’s id.', example: 201 }) }),
  success: { status: 200, description: 'The entry.', body: auditEntry },
  problems: ['not-found'],
});
