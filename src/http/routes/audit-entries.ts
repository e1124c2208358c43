import type { Database } from '#store/database.ts';
import { auditEntries } from '#store/read/audit-entries.ts';
import { readOne } from '#store/read/page.ts';
import { answerFound, type HandlersFor } from '../handler.ts';
import { answerPage } from '../pages.ts';

export function auditHandlers(database: Database): HandlersFor<'listAuditEntries' | 'getAuditEntry'> {
  return {
    listAuditEntries: (request) => answerPage(database, request, auditEntries),

    getAuditEntry: async ({ auth, params: { id } }) =>
      answerFound(await readOne(database, auth.organizationId, auditEntries, { id })),
  };
}
