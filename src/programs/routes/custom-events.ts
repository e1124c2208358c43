import type * as contract from '../contract/custom-event.ts';
import { problem } from '#core/contract/problem.ts';
import { createCustomEvent } from '../commands/create-custom-event.ts';
import { deleteCustomEvent } from '../commands/delete-custom-event.ts';
import { customEvents } from '../store/read/custom-events.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { answer, answerFound, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';

export const customEventHandlers: HandlersFor<typeof contract> = {
  listCustomEvents: (request) => answerPage(request, customEvents),

  createCustomEvent: async ({ tenant, body }) => {
    const created = await createCustomEvent(tenant, body);
    return answerOutcome(created, {
      created: ({ customEvent }) => answer(201, customEvent),
      'slug-taken': problem(
        'slug-taken',
        `A custom event with the slug ${body.slug} already exists. Choose another slug.`,
      ),
    });
  },

  getCustomEvent: async ({ tenant, params: { id } }) => answerFound(await readOne(tenant, customEvents, { id })),

  deleteCustomEvent: async ({ tenant, params: { id } }) =>
    answerOutcome(await deleteCustomEvent(tenant, id), {
      deleted: ({ customEvent }) => answer(200, customEvent),
      unknown: problem('not-found'),
      'in-use': problem(
        'invalid-transition',
        'A program uses this event as a trigger. Remove it from the program’s triggers first.',
      ),
    }),
};
