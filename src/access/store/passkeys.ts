import type { CollaboratorId, OrganizationId, PasskeyId, PersonId } from '#core/ids.ts';
import type { Connection, Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { SessionHolder, SessionKind } from '#core/caller.ts';

export type StoredPasskey = {
  readonly organizationId: OrganizationId;
  readonly id: PasskeyId;
  readonly personId: PersonId | null;
  readonly collaboratorId: CollaboratorId | null;
  readonly credential: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
};

/**
 * Returns the passkey with the given credential and user handle. Returns undefined if there is none, or if its holder
 * is of another kind. Uses the index `passkeys_credential`.
 */
export async function findPasskey(
  connection: Queryable,
  kind: SessionKind,
  credential: Uint8Array,
  userHandle: Uint8Array,
): Promise<StoredPasskey | undefined> {
  const { rows } = await connection.query<StoredPasskey>(
    `select organization_id as "organizationId", id, person_id as "personId", collaborator_id as "collaboratorId",
       credential, public_key as "publicKey", counter
     from passkeys
     where credential = $1 and user_handle = $2 and ($3 = 'person') = (person_id is not null)`,
    [credential, userHandle, kind],
  );
  return rows[0];
}

/** Returns whether any passkey of any organization has the credential. */
export async function isCredentialKnown(connection: Queryable, credential: Uint8Array): Promise<boolean> {
  const { rowCount } = await connection.query('select from passkeys where credential = $1 limit 1', [credential]);
  return rowCount !== 0;
}

/**
 * Returns the passkeys of a holder. The challenge for a new passkey lists them, so that an authenticator doesn't create
 * a second passkey for the holder. The challenge also contains the holder's user handle, which all their passkeys
 * share.
 */
export async function passkeysOf(
  { connection, organizationId }: Tenant,
  holder: SessionHolder,
): Promise<readonly { readonly credential: Buffer; readonly userHandle: Buffer; readonly transports: string[] }[]> {
  const { rows } = await connection.query<{ credential: Buffer; userHandle: Buffer; transports: string[] }>(
    `select credential, user_handle as "userHandle", transports from passkeys
     where organization_id = $1 and (person_id = $2 or collaborator_id = $3) order by id`,
    [organizationId, ...idsOf(holder)],
  );
  return rows;
}

export type NewPasskey = {
  readonly name: string;
  readonly credential: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly userHandle: Uint8Array;
};

/**
 * Adds a passkey. Returns undefined if the organization already has the credential, including through a concurrent
 * request.
 */
export async function insertPasskey(
  { connection, organizationId }: Tenant<Connection>,
  holder: SessionHolder,
  { name, credential, publicKey, counter, transports, userHandle }: NewPasskey,
): Promise<PasskeyId | undefined> {
  const { rows } = await connection.query<{ id: PasskeyId }>(
    `insert into passkeys (organization_id, person_id, collaborator_id, name, credential, public_key, counter, transports, user_handle)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (organization_id, credential) do nothing returning id`,
    [organizationId, ...idsOf(holder), name, credential, publicKey, counter, transports, userHandle],
  );
  return rows[0]?.id;
}

/** Deletes a passkey. Returns false if the holder has no passkey with the given id. */
export async function removePasskey(
  { connection, organizationId }: Tenant<Connection>,
  holder: SessionHolder,
  id: PasskeyId,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    'delete from passkeys where organization_id = $1 and id = $4 and (person_id = $2 or collaborator_id = $3)',
    [organizationId, ...idsOf(holder), id],
  );
  return rowCount === 1;
}

/**
 * Records a login with a passkey. `counter` is the signature counter that the passkey reported. Returns false if the
 * counter was already reached, by a concurrent login or by a copy of the passkey. Passkeys that always report 0 are not
 * checked.
 */
export async function notePasskeyUse(
  connection: Connection,
  { organizationId, id }: StoredPasskey,
  counter: number,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    `update passkeys set last_used_at = now(), counter = $3
     where organization_id = $1 and id = $2 and ($3 > counter or (counter = 0 and $3 = 0))`,
    [organizationId, id, counter],
  );
  return rowCount === 1;
}

/** Uses up the challenge with the given SHA-256 hash. Returns false if it was already answered. */
export async function spendChallenge(
  { connection, organizationId }: Tenant<Connection>,
  hash: Uint8Array,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    'insert into spent_challenges (organization_id, hash) values ($1, $2) on conflict do nothing',
    [organizationId, hash],
  );
  return rowCount === 1;
}

/**
 * Deletes up to `limit` challenges that were answered more than an hour ago, and returns their number. By then, they
 * have expired. Uses the index `spent_challenges_old`.
 */
export async function purgeChallenges(connection: Queryable, limit: number): Promise<number> {
  const { rowCount } = await connection.query({
    name: 'purge-challenges',
    text: `
      with due as materialized (
        select organization_id, hash from spent_challenges
        where spent_at < now() - make_interval(hours => 1)
        order by spent_at limit $1 for update skip locked
      )
      delete from spent_challenges where (organization_id, hash) in (select * from due)`,
    values: [limit],
  });
  return rowCount ?? 0;
}

function idsOf(holder: SessionHolder): [PersonId | null, CollaboratorId | null] {
  return holder.kind === 'person' ? [holder.personId, null] : [null, holder.collaboratorId];
}

export async function removePortalPasskeys(
  { connection, organizationId }: Tenant<Connection>,
  id: CollaboratorId,
): Promise<void> {
  await connection.query('delete from passkeys where organization_id = $1 and collaborator_id = $2', [
    organizationId,
    id,
  ]);
}
