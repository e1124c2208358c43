import type * as contract from '../contract/fraud-list.ts';
import { problem } from '#core/contract/problem.ts';
import { addFraudListEntry, deleteFraudListEntry } from '../commands/change-fraud-list.ts';
import { MAX_FRAUD_LIST_ENTRIES } from '../domain/fraud-list.ts';
import { fraudListEntries } from '../store/read/fraud-list.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { answer, answerFound, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';

export const fraudListHandlers: HandlersFor<typeof contract> = {
  listFraudListEntries: (request) => answerPage(request, fraudListEntries),

  createFraudListEntry: async ({ tenant, body }) => {
    const addition = await addFraudListEntry(tenant, body);
    switch (addition.kind) {
      case 'added':
        return answer(201, addition.entry);
      case 'already-listed':
        return problem('already-listed', `${body.value} is already on a list. Delete that entry first.`);
      case 'too-many':
        return problem(
          'too-many-entries',
          `There are already ${MAX_FRAUD_LIST_ENTRIES.toLocaleString('en-US')} entries. Delete an entry first.`,
        );
      default:
        return addition satisfies never;
    }
  },

  getFraudListEntry: async ({ tenant, params: { id } }) => answerFound(await readOne(tenant, fraudListEntries, { id })),

  deleteFraudListEntry: async ({ tenant, params: { id } }) => answerFound(await deleteFraudListEntry(tenant, id)),
};
