import { problem } from '#contract/problem.ts';
import { type CollaboratorErasing, eraseCollaborator } from '#operations/erase-collaborator.ts';
import { eraseVisitor } from '#operations/erase-visitor.ts';
import { exportCollaborator } from '#operations/export-collaborator.ts';
import { exportVisitor } from '#operations/export-visitor.ts';
import { showOpportunities } from '#domain/shown-numbers.ts';
import type { Database } from '#store/database.ts';
import { answer, answerFound, type HandlersFor } from '../handler.ts';
import type { Site } from '../session-answers.ts';
import { showJourney } from './opportunities.ts';

/** What a person may ask of whoever runs the service: what is stored of them, and that it goes. */
export function privacyHandlers(
  database: Database,
  { secrets }: Pick<Site, 'secrets'>,
): HandlersFor<'exportVisitor' | 'eraseVisitor' | 'exportCollaborator' | 'eraseCollaborator'> {
  return {
    exportVisitor: async ({ auth, body: { userId } }) => {
      const { journeys, opportunities, ...found } = await exportVisitor(database, auth, userId);
      return answer(200, {
        userId,
        ...found,
        opportunities: showOpportunities(auth.opportunityNumbers, opportunities),
        journeys: journeys.map(({ members, ...journey }) => showJourney(auth.opportunityNumbers, members, journey)),
      });
    },

    eraseVisitor: async ({ auth, body: { userId } }) => answer(200, await eraseVisitor(database, auth, userId)),

    exportCollaborator: async ({ auth, params: { id } }) =>
      answerFound(await exportCollaborator(database, secrets, auth, id)),

    eraseCollaborator: async ({ auth, body: { collaboratorId } }) =>
      answerErasing(await eraseCollaborator(database, auth, collaboratorId)),
  };
}

function answerErasing(erasing: CollaboratorErasing) {
  switch (erasing.kind) {
    case 'erased':
      return answer(200, erasing.collaborator);
    case 'unknown':
      return problem('not-found');
    case 'owed':
      return problem(
        'still-owed',
        'Pay or reject what they have in drafts, in what is payable, and in payouts that are not paid; then erase them.',
      );
    default:
      return erasing satisfies never;
  }
}
