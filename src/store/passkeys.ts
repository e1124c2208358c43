import type { CollaboratorId, OrganizationId, PasskeyId, PersonId } from '#domain/ids.ts';
import type { SessionHolder, SessionKind } from '#domain/session.ts';
import type { Connection, Queryable } from './database.ts';

export type StoredPasskey = {
  readonly organizationId: OrganizationId;
  readonly id: PasskeyId;
  readonly personId: PersonId | null;
  readonly collaboratorId: CollaboratorId | null;
  readonly credential: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
};

/** The passkey of a credential, of this kind of holder, that was kept under this handle. Leans on passkeys_credential. */
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

/** Whether anybody has this credential: none is kept twice. */
export async function isCredentialKnown(connection: Queryable, credential: Uint8Array): Promise<boolean> {
  const { rowCount } = await connection.query('select from passkeys where credential = $1 limit 1', [credential]);
  return rowCount !== 0;
}

/** What a holder has already: authenticators that hold one are not asked for another, and all are kept under one handle. */
export async function passkeysOf(
  connection: Queryable,
  organizationId: OrganizationId,
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

/** Undefined where somebody of the organization has it, also by a request that came at the same moment. */
export async function insertPasskey(
  connection: Connection,
  organizationId: OrganizationId,
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

/** False where this holder has none of this id. */
export async function removePasskey(
  connection: Connection,
  organizationId: OrganizationId,
  holder: SessionHolder,
  id: PasskeyId,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    'delete from passkeys where organization_id = $1 and id = $4 and (person_id = $2 or collaborator_id = $3)',
    [organizationId, ...idsOf(holder), id],
  );
  return rowCount === 1;
}

/** Notes that it logged somebody in. False where its counter has been there: of two at once, or of a copy. */
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

/** False where the challenge of this hash has been answered before. */
export async function spendChallenge(
  connection: Connection,
  organizationId: OrganizationId,
  hash: Uint8Array,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    'insert into spent_challenges (organization_id, hash) values ($1, $2) on conflict do nothing',
    [organizationId, hash],
  );
  return rowCount === 1;
}

/** Forgets up to `limit` challenges that hold no more by themselves. Leans on spent_challenges_old. */
export async function purgeChallenges(connection: Queryable, limit: number): Promise<number> {
  const { rowCount } = await connection.query({
    name: 'purge-challenges',
    text: `
      delete from spent_challenges where (organization_id, hash) in (
        select organization_id, hash from spent_challenges
        where spent_at < now() - make_interval(hours => 1)
        order by spent_at limit $1 for update skip locked
      )`,
    values: [limit],
  });
  return rowCount ?? 0;
}

function idsOf(holder: SessionHolder): [PersonId | null, CollaboratorId | null] {
  return holder.kind === 'person' ? [holder.personId, null] : [null, holder.collaboratorId];
}
