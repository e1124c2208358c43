import { isDecidedInOrder, sortRewards, type TermsFault } from '../domain/program-terms.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { lockDecisions } from '../store/decision-order.ts';
import { MAX_PROGRAMS } from '../domain/program.ts';
import { countPrograms, insertProgram, insertProgramVersion, type ProgramFields } from '../store/programs.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';
import { type ProgramResource, programs } from '../store/read/programs.ts';
import { findProgramFaults, findTotalFaults } from './program-faults.ts';

export type ProgramCreation =
  | { readonly kind: 'created'; readonly program: ProgramResource }
  | { readonly kind: 'faulty'; readonly faults: readonly TermsFault[] }
  | { readonly kind: 'too-many' };

/** Creates a program with its version 1, unless there are already MAX_PROGRAMS programs or the terms have faults. */
export function createProgram(tenant: Tenant<Database>, fields: ProgramFields): Promise<ProgramCreation> {
  return inTenantTransaction(tenant, async (tenant) => {
    await lockConfiguration(tenant);
    if ((await countPrograms(tenant)) >= MAX_PROGRAMS) return { kind: 'too-many' };
    const faults = [
      ...(await findProgramFaults(tenant, fields, fields)),
      ...(await findTotalFaults(tenant, null, fields)),
    ];
    if (faults.length > 0) return { kind: 'faulty', faults };
    if (isDecidedInOrder(fields)) await lockDecisions(tenant);
    const id = await insertProgram(tenant);
    const configVersion = await changeConfiguration(tenant);
    await insertProgramVersion(tenant, id, 1, configVersion, sortRewards(fields));
    return { kind: 'created', program: await readExisting(tenant, programs, { id }) };
  });
}
