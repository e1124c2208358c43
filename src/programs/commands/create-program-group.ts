import type { OrganizationId } from '#core/ids.ts';
import { type GroupFields, type MemberFault, memberFaults } from '../domain/program-group.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import { type Database, inTransaction } from '#platform/postgres/database.ts';
import { insertGroup, insertGroupVersion } from '../store/program-groups.ts';
import { findCurrentPrograms } from '../store/programs.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { type ProgramGroupResource, programGroups } from '../store/read/program-groups.ts';
import { movePrograms } from './move-programs.ts';

export type GroupCreation =
  | { readonly kind: 'created'; readonly group: ProgramGroupResource }
  | { readonly kind: 'faulty'; readonly faults: readonly MemberFault[] };

/** Creates a group, and a new version of each of its programs, under one configuration version. */
export function createProgramGroup(
  database: Database,
  organizationId: OrganizationId,
  fields: Omit<GroupFields, 'status'>,
): Promise<GroupCreation> {
  return inTransaction(database, async (connection) => {
    await lockConfiguration(connection, organizationId);
    const members = await findCurrentPrograms(connection, organizationId, fields.programIds);
    const faults = memberFaults(null, fields.programIds, members);
    if (faults.length > 0) return { kind: 'faulty', faults };
    const id = await insertGroup(connection, organizationId);
    const configVersion = await changeConfiguration(connection, organizationId);
    await insertGroupVersion(connection, organizationId, id, configVersion, { ...fields, status: 'active' });
    await movePrograms(connection, organizationId, members, id, configVersion);
    const group = (await readOne(connection, organizationId, programGroups, { id })) as ProgramGroupResource;
    return { kind: 'created', group };
  });
}
