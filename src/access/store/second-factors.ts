import type { PersonId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/**
 * Stores the secret of a second factor, which takes effect once a first code is accepted. Returns false if the person
 * already has a second factor or was removed.
 */
export async function proposeTotp(
  { connection, organizationId }: Tenant<Connection>,
  id: PersonId,
  secret: Uint8Array,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    `update people set totp_secret = $3
     where organization_id = $1 and id = $2 and totp_since is null and status = 'active'`,
    [organizationId, id, secret],
  );
  return rowCount === 1;
}

/** Requires a code for later password logins. `codes` contains the SHA-256 hashes of the recovery codes. */
export async function beginTotp(
  { connection, organizationId }: Tenant<Connection>,
  id: PersonId,
  codes: readonly Uint8Array[],
): Promise<void> {
  await connection.query('update people set totp_since = now() where organization_id = $1 and id = $2', [
    organizationId,
    id,
  ]);
  await connection.query(
    `insert into recovery_codes (organization_id, person_id, hash) select $1, $2, unnest($3::bytea[])`,
    [organizationId, id, codes],
  );
}

export async function removeTotp({ connection, organizationId }: Tenant<Connection>, id: PersonId): Promise<void> {
  await connection.query(
    `update people set totp_secret = null, totp_since = null where organization_id = $1 and id = $2`,
    [organizationId, id],
  );
  await connection.query('delete from recovery_codes where organization_id = $1 and person_id = $2', [
    organizationId,
    id,
  ]);
}

/** Uses up a recovery code. Returns false if there is no code with the given hash. */
export async function spendRecoveryCode(
  { connection, organizationId }: Tenant<Connection>,
  id: PersonId,
  hash: Uint8Array,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    'delete from recovery_codes where organization_id = $1 and person_id = $2 and hash = $3',
    [organizationId, id, hash],
  );
  return rowCount === 1;
}
