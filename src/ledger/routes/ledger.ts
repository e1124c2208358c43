import type * as contract from '../contract/ledger.ts';
import type { Database } from '#platform/postgres/database.ts';
import { ledgerEntries } from '../store/read/ledger-entries.ts';
import { readCheckpoint } from '../store/read/seals.ts';
import { answerFound, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';

export function ledgerHandlers(database: Database): HandlersFor<typeof contract> {
  return {
    listLedgerEntries: (request) => answerPage(database, request, ledgerEntries),

    getLedgerCheckpoint: async ({ auth, query: { number } }) =>
      answerFound(await readCheckpoint(database, auth.organizationId, number ?? null)),
  };
}
