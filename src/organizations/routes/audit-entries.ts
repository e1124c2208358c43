import type * as contract from '../contract/audit-entry.ts';
import type { Database } from '#platform/postgres/database.ts';
import { auditEntries } from '../store/read/audit-entries.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { answerFound, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';

export function auditHandlers(database: Database): HandlersFor<typeof contract> {
  return {
    listAuditEntries: (request) => answerPage(database, request, auditEntries),

    getAuditEntry: async ({ auth, params: { id } }) =>
      answerFound(await readOne(database, auth.organizationId, auditEntries, { id })),
  };
}
