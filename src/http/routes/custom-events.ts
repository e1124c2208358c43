import { problem } from '#contract/problem.ts';
import { createCustomEvent } from '#operations/create-custom-event.ts';
import { deleteCustomEvent } from '#operations/delete-custom-event.ts';
import type { Database } from '#store/database.ts';
import { customEvents } from '#store/read/custom-events.ts';
import { readOne } from '#store/read/page.ts';
import { answer, answerFound, type HandlersFor } from '../handler.ts';
import { answerPage } from '../pages.ts';

export function customEventHandlers(
  database: Database,
): HandlersFor<'listCustomEvents' | 'createCustomEvent' | 'getCustomEvent' | 'deleteCustomEvent'> {
  return {
    listCustomEvents: (request) => answerPage(database, request, customEvents),

    createCustomEvent: async ({ auth, body }) => {
      const created = await createCustomEvent(database, auth.organizationId, body);
      switch (created.kind) {
        case 'created':
          return answer(201, created.customEvent);
        case 'slug-taken':
          return problem('slug-taken', `There is a custom event ${body.slug} already.`);
        default:
          return created satisfies never;
      }
    },

    getCustomEvent: async ({ auth, params: { id } }) =>
      answerFound(await readOne(database, auth.organizationId, customEvents, { id })),

    deleteCustomEvent: async ({ auth, params: { id } }) => {
      const deletion = await deleteCustomEvent(database, auth.organizationId, id);
      switch (deletion.kind) {
        case 'deleted':
          return answer(200, deletion.customEvent);
        case 'unknown':
          return problem('not-found');
        case 'in-use':
          return problem(
            'invalid-transition',
            'A program has this event among its triggers: take it out of them first.',
          );
        default:
          return deletion satisfies never;
      }
    },
  };
}
