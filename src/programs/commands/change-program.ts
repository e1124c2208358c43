import type { OrganizationId, ProgramId } from '#core/ids.ts';
import { mayProgramBecome, type ProgramStatus } from '../domain/program.ts';
import { arranged, isDecidedInOrder, type TermsFault } from '../domain/program-terms.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import { type Connection, type Database, inTransaction } from '#platform/postgres/database.ts';
import { holdDecisions } from '../store/decision-order.ts';
import { findCurrentProgram, insertProgramVersion, type ProgramFields } from '../store/programs.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { type ProgramResource, programs } from '../store/read/programs.ts';
import { changedFields, givenFields } from '#platform/changed-fields.ts';
import { findProgramFaults } from './program-faults.ts';

/** A change of a program. Undefined fields stay as they are. */
export type ProgramChange = { readonly [Field in keyof ProgramFields]?: ProgramFields[Field] | undefined };

export type ProgramChanging =
  | { readonly kind: 'changed'; readonly program: ProgramResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'forbidden'; readonly from: ProgramStatus; readonly to: ProgramStatus }
  /** The new terms are invalid, by themselves or together with the program's other terms. */
  | { readonly kind: 'faulty'; readonly faults: readonly TermsFault[] };

/** Creates a new version of a program with the given changes. A change without a difference creates none. */
export function changeProgram(
  database: Database,
  organizationId: OrganizationId,
  id: ProgramId,
  change: ProgramChange,
): Promise<ProgramChanging> {
  const given = givenFields(change);
  return inTransaction(database, async (connection) => {
    await lockConfiguration(connection, organizationId);
    const current = await findCurrentProgram(connection, organizationId, id);
    if (current === undefined) return { kind: 'unknown' };
    const changed = changedFields(current.fields, arranged(given));
    if (changed === undefined) return { kind: 'changed', program: await read(connection, organizationId, id) };
    const [from, to] = [current.fields.status, changed.status];
    if (from === 'deleted' || !mayProgramBecome(from, to)) return { kind: 'forbidden', from, to };
    const faults = await findProgramFaults(connection, organizationId, { ...current.fields, ...given }, given);
    if (faults.length > 0) return { kind: 'faulty', faults };
    if (isDecidedInOrder(changed) && !isDecidedInOrder(current.fields)) await holdDecisions(connection, organizationId);
    const configVersion = await changeConfiguration(connection, organizationId);
    await insertProgramVersion(connection, organizationId, id, current.version + 1, configVersion, changed);
    return { kind: 'changed', program: await read(connection, organizationId, id) };
  });
}

async function read(connection: Connection, organizationId: OrganizationId, id: ProgramId): Promise<ProgramResource> {
  return (await readOne(connection, organizationId, programs, { id })) as ProgramResource;
}
