import type { CollaboratorReference, CollaboratorStatus } from '#collaborators/domain/collaborator.ts';
import type { AliasId, CollaboratorId, ConfigVersion, ProgramId, UserId } from '#core/ids.ts';
import type { Referrer } from '../domain/visit.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export type FoundReferrer = Referrer & { readonly aliasId: AliasId | null; readonly status: CollaboratorStatus };

/**
 * Returns the current collaborators of `references`, in the same order, and the configuration version that was read
 * with them. A collaborator is undefined if the reference is unknown. Reads the collaborators and the version in one
 * statement, so both are from the same snapshot.
 */
export async function findReferrers(
  { connection, organizationId }: Tenant,
  references: readonly CollaboratorReference[],
): Promise<{ configVersion: ConfigVersion; referrers: (FoundReferrer | undefined)[] }> {
  const { rows } = await connection.query<{
    config_version: ConfigVersion;
    n: number | null;
    collaborator_id: CollaboratorId;
    alias_id: AliasId | null;
    status: CollaboratorStatus;
    user_id: UserId | null;
    enrolled_in: ProgramId[];
  }>({
    name: 'find-referrers',
    text: FIND_REFERRERS,
    values: [
      organizationId,
      references.map((_, n) => n),
      references.map((reference) => (reference.kind === 'id' ? reference.id : null)),
      references.map((reference) => (reference.kind === 'alias' ? reference.type : null)),
      references.map((reference) => (reference.kind === 'alias' ? reference.codeKey : null)),
    ],
  });
  const referrers: (FoundReferrer | undefined)[] = references.map(() => undefined);
  for (const row of rows) {
    if (row.n === null) continue;
    referrers[row.n] = {
      collaboratorId: row.collaborator_id,
      aliasId: row.alias_id,
      status: row.status,
      userId: row.user_id,
      enrolledIn: new Set(row.enrolled_in),
    };
  }
  const configVersion = rows[0]?.config_version;
  if (configVersion === undefined)
    throw new Error(`Organization ${organizationId} does not exist. Pass the id of an organization.`);
  return { configVersion, referrers };
}

const FIND_REFERRERS = `
select g.config_version, found.*
from organizations g
left join (
  select r.n, c.id as collaborator_id, a.id as alias_id, c.status, c.user_id,
    array(
      select e.program_id from enrollments e
      where e.organization_id = $1 and e.collaborator_id = c.id and e.until_version is null
    ) as enrolled_in
  from unnest($2::int[], $3::bigint[], $4::text[], $5::text[]) as r (n, id, type, code_key)
  left join lateral (
    select id, collaborator_id from aliases
    where organization_id = $1 and type = r.type and code_key = r.code_key and until_version is null
    union all
    select id, collaborator_id from aliases
    where organization_id = $1 and type = r.type and external_key = r.code_key and until_version is null
    limit 1
  ) a on true
  join collaborators c on c.organization_id = $1 and c.id = coalesce(r.id, a.collaborator_id)
) found on true
where g.id = $1`;
