import type { CollaboratorId } from '#core/ids.ts';
import type { TaxDetails } from '../domain/tax-details.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';

export type KeptTaxDetails = TaxDetails & { readonly updatedAt: Date };

/**
 * Returns a collaborator's tax details. Returns undefined if there are none, or if they were encrypted with a lost key.
 */
export async function findTaxDetails(
  { connection, organizationId }: Tenant,
  secrets: SecretBox,
  collaboratorId: CollaboratorId,
): Promise<KeptTaxDetails | undefined> {
  const { rows } = await connection.query<{ details: Buffer; updatedAt: Date }>(
    `select details, updated_at as "updatedAt" from tax_details where organization_id = $1 and collaborator_id = $2`,
    [organizationId, collaboratorId],
  );
  const [kept] = rows;
  if (kept === undefined || !secrets.sealed(kept.details)) return undefined;
  return { ...(JSON.parse(secrets.open(kept.details)) as TaxDetails), updatedAt: kept.updatedAt };
}

/** Encrypts and stores the tax details of a collaborator. Null deletes the stored details. */
export async function saveTaxDetails(
  { connection, organizationId }: Tenant<Connection>,
  secrets: SecretBox,
  collaboratorId: CollaboratorId,
  details: TaxDetails | null,
): Promise<void> {
  if (details === null) {
    await connection.query('delete from tax_details where organization_id = $1 and collaborator_id = $2', [
      organizationId,
      collaboratorId,
    ]);
    return;
  }
  await connection.query(
    `insert into tax_details (organization_id, collaborator_id, details) values ($1, $2, $3)
     on conflict (organization_id, collaborator_id) do update set details = $3, updated_at = now()`,
    [organizationId, collaboratorId, secrets.seal(JSON.stringify(details))],
  );
}

/** Returns the ids of the collaborators that have tax details. Stored details are always complete. */
export async function findTaxpayers(
  { connection, organizationId }: Tenant,
  collaboratorIds: readonly CollaboratorId[],
): Promise<ReadonlySet<CollaboratorId>> {
  const { rows } = await connection.query<{ id: CollaboratorId }>(
    `select collaborator_id as id from tax_details
     where organization_id = $1 and collaborator_id = any ($2::bigint[])`,
    [organizationId, collaboratorIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Returns the ids of the collaborators that have tax details. Waits for removals that are in progress. Until the
 * transaction ends, the details can be changed but not removed.
 */
export async function lockTaxpayers(
  { connection, organizationId }: Tenant<Connection>,
  collaboratorIds: readonly CollaboratorId[],
): Promise<ReadonlySet<CollaboratorId>> {
  const { rows } = await connection.query<{ id: CollaboratorId }>(
    `select collaborator_id as id from tax_details
     where organization_id = $1 and collaborator_id = any ($2::bigint[])
     order by collaborator_id for key share`,
    [organizationId, collaboratorIds],
  );
  return new Set(rows.map(({ id }) => id));
}
