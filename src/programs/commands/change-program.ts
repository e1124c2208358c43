import type { ProgramId } from '#core/ids.ts';
import { canProgramBecome, type ProgramStatus } from '../domain/program.ts';
import { isDecidedInOrder, sortRewards, type TermsFault } from '../domain/program-terms.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import type { Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { lockDecisions } from '../store/decision-order.ts';
import { findCurrentProgram, insertProgramVersion, type ProgramFields } from '../store/programs.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';
import { type ProgramResource, programs } from '../store/read/programs.ts';
import { changedFields, givenFields } from '#platform/changed-fields.ts';
import { findProgramFaults, findTotalFaults } from './program-faults.ts';

/** A change of a program. Undefined fields stay unchanged. */
export type ProgramChange = { readonly [Field in keyof ProgramFields]?: ProgramFields[Field] | undefined };

export type ProgramChangeOutcome =
  | { readonly kind: 'changed'; readonly program: ProgramResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'forbidden'; readonly from: ProgramStatus; readonly to: ProgramStatus }
  /** The new terms are invalid, either alone or in combination with the program's other terms. */
  | { readonly kind: 'faulty'; readonly faults: readonly TermsFault[] };

/** Creates a new version of a program with the given changes. If nothing differs, creates no version. */
export function changeProgram(
  tenant: Tenant<Database>,
  id: ProgramId,
  change: ProgramChange,
): Promise<ProgramChangeOutcome> {
  const given = givenFields(change);
  return inTenantTransaction(tenant, async (tenant) => {
    await lockConfiguration(tenant);
    const current = await findCurrentProgram(tenant, id);
    if (current === undefined) return { kind: 'unknown' };
    const changed = changedFields(current.fields, sortRewards(given));
    if (changed === undefined) return { kind: 'changed', program: await readExisting(tenant, programs, { id }) };
    const [from, to] = [current.fields.status, changed.status];
    if (from === 'deleted' || !canProgramBecome(from, to)) return { kind: 'forbidden', from, to };
    const faults = [
      ...(await findProgramFaults(tenant, { ...current.fields, ...given }, given)),
      ...(await findTotalFaults(tenant, id, given)),
    ];
    if (faults.length > 0) return { kind: 'faulty', faults };
    if (isDecidedInOrder(changed) && !isDecidedInOrder(current.fields)) await lockDecisions(tenant);
    const configVersion = await changeConfiguration(tenant);
    await insertProgramVersion(tenant, id, current.version + 1, configVersion, changed);
    return { kind: 'changed', program: await readExisting(tenant, programs, { id }) };
  });
}
