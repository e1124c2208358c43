import type { CollaboratorId, OrganizationId } from '#domain/ids.ts';
import type { Connection, Queryable } from './database.ts';
import { MARK_BYTES } from './secret-box.ts';

/*
 * What another encryption key has sealed than the one that has this mark. Read at starts, over all organizations: one pass
 * over people, and one over payout details.
 */

export type LostCounts = {
  /** In use: of one that no code has proved nobody misses the secret. */
  readonly secondFactors: number;
  readonly payoutDetails: number;
};

export async function countLost(connection: Queryable, keyMark: Buffer): Promise<LostCounts> {
  const { rows } = await connection.query<LostCounts>(
    `select
       (select count(*) from people where totp_since is not null and substring(totp_secret for $2) <> $1)::integer
         as "secondFactors",
       (select count(*) from payout_details where substring(details for $2) <> $1)::integer as "payoutDetails"`,
    [keyMark, MARK_BYTES],
  );
  return rows[0] as LostCounts;
}

/** Puts a secret, sealed, in the place of those of second factors that are lost. Answers of how many people. */
export async function replaceLostTotps(connection: Connection, keyMark: Buffer, secret: Uint8Array): Promise<number> {
  const { rowCount } = await connection.query(
    'update people set totp_secret = $3 where totp_since is not null and substring(totp_secret for $2) <> $1',
    [keyMark, MARK_BYTES, secret],
  );
  return rowCount ?? 0;
}

export type LostDetails = { readonly organizationId: OrganizationId; readonly collaboratorId: CollaboratorId };

/** Forgets payout details that can't be read any more. Answers whose they were. */
export async function removeLostDetails(connection: Connection, keyMark: Buffer): Promise<LostDetails[]> {
  const { rows } = await connection.query<LostDetails>(
    `delete from payout_details where substring(details for $2) <> $1
     returning organization_id as "organizationId", collaborator_id as "collaboratorId"`,
    [keyMark, MARK_BYTES],
  );
  return rows;
}
