import type { ConfigVersion, ProgramId } from '#core/ids.ts';
import type { LineFilter } from '../domain/line-filter.ts';
import type { ProgramTerms } from '../domain/program.ts';
import type { Connection } from '#platform/postgres/database.ts';
import { parameterColumns } from '#platform/postgres/parameter-columns.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { readTerms, type StoredTerms, storeTerms } from './program-versions.ts';

/** The fields of a program that an edit can change: its terms, name and description. */
export type ProgramFields = ProgramTerms & { readonly name: string; readonly description: string | null };

export type CurrentProgram = { readonly version: number; readonly fields: ProgramFields };

/** The fields of a program in the form in which the database stores them, named as in PROGRAM_FIELDS. */
export type StoredFields = Omit<ProgramFields, keyof StoredTerms> & StoredTerms;

/**
 * Returns SQL for the columns of StoredFields, from the program version `v`. `rewards` is SQL for the custom rates. A
 * program can have 1,000 custom rates. So a query for a collaborator must select only the collaborator's own custom
 * rate, and a query for a visitor must select none.
 */
export function programFields(rewards: string): string {
  return `v.name, v.description, v.status, v.currency, v.window_days as "windowDays", v.attribution,
  v.reward, v.counted_lines as "countedLines", v.triggers, v.pays, v.auto_approve as "autoApprove",
  v.approve_after_days as "approveAfterDays", v.enrollment, v.credits_per as "creditsPer",
  v.group_id as "groupId", v.tiers, v.cap_per_order as "capPerOrder", v.cap_per_period as "capPerPeriod",
  v.line_filter as "lineFilter", v.minimum_order as "minimumOrder", ${rewards} as "collaboratorRewards",
  v.renewal_limit as "renewalLimit", v.renewal_rewards as "renewalRewards", v.holds`;
}

/** SQL for all columns of StoredFields, from the program version `v`. */
export const PROGRAM_FIELDS = programFields('v.collaborator_rewards');

/**
 * Returns a program in its newest version, if it exists. While the transaction has the configuration lock, the program
 * can't change.
 */
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

/** Returns the number of programs that are not deleted. */
export async function countPrograms({ connection, organizationId }: Tenant<Connection>): Promise<number> {
  const { rows } = await connection.query<{ count: number }>(
    `select count(*) as count from programs p
     join program_versions v on v.organization_id = p.organization_id and v.program_id = p.id and v.version = p.version
     where p.organization_id = $1 and v.status <> 'deleted'`,
    [organizationId],
  );
  return (rows[0] as { count: number }).count;
}

/** Returns the line filters of all programs that are not deleted, except the program `except`. */
export async function findLineFilters(
  { connection, organizationId }: Tenant<Connection>,
  except: ProgramId | null,
): Promise<LineFilter[]> {
  const { rows } = await connection.query<{ lineFilter: LineFilter }>(
    `select v.line_filter as "lineFilter" from programs p
     join program_versions v on v.organization_id = p.organization_id and v.program_id = p.id and v.version = p.version
     where p.organization_id = $1 and v.status <> 'deleted' and v.line_filter is not null and p.id is distinct from $2`,
    [organizationId, except],
  );
  return rows.map(({ lineFilter }) => lineFilter);
}

/** Returns the number of custom rates in all programs that are not deleted, except the program `except`. */
export async function countCustomRates(
  { connection, organizationId }: Tenant,
  except: ProgramId | null,
): Promise<number> {
  const { rows } = await connection.query<{ count: number }>(
    `select coalesce(sum(jsonb_array_length(v.collaborator_rewards)), 0)::int as count from programs p
     join program_versions v on v.organization_id = p.organization_id and v.program_id = p.id and v.version = p.version
     where p.organization_id = $1 and v.status <> 'deleted' and v.collaborator_rewards is not null
       and p.id is distinct from $2`,
    [organizationId, except],
  );
  return rows[0]?.count ?? 0;
}

export async function insertProgram({ connection, organizationId }: Tenant<Connection>): Promise<ProgramId> {
  const { rows } = await connection.query<{ id: ProgramId }>(
    'insert into programs (organization_id, version) values ($1, 1) returning id',
    [organizationId],
  );
  return (rows[0] as { id: ProgramId }).id;
}

/** Adds a version of a program and makes it the newest version. */
export async function insertProgramVersion(
  { connection, organizationId }: Tenant<Connection>,
  id: ProgramId,
  version: number,
  configVersion: ConfigVersion,
  fields: ProgramFields,
): Promise<void> {
  await connection.query(
    `with added as (
       insert into program_versions (organization_id, ${VERSION.names}) values ($1, ${VERSION.parameters})
     )
     update programs set version = $3 where organization_id = $1 and id = $2`,
    [organizationId, ...VERSION.valuesOf({ id, version, configVersion, fields, stored: storeTerms(fields) })],
  );
}

type Version = {
  readonly id: ProgramId;
  readonly version: number;
  readonly configVersion: ConfigVersion;
  readonly fields: ProgramFields;
  readonly stored: StoredTerms;
};

/** The columns and parameters of a program version. $1 is the organization's id. */
const VERSION = parameterColumns<Version>(2, {
  program_id: ['bigint', ({ id }) => id],
  version: ['int', ({ version }) => version],
  config_version: ['bigint', ({ configVersion }) => configVersion],
  name: ['text', ({ fields }) => fields.name],
  description: ['text', ({ fields }) => fields.description],
  status: ['text', ({ fields }) => fields.status],
  currency: ['text', ({ fields }) => fields.currency],
  window_days: ['int', ({ fields }) => fields.windowDays],
  attribution: ['text', ({ fields }) => fields.attribution],
  reward: ['jsonb', ({ stored }) => json(stored.reward)],
  counted_lines: ['text[]', ({ fields }) => fields.countedLines],
  triggers: ['jsonb', ({ fields }) => json(fields.triggers)],
  pays: ['text[]', ({ fields }) => fields.pays],
  auto_approve: ['bool', ({ fields }) => fields.autoApprove],
  approve_after_days: ['int', ({ fields }) => fields.approveAfterDays],
  enrollment: ['text', ({ fields }) => fields.enrollment],
  credits_per: ['text', ({ fields }) => fields.creditsPer],
  group_id: ['bigint', ({ fields }) => fields.groupId],
  tiers: ['jsonb', ({ stored }) => json(stored.tiers)],
  cap_per_order: ['bigint', ({ stored }) => stored.capPerOrder],
  cap_per_period: ['jsonb', ({ stored }) => json(stored.capPerPeriod)],
  line_filter: ['jsonb', ({ fields }) => json(fields.lineFilter)],
  minimum_order: ['bigint', ({ stored }) => stored.minimumOrder],
  collaborator_rewards: ['jsonb', ({ stored }) => json(stored.collaboratorRewards)],
  renewal_limit: ['jsonb', ({ fields }) => json(fields.renewalLimit)],
  renewal_rewards: ['jsonb', ({ stored }) => json(stored.renewalRewards)],
  holds: ['jsonb', ({ fields }) => json(fields.holds)],
});

/**
 * Returns the value as JSON. Null stays null, because the schema relies on `tiers is not null`, and a JSON null would
 * not be null in SQL.
 */
function json(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
