import type { ProgramGroupId } from '#core/ids.ts';
import { sortMembers, type GroupFields, type MemberFault, memberFaults } from '../domain/program-group.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import type { Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { findGroupFields, insertGroupVersion } from '../store/program-groups.ts';
import { findCurrentPrograms } from '../store/programs.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';
import { type ProgramGroupResource, programGroups } from '../store/read/program-groups.ts';
import { changedFields } from '#platform/changed-fields.ts';
import { movePrograms } from './move-programs.ts';

/** A change of a group. Undefined fields stay unchanged. */
export type GroupChange = { readonly [Field in keyof GroupFields]?: GroupFields[Field] | undefined };

export type GroupChangeOutcome =
  | { readonly kind: 'changed'; readonly group: ProgramGroupResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'faulty'; readonly faults: readonly MemberFault[] };

/**
 * Creates a new version of a group, and of the programs that are added to it or removed from it. All of them are
 * created under one configuration version, so that no sale is decided with a partial edit. If nothing differs, creates
 * no version.
 */
export function changeProgramGroup(
  tenant: Tenant<Database>,
  id: ProgramGroupId,
  change: GroupChange,
): Promise<GroupChangeOutcome> {
  return inTenantTransaction(tenant, async (tenant) => {
    await lockConfiguration(tenant);
    const current = await findGroupFields(tenant, id);
    if (current === undefined) return { kind: 'unknown' };
    const changed = changedFields(current, sortMembers(change));
    if (changed === undefined) return { kind: 'changed', group: await readExisting(tenant, programGroups, { id }) };
    if (current.status === 'deleted') return { kind: 'deleted' };
    const wanted = change.programIds ?? [];
    const programs = await findCurrentPrograms(tenant, [...current.programIds, ...wanted]);
    const faults = memberFaults(id, wanted, programs);
    if (faults.length > 0) return { kind: 'faulty', faults };
    const configVersion = await changeConfiguration(tenant);
    await insertGroupVersion(tenant, id, configVersion, changed);
    const [before, after] = [new Set(current.programIds), new Set(changed.programIds)];
    const removed = [...programs].filter(([programId]) => before.has(programId) && !after.has(programId));
    const added = [...programs].filter(([programId]) => !before.has(programId));
    await movePrograms(tenant, removed, null, configVersion);
    await movePrograms(tenant, added, id, configVersion);
    return { kind: 'changed', group: await readExisting(tenant, programGroups, { id }) };
  });
}
