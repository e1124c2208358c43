import type * as contract from '../contract/fraud-list.ts';
import { problem } from '#core/contract/problem.ts';
import { addFraudListEntry, deleteFraudListEntry } from '../commands/change-fraud-list.ts';
import { MAX_FRAUD_LIST_ENTRIES } from '../domain/fraud-list.ts';
import { fraudListEntries } from '../store/read/fraud-list.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { answer, answerFound, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';

export const fraudListHandlers: HandlersFor<typeof contract> = {
  listFraudListEntries: (request) => answerPage(request, fraudListEntries),

  createFraudListEntry: async ({ tenant, body }) =>
    answerOutcome(await addFraudListEntry(tenant, body), {
      added: ({ entry }) => answer(201, entry),
      'already-listed': problem('already-listed', `${body.value} is already on a list. Delete that entry first.`),
      'too-many': problem(
        'too-many-entries',
        `There are already ${MAX_FRAUD_LIST_ENTRIES.toLocaleString('en-US')} entries. Delete an entry first.`,
      ),
    }),

  getFraudListEntry: async ({ tenant, params: { id } }) => answerFound(await readOne(tenant, fraudListEntries, { id })),

  deleteFraudListEntry: async ({ tenant, params: { id } }) => answerFound(await deleteFraudListEntry(tenant, id)),
};
