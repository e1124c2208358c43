import type { OrganizationId } from '#core/ids.ts';
import { arranged, isDecidedInOrder, type TermsFault } from '../domain/program-terms.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import { type Database, inTransaction } from '#platform/postgres/database.ts';
import { holdDecisions } from '../store/decision-order.ts';
import { insertProgram, insertProgramVersion, type ProgramFields } from '../store/programs.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { type ProgramResource, programs } from '../store/read/programs.ts';
import { findProgramFaults } from './program-faults.ts';

export type ProgramCreation =
  | { readonly kind: 'created'; readonly program: ProgramResource }
  | { readonly kind: 'faulty'; readonly faults: readonly TermsFault[] };

/** Creates a program with its version 1. */
export function createProgram(
  database: Database,
  organizationId: OrganizationId,
  fields: ProgramFields,
): Promise<ProgramCreation> {
  return inTransaction(database, async (connection) => {
    await lockConfiguration(connection, organizationId);
    const faults = await findProgramFaults(connection, organizationId, fields, fields);
    if (faults.length > 0) return { kind: 'faulty', faults };
    if (isDecidedInOrder(fields)) await holdDecisions(connection, organizationId);
    const id = await insertProgram(connection, organizationId);
    const configVersion = await changeConfiguration(connection, organizationId);
    await insertProgramVersion(connection, organizationId, id, 1, configVersion, arranged(fields));
    const program = (await readOne(connection, organizationId, programs, { id })) as ProgramResource;
    return { kind: 'created', program };
  });
}
