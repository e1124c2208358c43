import type * as contract from '../contract/audit-entry.ts';
import { auditEntries } from '../store/read/audit-entries.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { answerFound, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';

export const auditHandlers: HandlersFor<typeof contract> = {
  listAuditEntries: (request) => answerPage(request, auditEntries),

  getAuditEntry: async ({ tenant, params: { id } }) => answerFound(await readOne(tenant, auditEntries, { id })),
};
