import type { CollaboratorId, OrganizationId, ProgramId } from '#domain/ids.ts';
import type { Connection, Queryable } from './database.ts';

/** What somebody has signed up with, until they confirm their address. */
export type AskedSignUp = {
  readonly programId: ProgramId;
  readonly name: string;
  readonly email: string;
  readonly answer: string | null;
  /** The code that they wish for. */
  readonly code: string | null;
};

/**
 * Whom a link lets in: a collaborator, or the one whom its sign-up makes. Nobody: it was told to nobody, and is there so
 * that an unknown address takes as long as a known one.
 */
export type EntryFor =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'collaborator'; readonly collaboratorId: CollaboratorId }
  | { readonly kind: 'sign-up'; readonly signUp: AskedSignUp };

export type NewEntryLink = {
  /** SHA-256 of the token. */
  readonly hash: Uint8Array;
  /** Sealed. */
  readonly code: Uint8Array;
  /** In lower case. */
  readonly address: string;
  readonly for: EntryFor;
};

export async function insertEntryLink(
  connection: Connection,
  organizationId: OrganizationId,
  { hash, code, address, for: entry }: NewEntryLink,
  seconds: number,
): Promise<void> {
  await connection.query(
    `insert into entry_links (organization_id, hash, code, address, collaborator_id, sign_up, expires_at)
     values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))`,
    [
      organizationId,
      hash,
      code,
      address,
      entry.kind === 'collaborator' ? entry.collaboratorId : null,
      entry.kind === 'sign-up' ? JSON.stringify(entry.signUp) : null,
      seconds,
    ],
  );
}

/** Takes as long as `insertMails` does with one, and leaves nothing to be sent. */
export async function insertNoMail(
  connection: Connection,
  organizationId: OrganizationId,
  message: Uint8Array,
  seconds: number,
): Promise<void> {
  await connection.query(
    `insert into mails (organization_id, message, expires_at)
     select $1::bigint, $2::bytea, now() + make_interval(secs => $3) where $1::bigint is null`,
    [organizationId, message, seconds],
  );
}

/** Uses a link up: of several who try at once it lets in one. Undefined where it is none, was used or has ended. */
export async function takeEntryLink(
  connection: Connection,
  organizationId: OrganizationId,
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
 * The codes of an address that may still be tried, locked: who tries at the same time waits, and finds their number of
 * wrong ones as it is then. The newest first. By entry_links_address.
 */
export async function lockEntryCodes(
  connection: Connection,
  organizationId: OrganizationId,
  address: string,
  maxWrong: number,
): Promise<{ readonly hash: Buffer; readonly code: Buffer }[]> {
  const { rows } = await connection.query<{ hash: Buffer; code: Buffer }>(
    `select hash, code from entry_links
     where organization_id = $1 and address = $2 and expires_at > now() and wrong_codes < $3
     order by created_at desc, hash for update`,
    [organizationId, address, maxWrong],
  );
  return rows;
}

/** Counts a wrong code against all links of an address. */
export async function countWrongCode(
  connection: Connection,
  organizationId: OrganizationId,
  address: string,
): Promise<void> {
  await connection.query(
    'update entry_links set wrong_codes = wrong_codes + 1 where organization_id = $1 and address = $2',
    [organizationId, address],
  );
}

/** Forgets up to `limit` links that have come to their end. By entry_links_ended. */
export async function purgeEntryLinks(connection: Queryable, limit: number): Promise<number> {
  const { rowCount } = await connection.query({
    name: 'purge-entry-links',
    text: `
      delete from entry_links where (organization_id, hash) in (
        select organization_id, hash from entry_links
        where expires_at < now() - make_interval(hours => $1)
        order by expires_at limit $2 for update skip locked
      )`,
    values: [1, limit],
  });
  return rowCount ?? 0;
}
