import type { Database } from '#store/database.ts';
import { ledgerEntries } from '#store/read/ledger-entries.ts';
import { readCheckpoint } from '#store/read/seals.ts';
import { answerFound, type HandlersFor } from '../handler.ts';
import { answerPage } from '../pages.ts';

export function ledgerHandlers(database: Database): HandlersFor<'listLedgerEntries' | 'getLedgerCheckpoint'> {
  return {
    listLedgerEntries: (request) => answerPage(database, request, ledgerEntries),

    getLedgerCheckpoint: async ({ auth, query: { number } }) =>
      answerFound(await readCheckpoint(database, auth.organizationId, number ?? null)),
  };
}
