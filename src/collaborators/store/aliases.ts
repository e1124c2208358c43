import { aliasKey } from '../domain/alias.ts';
import type { AliasId, CollaboratorId, ConfigVersion } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export type AliasCode = { readonly type: string; readonly code: string };
/** A current alias with its code as entered, and its owner. */
export type OwnedAlias = AliasCode & {
  readonly id: AliasId;
  readonly collaboratorId: CollaboratorId;
  readonly collaboratorName: string;
};

/** Returns the current owner of a code, or undefined. Uses aliases_current. */
export async function findAliasOwner(
  { connection, organizationId }: Tenant<Connection>,
  { type, code }: AliasCode,
): Promise<OwnedAlias | undefined> {
  const { rows } = await connection.query<OwnedAlias>(
    `select a.id, a.type, a.code, a.collaborator_id as "collaboratorId", c.name as "collaboratorName"
     from aliases a join collaborators c on c.organization_id = $1 and c.id = a.collaborator_id
     where a.organization_id = $1 and a.type = $2 and a.code_key = $3 and a.until_version is null`,
    [organizationId, type, aliasKey(code)],
  );
  return rows[0];
}

export async function insertAlias(
  { connection, organizationId }: Tenant<Connection>,
  collaboratorId: CollaboratorId,
  { type, code }: AliasCode,
  from: ConfigVersion,
): Promise<AliasId> {
  const { rows } = await connection.query<{ id: AliasId }>(
    `insert into aliases (organization_id, collaborator_id, type, code, code_key, from_version)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [organizationId, collaboratorId, type, code, aliasKey(code), from],
  );
  return (rows[0] as { id: AliasId }).id;
}

/** Ends a current alias. It still refers to its collaborator for reports before the version `until`. */
export async function endAlias(
  { connection, organizationId }: Tenant<Connection>,
  id: AliasId,
  until: ConfigVersion,
): Promise<void> {
  await connection.query(
    `update aliases set until_version = $3, retired_at = now()
     where organization_id = $1 and id = $2 and until_version is null`,
    [organizationId, id, until],
  );
}

/** Returns the current and former owners of codes, by the form in which codes are compared. Uses aliases_codes. */
export async function findCodeOwners(
  { connection, organizationId }: Tenant<Connection>,
  type: string,
  codes: readonly string[],
): Promise<Map<string, Set<CollaboratorId>>> {
  const { rows } = await connection.query<{ codeKey: string; owners: CollaboratorId[] }>(
    `select code_key as "codeKey", array_agg(distinct collaborator_id) as owners from aliases
     where organization_id = $1 and type = $2 and code_key = any ($3::text[]) and id > 0
     group by code_key`,
    [organizationId, type, codes.map(aliasKey)],
  );
  return new Map(rows.map(({ codeKey, owners }) => [codeKey, new Set(owners)]));
}

/** Ends all codes of a collaborator and overwrites them with unusable codes, because codes are often names. */
export async function eraseCodes(
  { connection, organizationId }: Tenant<Connection>,
  collaboratorId: CollaboratorId,
  until: ConfigVersion,
): Promise<void> {
  await connection.query(
    `update aliases
     set code = 'erased-' || id, code_key = 'erased-' || id,
       until_version = coalesce(until_version, $3), retired_at = coalesce(retired_at, now())
     where organization_id = $1 and collaborator_id = $2`,
    [organizationId, collaboratorId, until],
  );
}
