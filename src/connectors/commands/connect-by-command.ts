import { chooseOrganization } from '#access/commands/choose-organization.ts';
import type { ConnectorId, OrganizationId } from '#core/ids.ts';
import type { Mode } from '#core/mode.ts';
import { insertAuditEntry } from '#organizations/store/audit.ts';
import { asDatabase, type Database, inTransaction } from '#platform/postgres/database.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { type ConnectorKind, MAX_CONNECTORS, wrongModeText } from '../domain/connector.ts';
import { connectors } from '../store/read/connectors.ts';
import { createConnector } from './change-connector.ts';

/**
 * Creates a connector that has no secret yet, for an operator with access to the database. The audit log records the
 * creation as `POST /v1/connectors`. Without `organization`, the connector belongs to the first organization. Throws if
 * there are already MAX_CONNECTORS connectors, or if the organization has another mode than `fields.mode`. Also returns
 * the organization's mode.
 */
export function connectByCommand(
  database: Database,
  organization: OrganizationId | undefined,
  fields: { readonly kind: ConnectorKind; readonly mode: Mode | undefined; readonly name: string },
): Promise<{ readonly organizationId: OrganizationId; readonly id: ConnectorId; readonly mode: Mode }> {
  return inTransaction(database, async (connection) => {
    const organizationId = await chooseOrganization(connection, organization);
    const created = await createConnector(
      { connection: asDatabase(connection), organizationId },
      { ...fields, source: undefined, settings: {} },
      null,
    );
    if (created.kind === 'wrong-mode') throw new Error(wrongModeText(created.mode));
    if (created.kind !== 'created') {
      throw new Error(`There are already ${MAX_CONNECTORS} connectors. Delete a connector first.`);
    }
    const { id, mode } = created;
    const tenant = { connection, organizationId };
    await insertAuditEntry(tenant, {
      author: 'command line',
      operation: 'createConnector',
      path: '/v1/connectors',
      request: null,
      before: null,
      after: JSON.stringify(await readOne(tenant, connectors, { id })),
    });
    return { organizationId, id, mode };
  });
}
