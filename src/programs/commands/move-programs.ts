import type { ConfigVersion, ProgramGroupId, ProgramId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { type CurrentProgram, insertProgramVersion } from '../store/programs.ts';

/**
 * Creates a new version of each program with the given group, or without a group if `groupId` is null. Used when a
 * group is created or changed.
 */
export async function movePrograms(
  tenant: Tenant<Connection>,
  programs: Iterable<readonly [ProgramId, CurrentProgram]>,
  groupId: ProgramGroupId | null,
  configVersion: ConfigVersion,
): Promise<void> {
  for (const [id, { version, fields }] of programs) {
    await insertProgramVersion(tenant, id, version + 1, configVersion, { ...fields, groupId });
  }
}
