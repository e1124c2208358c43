import type { ConfigVersion, ProgramId } from '#core/ids.ts';
import type { ProgramTerms } from '../domain/program.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { readTerms, type StoredTerms, storeTerms } from './program-versions.ts';

/** The fields of a program that an edit can change: its terms, name and description. */
export type ProgramFields = ProgramTerms & { readonly name: string; readonly description: string | null };

export type CurrentProgram = { readonly version: number; readonly fields: ProgramFields };

/** The fields of a program as the database stores them, under the names of PROGRAM_FIELDS. */
export type StoredFields = Omit<ProgramFields, keyof StoredTerms> & StoredTerms;

/** SQL for the columns of StoredFields, from the program version `v`. */
export const PROGRAM_FIELDS = `v.name, v.description, v.status, v.currency, v.window_days as "windowDays", v.attribution,
  v.reward, v.counted_lines as "countedLines", v.triggers, v.pays, v.auto_approve as "autoApprove",
  v.approve_after_days as "approveAfterDays", v.enrollment, v.credits_per as "creditsPer",
  v.group_id as "groupId", v.tiers, v.cap_per_order as "capPerOrder", v.cap_per_period as "capPerPeriod",
  v.line_filter as "lineFilter", v.minimum_order as "minimumOrder", v.collaborator_rewards as "collaboratorRewards",
  v.renewal_limit as "renewalLimit", v.holds`;

/** Returns a program in its newest version, or undefined. It can't change under the configuration lock. */
export async function findCurrentProgram(
  tenant: Tenant<Connection>,
  id: ProgramId,
): Promise<CurrentProgram | undefined> {
  return (await findCurrentPrograms(tenant, [id])).get(id);
}

/** Returns programs in their newest versions, in ascending order of id. Unknown ids are missing. */
export async function findCurrentPrograms(
  { connection, organizationId }: Tenant<Connection>,
  ids: readonly ProgramId[],
): Promise<Map<ProgramId, CurrentProgram>> {
  const { rows } = await connection.query<{ id: ProgramId; version: number } & StoredFields>(
    `select p.id, v.version, ${PROGRAM_FIELDS}
     from programs p
     join program_versions v on v.organization_id = p.organization_id and v.program_id = p.id and v.version = p.version
     where p.organization_id = $1 and p.id = any ($2)
     order by p.id`,
    [organizationId, ids],
  );
  return new Map(rows.map(({ id, version, ...fields }) => [id, { version, fields: readTerms(fields) }]));
}

export async function insertProgram({ connection, organizationId }: Tenant<Connection>): Promise<ProgramId> {
  const { rows } = await connection.query<{ id: ProgramId }>(
    'insert into programs (organization_id, version) values ($1, 1) returning id',
    [organizationId],
  );
  return (rows[0] as { id: ProgramId }).id;
}

/** Adds a version of a program and makes it the newest. */
export async function insertProgramVersion(
  { connection, organizationId }: Tenant<Connection>,
  id: ProgramId,
  version: number,
  configVersion: ConfigVersion,
  fields: ProgramFields,
): Promise<void> {
  const stored = storeTerms(fields);
  await connection.query(
    `with added as (
       insert into program_versions
         (organization_id, program_id, version, config_version, name, description, status, currency, window_days,
          attribution, reward, counted_lines, triggers, pays, auto_approve, approve_after_days, enrollment, credits_per,
          group_id, tiers, cap_per_order, cap_per_period, line_filter, minimum_order, collaborator_rewards, renewal_limit,
          holds)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
         $24, $25, $26, $27)
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
      json(stored.reward),
      fields.countedLines,
      json(fields.triggers),
      fields.pays,
      fields.autoApprove,
      fields.approveAfterDays,
      fields.enrollment,
      fields.creditsPer,
      fields.groupId,
      json(stored.tiers),
      stored.capPerOrder,
      json(stored.capPerPeriod),
      json(fields.lineFilter),
      stored.minimumOrder,
      json(stored.collaboratorRewards),
      json(fields.renewalLimit),
      json(fields.holds),
    ],
  );
}

/** Returns JSON, or null as SQL's null instead of JSON's: the schema relies on `tiers is not null`. */
function json(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
