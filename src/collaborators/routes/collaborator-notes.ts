import type * as contract from '../contract/collaborator-note.ts';
import { problem } from '#core/contract/problem.ts';
import { answer, answerFound, type HandlersFor } from '#platform/http/handler.ts';
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

  addCollaboratorNote: async ({ auth: { author }, tenant, params: { id }, body: { text } }) => {
    const adding = await addCollaboratorNote(tenant, id, { text, author });
    switch (adding.kind) {
      case 'added':
        return answer(201, adding.note);
      case 'unknown':
        return problem('not-found');
      case 'deleted':
        return problem(
          'invalid-transition',
          'A deleted collaborator can’t have a new note. Choose another collaborator.',
        );
      default:
        return adding satisfies never;
    }
  },

  deleteCollaboratorNote: async ({ tenant, params: { id, noteId } }) =>
    answerFound(await removeNote(tenant, id, noteId)),
};
