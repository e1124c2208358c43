import type { OrganizationId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import { findFirstOrganization, isOrganization } from '../store/organization-founding.ts';

/**
 * Returns the id of the organization that a command names or, by default, of the first organization. Throws if there is
 * no such organization.
 */
export async function chooseOrganization(
  connection: Connection,
  named: OrganizationId | undefined,
): Promise<OrganizationId> {
  if (named === undefined) {
    const first = await findFirstOrganization(connection);
    if (first === undefined) throw new Error('There is no organization yet. Start the service first.');
    return first;
  }
  if (await isOrganization(connection, named)) return named;
  throw new Error(`There is no organization ${named}. "whence organization list" prints all organizations.`);
}
