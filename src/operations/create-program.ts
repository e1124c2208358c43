import type { OrganizationId } from '#domain/ids.ts';
import { changeConfiguration, lockConfiguration } from '#store/configuration.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { insertProgram, insertProgramVersion, type ProgramFields } from '#store/programs.ts';
import { readOne } from '#store/read/page.ts';
import { type ProgramResource, programs } from '#store/read/programs.ts';

/** Creates a program in its version 1. */
export function createProgram(
  database: Database,
  organizationId: OrganizationId,
  fields: ProgramFields,
): Promise<ProgramResource> {
  return inTransaction(database, async (connection) => {
    await lockConfiguration(connection, organizationId);
    const id = await insertProgram(connection, organizationId);
    const configVersion = await changeConfiguration(connection, organizationId);
    await insertProgramVersion(connection, organizationId, id, 1, configVersion, fields);
    return (await readOne(connection, organizationId, programs, { id })) as ProgramResource;
  });
}
