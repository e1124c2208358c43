import type * as contract from '../contract/collaborator-note.ts';
import { problem } from '#core/contract/problem.ts';
import { answer, answerFound, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { addCollaboratorNote } from '../commands/add-collaborator-note.ts';
import { collaboratorNotes, removeNote } from '../store/collaborator-notes.ts';
import { collaborators } from '../store/read/collaborators.ts';

export const collaboratorNoteHandlers: HandlersFor<typeof contract> = {
  listCollaboratorNotes: async (request) => {
    const { id } = request.params;
    const collaborator = await readOne(request.tenant, collaborators, { id });
    if (collaborator === undefined) return problem('not-found');
    return answerPage(request, collaboratorNotes, { within: { collaboratorId: id } });
  },

  addCollaboratorNote: async ({ auth: { author }, tenant, params: { id }, body: { text } }) =>
    answerOutcome(await addCollaboratorNote(tenant, id, { text, author }), {
      added: ({ note }) => answer(201, note),
      unknown: problem('not-found'),
      deleted: problem(
        'invalid-transition',
        'A deleted collaborator can’t have a new note. Choose another collaborator.',
      ),
    }),

  deleteCollaboratorNote: async ({ tenant, params: { id, noteId } }) =>
    answerFound(await removeNote(tenant, id, noteId)),
};
