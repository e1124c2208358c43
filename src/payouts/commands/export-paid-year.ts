import type { PaidYear } from '../domain/paid-year.ts';
import { readPaidYear } from '../store/read/paid-years.ts';
import { insertAuditEntry, type Reader } from '#organizations/store/audit.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { type Database, inTransaction, openSnapshot } from '#platform/postgres/database.ts';

export type OpenedYear = {
  readonly rows: AsyncGenerator<readonly PaidYear[]>;
  readonly close: () => Promise<void>;
};

/**
 * Opens the export of the amounts that were paid in a calendar year. The caller must close it. The audit record is
 * committed before any data is returned.
 */
export async function exportPaidYear(
  database: Database,
  secrets: SecretBox,
  { organizationId, author }: Reader,
  year: number,
): Promise<OpenedYear> {
  await inTransaction(database, (connection) =>
    insertAuditEntry(
      { connection, organizationId },
      {
        author,
        operation: 'exportPaidYear',
        path: '/v1/payouts/year-export',
        request: JSON.stringify({ year }),
        before: null,
        after: null,
      },
    ),
  );
  const { connection, close } = await openSnapshot(database);
  return { rows: readPaidYear({ connection, organizationId }, secrets, year), close };
}
