import type * as contract from '../contract/ledger.ts';
import { ledgerEntries } from '../store/read/ledger-entries.ts';
import { readCheckpoint } from '../store/read/checkpoints.ts';
import { answerFound, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';

export const ledgerHandlers: HandlersFor<typeof contract> = {
  listLedgerEntries: (request) => answerPage(request, ledgerEntries),

  getLedgerCheckpoint: async ({ tenant, query: { number } }) =>
    answerFound(await readCheckpoint(tenant, number ?? null)),
};
