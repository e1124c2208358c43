import type { OrganizationId, PersonId } from '#core/ids.ts';
import type { Connection, Queryable } from '#platform/postgres/database.ts';

export type PasswordReset = {
  readonly organizationId: OrganizationId;
  readonly personId: PersonId;
  /** Whether the reset also removes the person's second factor. */
  readonly liftsTotp: boolean;
};

/**
 * Creates a password reset link that is valid for `seconds`. `hash` is the SHA-256 of its token. The link replaces the
 * person's previous link of the same kind. So a link from the command line stays valid if a stranger requests a link by
 * email.
 */
export async function insertPasswordReset(
  connection: Connection,
  { organizationId, personId, liftsTotp }: PasswordReset,
  hash: Uint8Array,
  seconds: number,
): Promise<void> {
  await connection.query(
    `insert into password_resets (organization_id, person_id, hash, lifts_totp, expires_at)
     values ($1, $2, $3, $4, now() + make_interval(secs => $5))
     on conflict (organization_id, person_id, lifts_totp) do update set
       hash = excluded.hash, created_at = now(), expires_at = excluded.expires_at`,
    [organizationId, personId, hash, liftsTotp, seconds],
  );
}

export type FoundReset = PasswordReset & { readonly email: string; readonly organization: string };

/**
 * Returns the person of a valid link, with their address and their organization's name. Returns undefined if no valid
 * link has the given hash. Uses the index `password_resets_hash`.
 */
export async function findPasswordReset(connection: Queryable, hash: Uint8Array): Promise<FoundReset | undefined> {
  const { rows } = await connection.query<FoundReset>(
    `select r.organization_id as "organizationId", r.person_id as "personId", r.lifts_totp as "liftsTotp", p.email,
       o.name as organization
     from password_resets r
     join people p on p.organization_id = r.organization_id and p.id = r.person_id
     join organizations o on o.id = r.organization_id
     where r.hash = $1 and r.expires_at > now()`,
    [hash],
  );
  return rows[0];
}

/**
 * Notes that a link is being used, and prevents logins of the person for REFUSED_LOGINS_S seconds. Logins are possible
 * again earlier if the password is changed. Doesn't wait for changes of the person.
 */
export async function beginPasswordReset(
  connection: Queryable,
  { organizationId, personId }: PasswordReset,
  hash: Uint8Array,
): Promise<void> {
  await connection.query(
    `update password_resets set begun_at = now() where organization_id = $1 and person_id = $2 and hash = $3`,
    [organizationId, personId, hash],
  );
}

/** The time for which a person can't log in after a password reset has begun, in seconds. */
export const REFUSED_LOGINS_S = 60;

/** SQL that is true if a password reset of the person `p` began in the last REFUSED_LOGINS_S seconds. */
export const IS_BEING_RESET = `exists (
  select from password_resets r
  where r.organization_id = p.organization_id and r.person_id = p.id
    and r.begun_at > now() - interval '${REFUSED_LOGINS_S} seconds'
)`;

/** Uses up a password reset link. Returns false if it was used or replaced in the meantime. */
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
