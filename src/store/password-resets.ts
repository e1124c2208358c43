import type { OrganizationId, PersonId } from '#domain/ids.ts';
import type { Connection, Queryable } from './database.ts';

export type PasswordReset = {
  readonly organizationId: OrganizationId;
  readonly personId: PersonId;
  /** Their second factor goes as well. */
  readonly liftsTotp: boolean;
};

/** Makes a link to a new password by its token's SHA-256; the one before is void then. */
export async function insertPasswordReset(
  connection: Connection,
  { organizationId, personId, liftsTotp }: PasswordReset,
  hash: Uint8Array,
  seconds: number,
): Promise<void> {
  await connection.query(
    `insert into password_resets (organization_id, person_id, hash, lifts_totp, expires_at)
     values ($1, $2, $3, $4, now() + make_interval(secs => $5))
     on conflict (organization_id, person_id) do update set
       hash = excluded.hash, lifts_totp = excluded.lifts_totp, created_at = now(), expires_at = excluded.expires_at`,
    [organizationId, personId, hash, liftsTotp, seconds],
  );
}

/** Whose link this is, while it holds. Leans on password_resets_hash. */
export async function findPasswordReset(connection: Queryable, hash: Uint8Array): Promise<PasswordReset | undefined> {
  const { rows } = await connection.query<PasswordReset>(
    `select organization_id as "organizationId", person_id as "personId", lifts_totp as "liftsTotp"
     from password_resets where hash = $1 and expires_at > now()`,
    [hash],
  );
  return rows[0];
}

/** Uses the link up. False where somebody else has by now. */
export async function spendPasswordReset(
  connection: Connection,
  { organizationId, personId }: PasswordReset,
  hash: Uint8Array,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    `delete from password_resets where organization_id = $1 and person_id = $2 and hash = $3`,
    [organizationId, personId, hash],
  );
  return rowCount === 1;
}
