import type { OrganizationId } from '#core/ids.ts';
import type { PlatformUserId } from '#core/user.ts';
import { insertAuditEntry } from '#organizations/store/audit.ts';
import { asDatabase, type Database, inTransaction } from '#platform/postgres/database.ts';
import { loadOpportunityNumbers } from '#webhooks/store/webhook-outbox.ts';
import { chooseOrganization } from '#access/commands/choose-organization.ts';
import { eraseVisitor, type VisitorErasure } from './erase-visitor.ts';

const AUTHOR = 'command line';

/**
 * Erases a visitor like `POST /v1/visitors/erase`, for an operator with access to the database. The default of
 * `organization` is the first organization. Throws if the organization doesn't exist.
 */
export function eraseVisitorByCommand(
  database: Database,
  organization: OrganizationId | undefined,
  user: PlatformUserId,
): Promise<VisitorErasure> {
  return inTransaction(database, async (connection) => {
    const organizationId = await chooseOrganization(connection, organization);
    const numbers = (await loadOpportunityNumbers(connection, [organizationId])).get(organizationId);
    if (numbers === undefined)
      throw new Error(
        `Organization ${organizationId} has no key for its opportunity numbers. Restore the database from a backup.`,
      );
    const eraser = { organizationId, author: AUTHOR, opportunityNumbers: numbers };
    const erased = await eraseVisitor(asDatabase(connection), eraser, user);
    await insertAuditEntry(
      { connection, organizationId },
      {
        author: AUTHOR,
        operation: 'eraseVisitor',
        path: '/v1/visitors/erase',
        request: null,
        before: null,
        after: JSON.stringify(erased),
      },
    );
    return erased;
  });
}
