import { lockConfiguration } from '#organizations/store/configuration.ts';
import type { Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type AgreementVersion, findNewestAgreement, insertAgreementVersion } from '../store/agreements.ts';

/**
 * Publishes a new version of the partner agreement. If `text` is null, the new version withdraws the agreement. Returns
 * the newest version, or undefined if there has never been a version. An unchanged text creates no new version.
 * Concurrent calls run one at a time, so each version has its own number.
 */
export function changeAgreement(
  tenant: Tenant<Database>,
  text: string | null,
  author: string,
): Promise<AgreementVersion | undefined> {
  return inTenantTransaction(tenant, async (tenant) => {
    await lockConfiguration(tenant);
    const newest = await findNewestAgreement(tenant);
    if ((newest?.text ?? null) === text) return newest;
    return insertAgreementVersion(tenant, { version: (newest?.version ?? 0) + 1, text, author });
  });
}
