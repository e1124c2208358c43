import { findTaxpayers, lockTaxpayers } from '#collaborators/store/tax-details.ts';
import type { CollaboratorId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { TaxSetting } from '../domain/payout-request.ts';

/**
 * An SQL condition that is true if a payout (alias `p`) can't be paid, because its collaborator lacks required tax
 * details. $1 is the organization.
 */
export const LACKS_TAX_DETAILS = `(
  exists (select from payout_settings s where s.organization_id = $1 and s.tax_details = 'required')
  and not exists (
    select from tax_details t where t.organization_id = $1 and t.collaborator_id = p.collaborator_id))`;

/** Returns the collaborators who can't be paid, because tax details are required and they have none. */
export async function findWithoutTaxDetails(
  tenant: Tenant,
  collaboratorIds: readonly CollaboratorId[],
): Promise<ReadonlySet<CollaboratorId>> {
  if ((await findSetting(tenant)) !== 'required') return NOBODY;
  return without(collaboratorIds, await findTaxpayers(tenant, collaboratorIds));
}

/**
 * Returns the same collaborators as `findWithoutTaxDetails`. Until the transaction ends, the setting can't change and
 * tax details can't be removed. So the tax check is still valid when the run is committed.
 */
export async function lockWithoutTaxDetails(
  tenant: Tenant<Connection>,
  collaboratorIds: readonly CollaboratorId[],
): Promise<ReadonlySet<CollaboratorId>> {
  // Insert a missing row, because only an existing row can be locked. Otherwise, a concurrent first change of the
  // setting could require tax details before the run is committed.
  await tenant.connection.query(
    'insert into payout_settings (organization_id) values ($1) on conflict (organization_id) do nothing',
    [tenant.organizationId],
  );
  if ((await findSetting(tenant, 'for share')) !== 'required') return NOBODY;
  return without(collaboratorIds, await lockTaxpayers(tenant, collaboratorIds));
}

const NOBODY: ReadonlySet<CollaboratorId> = new Set();

async function findSetting(
  { connection, organizationId }: Tenant,
  lock: '' | 'for share' = '',
): Promise<TaxSetting | undefined> {
  const { rows } = await connection.query<{ setting: TaxSetting }>(
    `select tax_details as setting from payout_settings where organization_id = $1 ${lock}`,
    [organizationId],
  );
  return rows[0]?.setting;
}

function without(ids: readonly CollaboratorId[], taxpayers: ReadonlySet<CollaboratorId>): ReadonlySet<CollaboratorId> {
  return new Set(ids.filter((id) => !taxpayers.has(id)));
}
