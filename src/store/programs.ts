import type { ConfigVersion, OrganizationId, ProgramId } from '#domain/ids.ts';
import type { ProgramTerms } from '#domain/program.ts';
import type { Connection } from './database.ts';
import { readReward, storeReward, type StoredReward } from './program-versions.ts';

/** What an edit of a program can change: its terms, and what it is called. */
export type ProgramFields = ProgramTerms & { readonly name: string; readonly description: string | null };

export type CurrentProgram = { readonly version: number; readonly fields: ProgramFields };

/** The columns of ProgramFields, of the program version `v`. */
export const PROGRAM_FIELDS = `v.name, v.description, v.status, v.currency, v.window_days as "windowDays", v.attribution,
  v.reward, v.counted_lines as "countedLines", v.triggers, v.pays, v.auto_approve as "autoApprove",
  v.approve_after_days as "approveAfterDays", v.enrollment, v.credits_per as "creditsPer"`;

/** A program in its newest version, or undefined. Under the configuration's lock it stays so. */
export async function findCurrentProgram(
  connection: Connection,
  organizationId: OrganizationId,
  id: ProgramId,
): Promise<CurrentProgram | undefined> {
  const { rows } = await connection.query<{ version: number; reward: StoredReward } & Omit<ProgramFields, 'reward'>>(
    `select v.version, ${PROGRAM_FIELDS}
     from programs p
     join program_versions v on v.organization_id = p.organization_id and v.program_id = p.id and v.version = p.version
     where p.organization_id = $1 and p.id = $2`,
    [organizationId, id],
  );
  if (rows[0] === undefined) return undefined;
  const { version, reward, ...fields } = rows[0];
  return { version, fields: { ...fields, reward: readReward(reward) } };
}

export async function insertProgram(connection: Connection, organizationId: OrganizationId): Promise<ProgramId> {
  const { rows } = await connection.query<{ id: ProgramId }>(
    'insert into programs (organization_id, version) values ($1, 1) returning id',
    [organizationId],
  );
  return (rows[0] as { id: ProgramId }).id;
}

/** Adds a version of a program and makes it the newest. */
export async function insertProgramVersion(
  connection: Connection,
  organizationId: OrganizationId,
  id: ProgramId,
  version: number,
  configVersion: ConfigVersion,
  fields: ProgramFields,
): Promise<void> {
  await connection.query(
    `with added as (
       insert into program_versions
         (organization_id, program_id, version, config_version, name, description, status, currency, window_days,
          attribution, reward, counted_lines, triggers, pays, auto_approve, approve_after_days, enrollment, credits_per)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
     )
     update programs set version = $3 where organization_id = $1 and id = $2`,
    [
      organizationId,
      id,
      version,
      configVersion,
      fields.name,
      fields.description,
      fields.status,
      fields.currency,
      fields.windowDays,
      fields.attribution,
      JSON.stringify(storeReward(fields.reward)),
      fields.countedLines,
      JSON.stringify(fields.triggers),
      fields.pays,
      fields.autoApprove,
      fields.approveAfterDays,
      fields.enrollment,
      fields.creditsPer,
    ],
  );
}
