import type { CollaboratorId } from '#core/ids.ts';
import { z } from 'zod';
import { id, object, text } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownId, shownText, shownTime } from '#core/contract/response-fields.ts';

const operation = operationsOf('Collaborators');
const MAX_NOTE = 5_000;

const note = z
  .strictObject({
    id: shownId({ description: 'The note’s id.', example: 4 }),
    text: shownText({ description: 'The text.', example: 'Wants a higher rate from January.' }),
    author: shownText({ description: 'The author, as in the audit log.', example: 'person 5' }),
    createdAt: shownTime({ description: 'When it was added.' }),
  })
  .meta({ id: 'CollaboratorNote', description: 'A note about a collaborator, who doesn’t see it.' });

const ofCollaborator = { id: id<CollaboratorId>({ description: 'The collaborator’s id.', example: 7 }) };

export const listCollaboratorNotes = operation({
  method: 'GET',
  path: '/v1/collaborators/{id}/notes',
  summary: 'List notes about a collaborator',
  description: 'Lists your notes about a collaborator. The collaborator doesn’t see them.',
  scope: 'resources:read',
  params: z.object(ofCollaborator),
  query: listQuery(['id', 'createdAt'], {}),
  success: listSuccess(note, 'Notes.'),
});

export const addCollaboratorNote = operation({
  method: 'POST',
  path: '/v1/collaborators/{id}/notes',
  summary: 'Add a note about a collaborator',
  description: 'Adds a note about a collaborator, with its author. The collaborator doesn’t see it.',
  scope: 'resources:write',
  params: z.object(ofCollaborator),
  body: object({ text: text(1, MAX_NOTE, { description: 'The text.', example: 'Wants a higher rate from January.' }) }),
  success: { status: 201, description: 'The note.', body: note },
  problems: ['invalid-transition'],
});

export const deleteCollaboratorNote = operation({
  method: 'DELETE',
  path: '/v1/collaborators/{id}/notes/{noteId}',
  summary: 'Delete a note about a collaborator',
  description: 'Deletes a note permanently. The audit log keeps its text until the collaborator is erased.',
  scope: 'resources:write',
  params: z.object({ ...ofCollaborator, noteId: id({ description: 'The note’s id.', example: 4 }) }),
  success: { description: 'The deleted note.', body: note },
});
