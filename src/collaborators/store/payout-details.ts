import type { CollaboratorId } from '#core/ids.ts';
import type { CollaboratorStatus } from '../domain/collaborator.ts';
import type { PayoutDetails, PayoutMethod } from '../domain/payout-details.ts';
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
  await connection.query(
    `insert into payout_details (organization_id, collaborator_id, method, details) values ($1, $2, $3, $4)
     on conflict (organization_id, collaborator_id) do update set method = $3, details = $4, updated_at = now()`,
    [organizationId, collaboratorId, details.method, secrets.seal(JSON.stringify(details))],
  );
}

/** Returns the payout methods of collaborators. Collaborators without payout details are missing from the result. */
export async function findPayoutMethods(
  { connection, organizationId }: Tenant,
  collaboratorIds: readonly CollaboratorId[],
): Promise<ReadonlyMap<CollaboratorId, PayoutMethod>> {
  const { rows } = await connection.query<{ collaboratorId: CollaboratorId; method: PayoutMethod }>(
    `select collaborator_id as "collaboratorId", method from payout_details
     where organization_id = $1 and collaborator_id = any ($2::bigint[])`,
    [organizationId, collaboratorIds],
  );
  return new Map(rows.map(({ collaboratorId, method }) => [collaboratorId, method]));
}

export type PayeeToRemind = {
  readonly name: string;
  readonly email: string | null;
  readonly status: CollaboratorStatus;
  readonly hasDetails: boolean;
};

/**
 * Returns the data that determines whether collaborators can be reminded to enter payout details, by id. Deleted
 * collaborators are missing.
 */
export async function findPayeesToRemind(
  { connection, organizationId }: Tenant,
  ids: readonly CollaboratorId[],
): Promise<ReadonlyMap<CollaboratorId, PayeeToRemind>> {
  const { rows } = await connection.query<PayeeToRemind & { readonly id: CollaboratorId }>(
    `select c.id, c.name, c.email, c.status, d.collaborator_id is not null as "hasDetails"
     from collaborators c
     left join payout_details d on d.organization_id = $1 and d.collaborator_id = c.id
     where c.organization_id = $1 and c.id = any ($2::bigint[]) and c.status <> 'deleted'`,
    [organizationId, ids],
  );
  return new Map(rows.map(({ id, ...payee }) => [id, payee]));
}
