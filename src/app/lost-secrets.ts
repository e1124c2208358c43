import type { CollaboratorId, ConnectorId, OrganizationId } from '#core/ids.ts';
import type { Connection, Queryable } from '#platform/postgres/database.ts';
import { MARK_BYTES } from '#platform/crypto/secret-box.ts';

/*
 * Counts encrypted data that can't be decrypted with the current key, and removes or overwrites it. Such data can be
 * second factors, payout details, tax details, payer accounts or the secrets of connectors. The count runs at startup
 * over all organizations, with one scan of each of the five tables.
 */

export type LostCounts = {
  /**
   * The number of confirmed second factors. The secret of an unconfirmed second factor is not in use, so it doesn't
   * count.
   */
  readonly secondFactors: number;
  readonly payoutDetails: number;
  readonly taxDetails: number;
  readonly payerAccounts: number;
  readonly connectors: number;
};

export async function countLost(connection: Queryable, keyMark: Buffer): Promise<LostCounts> {
  const { rows } = await connection.query<LostCounts>(
    `select
       (select count(*) from people where totp_since is not null and substring(totp_secret for $2) <> $1)::integer
         as "secondFactors",
       (select count(*) from payout_details where substring(details for $2) <> $1)::integer as "payoutDetails",
       (select count(*) from tax_details where substring(details for $2) <> $1)::integer as "taxDetails",
       (select count(*) from payer_accounts where substring(account for $2) <> $1)::integer as "payerAccounts",
       (select count(*) from connectors where deleted_at is null and substring(secret for $2) <> $1)::integer
         as connectors`,
    [keyMark, MARK_BYTES],
  );
  return rows[0] as LostCounts;
}

/**
 * Overwrites the secret of each confirmed second factor that can't be decrypted. The new value is `secret`, which must
 * already be encrypted. Returns the number of affected people.
 */
export async function replaceLostTotps(connection: Connection, keyMark: Buffer, secret: Uint8Array): Promise<number> {
  const { rowCount } = await connection.query(
    'update people set totp_secret = $3 where totp_since is not null and substring(totp_secret for $2) <> $1',
    [keyMark, MARK_BYTES, secret],
  );
  return rowCount ?? 0;
}

export type LostDetails = { readonly organizationId: OrganizationId; readonly collaboratorId: CollaboratorId };

/** Deletes payout details or tax details that can't be decrypted. Returns their collaborators. */
export async function removeLostDetails(
  connection: Connection,
  table: 'payout_details' | 'tax_details',
  keyMark: Buffer,
): Promise<LostDetails[]> {
  const { rows } = await connection.query<LostDetails>(
    `delete from ${table} where substring(details for $2) <> $1
     returning organization_id as "organizationId", collaborator_id as "collaboratorId"`,
    [keyMark, MARK_BYTES],
  );
  return rows;
}

/** Deletes payer accounts that can't be decrypted. Returns their organizations. */
export async function removeLostPayers(connection: Connection, keyMark: Buffer): Promise<OrganizationId[]> {
  const { rows } = await connection.query<{ id: OrganizationId }>(
    'delete from payer_accounts where substring(account for $2) <> $1 returning organization_id as id',
    [keyMark, MARK_BYTES],
  );
  return rows.map(({ id }) => id);
}

export type LostConnector = {
  readonly organizationId: OrganizationId;
  readonly id: ConnectorId;
  readonly name: string;
};

/**
 * Removes each connector secret that can't be decrypted. Returns the affected connectors, which then refuse all events.
 */
export async function removeLostConnectorSecrets(connection: Connection, keyMark: Buffer): Promise<LostConnector[]> {
  const { rows } = await connection.query<LostConnector>(
    `update connectors set secret = null where deleted_at is null and substring(secret for $2) <> $1
     returning organization_id as "organizationId", id, name`,
    [keyMark, MARK_BYTES],
  );
  return rows;
}
