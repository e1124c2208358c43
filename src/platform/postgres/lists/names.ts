import type { Tenant } from '../tenant.ts';

export type Names = {
  readonly collaborators: ReadonlyMap<number, string>;
  readonly programs: ReadonlyMap<number, string>;
};

/** Returns the names of collaborators and programs by id, including deleted collaborators and programs. */
export async function readNames(
  { connection, organizationId }: Tenant,
  {
    collaboratorIds,
    programIds,
  }: { readonly collaboratorIds: readonly number[]; readonly programIds: readonly number[] },
): Promise<Names> {
  const found = async (sql: string, ids: readonly number[]): Promise<ReadonlyMap<number, string>> => {
    if (ids.length === 0) return new Map();
    const { rows } = await connection.query<{ id: number; name: string }>(sql, [organizationId, ids]);
    return new Map(rows.map(({ id, name }) => [id, name]));
  };
  return {
    collaborators: await found(
      'select id, name from collaborators where organization_id = $1 and id = any($2::bigint[])',
      collaboratorIds,
    ),
    programs: await found(
      `select p.id, v.name from programs p
       join program_versions v on v.organization_id = p.organization_id and v.program_id = p.id and v.version = p.version
       where p.organization_id = $1 and p.id = any($2::bigint[])`,
      programIds,
    ),
  };
}
