import { type GroupFields, type MemberFault, memberFaults } from '../domain/program-group.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { insertGroup, insertGroupVersion } from '../store/program-groups.ts';
import { findCurrentPrograms } from '../store/programs.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';
import { type ProgramGroupResource, programGroups } from '../store/read/program-groups.ts';
import { movePrograms } from './move-programs.ts';

export type GroupCreation =
  | { readonly kind: 'created'; readonly group: ProgramGroupResource }
  | { readonly kind: 'faulty'; readonly faults: readonly MemberFault[] };

/** Creates a group, and a new version of each of its programs, under one configuration version. */
export function createProgramGroup(
  tenant: Tenant<Database>,
  fields: Omit<GroupFields, 'status'>,
): Promise<GroupCreation> {
  return inTenantTransaction(tenant, async (tenant) => {
    await lockConfiguration(tenant);
    const members = await findCurrentPrograms(tenant, fields.programIds);
    const faults = memberFaults(null, fields.programIds, members);
    if (faults.length > 0) return { kind: 'faulty', faults };
    const id = await insertGroup(tenant);
    const configVersion = await changeConfiguration(tenant);
    await insertGroupVersion(tenant, id, configVersion, { ...fields, status: 'active' });
    await movePrograms(tenant, members, id, configVersion);
    return { kind: 'created', group: await readExisting(tenant, programGroups, { id }) };
  });
}
