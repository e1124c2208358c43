import { aliasKey } from '../domain/alias.ts';
import type { AliasId, CollaboratorId, ConfigVersion } from '#core/ids.ts';
import type { Connection, Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export type AliasCode = {
  readonly type: string;
  readonly code: string;
  /** The id of the code in the shop or billing system. */
  readonly externalId?: string | null | undefined;
  /** The page that a link opens. Absent or null means the landing page. */
  readonly pageUrl?: string | null | undefined;
};
/** A current alias with its code as entered, and its owner. */
export type OwnedAlias = AliasCode & {
  readonly id: AliasId;
  readonly externalId: string | null;
  readonly collaboratorId: CollaboratorId;
  readonly collaboratorName: string;
};

/**
 * Returns the current aliases of the given type whose code or external id equals the given code or external id, with
 * their owners. Uses the indexes `aliases_current` and `aliases_external`.
 */
export async function findAliasOwners(
  { connection, organizationId }: Tenant<Connection>,
  { type, code, externalId }: AliasCode,
): Promise<readonly OwnedAlias[]> {
  const { rows } = await connection.query<OwnedAlias>(
    `select a.id, a.type, a.code, a.external_id as "externalId", a.collaborator_id as "collaboratorId",
       c.name as "collaboratorName"
     from aliases a join collaborators c on c.organization_id = $1 and c.id = a.collaborator_id
     where a.organization_id = $1 and a.type = $2 and a.until_version is null
       and (a.code_key = any ($3::text[]) or a.external_key = any ($3::text[]))
     order by a.id`,
    [organizationId, type, [code, externalId ?? code].map(aliasKey)],
  );
  return rows;
}

export async function insertAlias(
  { connection, organizationId }: Tenant<Connection>,
  collaboratorId: CollaboratorId,
  { type, code, externalId = null, pageUrl = null }: AliasCode,
  from: ConfigVersion,
): Promise<AliasId> {
  const { rows } = await connection.query<{ id: AliasId }>(
    `insert into aliases (organization_id, collaborator_id, type, code, code_key, external_id, external_key, page_url,
       from_version)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
    [
      organizationId,
      collaboratorId,
      type,
      code,
      aliasKey(code),
      externalId,
      externalId && aliasKey(externalId),
      pageUrl,
      from,
    ],
  );
  return (rows[0] as { id: AliasId }).id;
}

/**
 * Returns the page that a link of an active collaborator opens. Returns null if the link opens the landing page, or if
 * no active collaborator has a current link with the code. Uses the index `aliases_current`.
 */
export async function findPageOfLink(
  { connection, organizationId }: Tenant<Queryable>,
  code: string,
): Promise<string | null> {
  const { rows } = await connection.query<{ pageUrl: string | null }>({
    name: 'find-page-of-link',
    text: `select a.page_url as "pageUrl" from aliases a
      join collaborators c on c.organization_id = a.organization_id and c.id = a.collaborator_id
      where a.organization_id = $1 and a.type = 'tracking' and a.code_key = $2 and a.until_version is null
        and c.status = 'active'`,
    values: [organizationId, aliasKey(code)],
  });
  return rows[0]?.pageUrl ?? null;
}

/** Changes the external id of a current alias. */
export async function setExternalId(
  { connection, organizationId }: Tenant<Connection>,
  id: AliasId,
  externalId: string,
): Promise<void> {
  await connection.query(
    `update aliases set external_id = $3, external_key = $4
     where organization_id = $1 and id = $2 and until_version is null`,
    [organizationId, id, externalId, aliasKey(externalId)],
  );
}

/** Removes an external id from the current alias that has it. Uses the index `aliases_external`. */
export async function releaseExternalId(
  { connection, organizationId }: Tenant<Connection>,
  { type, externalId }: AliasCode,
): Promise<void> {
  if (externalId == null) return;
  await connection.query(
    `update aliases set external_id = null, external_key = null
     where organization_id = $1 and type = $2 and external_key = $3 and until_version is null`,
    [organizationId, type, aliasKey(externalId)],
  );
}

/** Retires a current alias. It still refers to its collaborator in configurations before the version `until`. */
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

/**
 * Returns the current and former owners of alias codes, by the code's `aliasKey`. Codes that were never used or were
 * erased are missing. Uses the index `aliases_codes`.
 */
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

/**
 * Retires all aliases of a collaborator and removes their external ids and pages. Replaces their codes, which are often
 * names, with `erased-` and the id of the alias.
 */
export async function eraseCodes(
  { connection, organizationId }: Tenant<Connection>,
  collaboratorId: CollaboratorId,
  until: ConfigVersion,
): Promise<void> {
  await connection.query(
    `update aliases
     set code = 'erased-' || id, code_key = 'erased-' || id, external_id = null, external_key = null, page_url = null,
       until_version = coalesce(until_version, $3), retired_at = coalesce(retired_at, now())
     where organization_id = $1 and collaborator_id = $2`,
    [organizationId, collaboratorId, until],
  );
}
