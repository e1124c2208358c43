import type { CollaboratorId } from '#core/ids.ts';
import type { PayoutDetails } from '../domain/payout-details.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';

export type KeptPayoutDetails = PayoutDetails & { readonly updatedAt: Date };

/**
 * Returns a collaborator's payout details. Returns undefined if there are none, or if they were encrypted with a lost
 * key.
 */
export async function findPayoutDetails(
  { connection, organizationId }: Tenant,
  secrets: SecretBox,
  collaboratorId: CollaboratorId,
): Promise<KeptPayoutDetails | undefined> {
  const { rows } = await connection.query<{ details: Buffer; updatedAt: Date }>(
    `select details, updated_at as "updatedAt" from payout_details where organization_id = $1 and collaborator_id = $2`,
    [organizationId, collaboratorId],
  );
  const [kept] = rows;
  if (kept === undefined || !secrets.sealed(kept.details)) return undefined;
  return { ...(JSON.parse(secrets.open(kept.details)) as PayoutDetails), updatedAt: kept.updatedAt };
}

/** Encrypts and stores the payout details of a collaborator. Null deletes the stored details. */
export async function savePayoutDetails(
  { connection, organizationId }: Tenant<Connection>,
  secrets: SecretBox,
  collaboratorId: CollaboratorId,
  details: PayoutDetails | null,
): Promise<void> {
  if (details === null) {
    await connection.query('delete from payout_details where organization_id = $1 and collaborator_id = $2', [
      organizationId,
      collaboratorId,
    ]);
    return;
  }
  const { method, holder, account } = details;
  await connection.query(
    `insert into payout_details (organization_id, collaborator_id, details) values ($1, $2, $3)
     on conflict (organization_id, collaborator_id) do update set details = $3, updated_at = now()`,
    [organizationId, collaboratorId, secrets.seal(JSON.stringify({ method, holder, account }))],
  );
}
