import type { FormAnswer } from '../domain/application-form.ts';
import type { CollaboratorId, ProgramId } from '#core/ids.ts';
import type { Connection, Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/** The data of a sign-up until its address is confirmed. */
export type AskedSignUp = {
  readonly programId: ProgramId;
  readonly name: string;
  readonly email: string;
  readonly answers: readonly FormAnswer[];
  /** The alias code that the applicant requests for their links. */
  readonly code: string | null;
  /** The version of the partner agreement that the applicant accepted. Absent if there was no agreement. */
  readonly agreementVersion?: number | undefined;
  /** The id of the invitation link with which the applicant signs up, if any. */
  readonly linkId?: number | undefined;
  /** The keyed hash of the applicant's network in base64. Absent if the network doesn't count. */
  readonly network?: string | undefined;
};

/**
 * The recipient of a link: an existing collaborator, or an applicant whose sign-up the link confirms. A link for
 * `nobody` is never sent. It is created so that requests for unknown addresses take as long as requests for known
 * addresses.
 */
export type EntryFor =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'collaborator'; readonly collaboratorId: CollaboratorId }
  | { readonly kind: 'sign-up'; readonly signUp: AskedSignUp };

export type NewEntryLink = {
  readonly hash: Uint8Array;
  readonly code: Uint8Array;
  readonly address: string;
  /** The HMAC of the network that requested the link. */
  readonly askedFrom: Uint8Array;
  readonly for: EntryFor;
};

export async function insertEntryLink(
  { connection, organizationId }: Tenant<Connection>,
  { hash, code, address, askedFrom, for: entry }: NewEntryLink,
  seconds: number,
): Promise<void> {
  await connection.query(
    `insert into entry_links (organization_id, hash, code, address, collaborator_id, sign_up, expires_at, asked_from)
     values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7), $8)`,
    [
      organizationId,
      hash,
      code,
      address,
      entry.kind === 'collaborator' ? entry.collaboratorId : null,
      entry.kind === 'sign-up' ? JSON.stringify(entry.signUp) : null,
      seconds,
      askedFrom,
    ],
  );
}

/**
 * Deletes the login links of an address and their codes, because a newer email replaces them. Uses the index
 * `entry_links_address`.
 */
export async function voidLoginLinks(
  { connection, organizationId }: Tenant<Connection>,
  address: string,
): Promise<void> {
  await connection.query('delete from entry_links where organization_id = $1 and address = $2 and sign_up is null', [
    organizationId,
    address,
  ]);
}

/** Deletes the links that confirm a sign-up of the address for a program. */
export async function voidSignUpLinks(
  { connection, organizationId }: Tenant<Connection>,
  address: string,
  programId: ProgramId,
): Promise<void> {
  await connection.query(
    `delete from entry_links
     where organization_id = $1 and address = $2 and (sign_up ->> 'programId')::bigint = $3`,
    [organizationId, address, programId],
  );
}

/**
 * Runs the same insert as `insertEmails`, but with a condition that inserts no row. Both inserts take the same time.
 */
export async function insertNoEmail(
  { connection, organizationId }: Tenant<Connection>,
  message: Uint8Array,
  seconds: number,
): Promise<void> {
  await connection.query(
    `insert into outgoing_emails (organization_id, message, expires_at)
     select $1::bigint, $2::bytea, now() + make_interval(secs => $3) where $1::bigint is null`,
    [organizationId, message, seconds],
  );
}

/** Returns whether a link exists and has not expired. Doesn't lock it. */
export async function isEntryLink({ connection, organizationId }: Tenant, hash: Uint8Array): Promise<boolean> {
  const { rowCount } = await connection.query(
    'select from entry_links where organization_id = $1 and hash = $2 and expires_at > now()',
    [organizationId, hash],
  );
  return rowCount === 1;
}

/**
 * Uses up a link and returns its recipient. If several callers try concurrently, only the first caller succeeds.
 * Returns undefined if the link is unknown, used or expired.
 */
export async function takeEntryLink(
  { connection, organizationId }: Tenant<Connection>,
  hash: Uint8Array,
): Promise<EntryFor | undefined> {
  const { rows } = await connection.query<EntryRow>(
    `delete from entry_links where organization_id = $1 and hash = $2 and expires_at > now()
     returning collaborator_id as "collaboratorId", sign_up as "signUp"`,
    [organizationId, hash],
  );
  return rows[0] && entryOf(rows[0]);
}

type EntryRow = { readonly collaboratorId: CollaboratorId | null; readonly signUp: AskedSignUp | null };

function entryOf({ collaboratorId, signUp }: EntryRow): EntryFor {
  if (signUp !== null) return { kind: 'sign-up', signUp };
  return collaboratorId === null ? { kind: 'nobody' } : { kind: 'collaborator', collaboratorId };
}

/**
 * Locks the emailed codes of an address that a network can still try. Returns them, encrypted, with the hashes of their
 * links, newest first. Concurrent callers wait, and read the updated number of wrong codes. Attempts from the network
 * that requested a code are counted separately from attempts from other networks. Uses the index `entry_links_address`.
 */
export async function lockEntryCodes(
  { connection, organizationId }: Tenant<Connection>,
  address: string,
  network: Uint8Array,
  maxWrong: number,
): Promise<{ readonly hash: Buffer; readonly code: Buffer }[]> {
  const { rows } = await connection.query<{ hash: Buffer; code: Buffer }>(
    `select hash, code from entry_links
     where organization_id = $1 and address = $2 and expires_at > now()
       and case when asked_from = $3 then own_wrong_codes else wrong_codes end < $4
     order by created_at desc, hash for update`,
    [organizationId, address, network, maxWrong],
  );
  return rows;
}

/** Counts a wrong code from a network against all links of an address. */
export async function countWrongCode(
  { connection, organizationId }: Tenant<Connection>,
  address: string,
  network: Uint8Array,
): Promise<void> {
  await connection.query(
    `update entry_links set
       own_wrong_codes = own_wrong_codes + case when asked_from = $3 then 1 else 0 end,
       wrong_codes = wrong_codes + case when asked_from = $3 then 0 else 1 end
     where organization_id = $1 and address = $2`,
    [organizationId, address, network],
  );
}

/**
 * Deletes up to `limit` links that expired at least an hour ago, and returns their number. Uses the index
 * `entry_links_ended`.
 */
export async function purgeEntryLinks(connection: Queryable, limit: number): Promise<number> {
  const { rowCount } = await connection.query({
    name: 'purge-entry-links',
    text: `
      with due as materialized (
        select organization_id, hash from entry_links
        where expires_at < now() - make_interval(hours => $1)
        order by expires_at limit $2 for update skip locked
      )
      delete from entry_links where (organization_id, hash) in (select * from due)`,
    values: [1, limit],
  });
  return rowCount ?? 0;
}
