import type { OrganizationId } from '#core/ids.ts';
import { type Connection, type Database, inTransaction, type Queryable } from './database.ts';

/**
 * An organization, and the connection on which its rows are read and written: a pool, or the connection of a
 * transaction. They are one value, because every query of an organization's rows needs both.
 */
export type Tenant<Of extends Queryable = Queryable> = {
  readonly connection: Of;
  readonly organizationId: OrganizationId;
};

/** Runs `work` in one transaction for the same organization, and returns its result (see `inTransaction`). */
export function inTenantTransaction<Result>(
  { connection, organizationId }: Tenant<Database>,
  work: (tenant: Tenant<Connection>) => Promise<Result>,
): Promise<Result> {
  return inTransaction(connection, (transaction) => work({ connection: transaction, organizationId }));
}
