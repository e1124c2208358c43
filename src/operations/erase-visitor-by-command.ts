import type { OrganizationId, UserId } from '#domain/ids.ts';
import { insertAuditEntry } from '#store/audit.ts';
import { asDatabase, type Database, inTransaction } from '#store/database.ts';
import { findFirstOrganization } from '#store/organization-founding.ts';
import { loadOpportunityNumbers } from '#store/webhook-news.ts';
import { eraseVisitor, type VisitorErasure } from './erase-visitor.ts';

const AUTHOR = 'command line';

/** What `POST /v1/visitors/erase` does, for whoever may reach the database; of the first organization unless told. */
export function eraseVisitorByCommand(
  database: Database,
  organization: OrganizationId | undefined,
  userId: UserId,
): Promise<VisitorErasure> {
  return inTransaction(database, async (connection) => {
    const organizationId = organization ?? (await findFirstOrganization(connection));
    const numbers = organizationId && (await loadOpportunityNumbers(connection, [organizationId])).get(organizationId);
    if (organizationId === undefined || numbers === undefined) throw new Error('There is no such organization.');
    const eraser = { organizationId, author: AUTHOR, opportunityNumbers: numbers };
    const erased = await eraseVisitor(asDatabase(connection), eraser, userId);
    await insertAuditEntry(connection, organizationId, {
      author: AUTHOR,
      operation: 'eraseVisitor',
      path: '/v1/visitors/erase',
      request: null,
      before: null,
      after: JSON.stringify(erased),
    });
    return erased;
  });
}
