import type * as contract from '../contract/custom-event.ts';
import { problem } from '#core/contract/problem.ts';
import { createCustomEvent } from '../commands/create-custom-event.ts';
import { deleteCustomEvent } from '../commands/delete-custom-event.ts';
import { customEvents } from '../store/read/custom-events.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { answer, answerFound, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';

export const customEventHandlers: HandlersFor<typeof contract> = {
  listCustomEvents: (request) => answerPage(request, customEvents),

  createCustomEvent: async ({ tenant, body }) => {
    const created = await createCustomEvent(tenant, body);
    switch (created.kind) {
      case 'created':
        return answer(201, created.customEvent);
      case 'slug-taken':
        return problem('slug-taken', `A custom event with the slug ${body.slug} already exists. Choose another slug.`);
      default:
        return created satisfies never;
    }
  },

  getCustomEvent: async ({ tenant, params: { id } }) => answerFound(await readOne(tenant, customEvents, { id })),

  deleteCustomEvent: async ({ tenant, params: { id } }) => {
    const deletion = await deleteCustomEvent(tenant, id);
    switch (deletion.kind) {
      case 'deleted':
        return answer(200, deletion.customEvent);
      case 'unknown':
        return problem('not-found');
      case 'in-use':
        return problem(
          'invalid-transition',
          'A program uses this event as a trigger. Remove it from the program’s triggers first.',
        );
      default:
        return deletion satisfies never;
    }
  },
};
