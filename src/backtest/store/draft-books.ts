import { EMPTY, FILL_DECISIONS } from '#attribution/store/scratch-books.ts';
import type { ConfigVersion, ProgramGroupId, ProgramId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { insertProgramVersion } from '#programs/store/programs.ts';
import { TOUCH } from '#tracking/store/touch.ts';
import type { Draft, DraftedProgram } from '../domain/draft.ts';
import { findPlainColumns } from './report-copies.ts';

/*
 * The books of one draft: the copied reports with the configuration of the draft, and no decisions that can be made
 * again.
 */

/** The number that is added to the configuration versions of replaced terms, so that no event uses them. */
const NEVER = 2 ** 51;

/** A drafted program with its id in the books of the draft. */
export type PlacedProgram = DraftedProgram & { readonly id: ProgramId; readonly isNew: boolean };

/** Removes the decisions and the configuration of the previous draft. */
export async function clearDraft({ connection }: Tenant<Connection>): Promise<void> {
  const tables = [
    'conversions',
    'engagements',
    'explanations',
    'jobs',
    ...EMPTY,
    ...CONFIGURATION,
    'programs',
    'left_out',
    'engaged_triples',
  ];
  // The schema is explicit, so that the statement can never empty a real table.
  await connection.query(`truncate ${tables.map((table) => `pg_temp.${table}`).join(', ')}`);
}

const CONFIGURATION = ['program_versions', 'program_group_versions', 'enrollments'] as const;

/**
 * Writes the configuration of a draft: the recorded configuration, in which the drafted programs always have the terms
 * of the draft. The recorded versions of these programs remain, because conversions that are not decided again refer to
 * them. Returns the drafted programs with their ids.
 */
export async function configureDraft(tenant: Tenant<Connection>, draft: Draft): Promise<PlacedProgram[]> {
  const { connection, organizationId } = tenant;
  for (const table of CONFIGURATION) {
    const columns = await findPlainColumns(connection, table);
    await connection.query(`insert into pg_temp.${table} (${columns}) select ${columns} from recorded_${table}`);
  }
  const { rows } = await connection.query<{ last: ProgramId | null }>(
    'select max(program_id) as last from program_versions',
  );
  let next = rows[0]?.last ?? 0;
  const placed = draft.programs.map((program): PlacedProgram => {
    const isNew = program.programId === null;
    return { ...program, isNew, id: program.programId ?? ((next += 1) as ProgramId) };
  });
  for (const { id, terms, enrolled } of placed) {
    const { rows: replaced } = await connection.query<{ version: number }>(
      `update pg_temp.program_versions set config_version = config_version + ${NEVER}
       where organization_id = $1 and program_id = $2 returning version`,
      [organizationId, id],
    );
    const version = 1 + Math.max(0, ...replaced.map((row) => row.version));
    await insertProgramVersion(tenant, id, version, 0 as ConfigVersion, terms);
    if (enrolled === null) continue;
    await connection.query('delete from pg_temp.enrollments where organization_id = $1 and program_id = $2', [
      organizationId,
      id,
    ]);
    await connection.query(
      `insert into pg_temp.enrollments (organization_id, program_id, collaborator_id, from_version)
       select $1, $2, e.id, 0 from unnest($3::bigint[]) as e (id)`,
      [organizationId, id, enrolled],
    );
  }
  const groupIds = placed.flatMap(({ terms }) => terms.groupId ?? []);
  if (groupIds.length > 0) await beginGroupsEarly(tenant, groupIds);
  return placed;
}

/** Makes the first version of each group apply to all events, because a drafted program may be in a newer group. */
async function beginGroupsEarly(
  { connection, organizationId }: Tenant<Connection>,
  groupIds: readonly ProgramGroupId[],
): Promise<void> {
  await connection.query(
    `update pg_temp.program_group_versions v set config_version = 0
     where v.organization_id = $1 and v.group_id = any ($2::bigint[]) and v.config_version = (
       select min(config_version) from recorded_program_group_versions f
       where f.organization_id = $1 and f.group_id = v.group_id)`,
    [organizationId, groupIds],
  );
}

/**
 * Fills the books of a draft with the reports, the engagements that result from the draft's terms, and the decisions
 * that are not made again. Calls `onStatement` before each statement.
 */
export async function fillDraft(
  { connection, organizationId }: Tenant<Connection>,
  placed: readonly PlacedProgram[],
  onStatement: () => void,
): Promise<void> {
  const run = async (text: string, values: readonly unknown[]): Promise<void> => {
    onStatement();
    await connection.query(text, values);
  };
  const drafted = placed.map(({ id }) => id);
  await run('update pg_temp.visits set reason = recorded_reason where reason is distinct from recorded_reason', []);
  if (drafted.length > 0) {
    for (const text of JUDGE_VISITS) await run(text, [organizationId, drafted]);
    // Only an existing program can lose touches.
    if (placed.some(({ isNew }) => !isNew)) await run(DISENGAGE_VISITS, [organizationId, drafted]);
    await run(TRIPLES_OF_DRAFT, [organizationId, drafted]);
  }
  await run(RECORDED_TRIPLES, [drafted]);
  await run('insert into pg_temp.left_out select $1, transaction_id from chosen where not is_decided', [
    organizationId,
  ]);
  for (const text of [...FILL_DECISIONS, LINK_ENGAGEMENTS, ADD_COMPLETING_JOBS]) await run(text, [organizationId]);
}

/** SQL that is true if a touch `v` counts for one of the programs in `programs`, a relation with `program_id`. */
const touches = (programs: string): string => `exists (
  select from ${programs} p
  cross join lateral (select v.organization_id, p.program_id, v.collaborator_id) g
  cross join ${TOUCH}
)`;

/** SQL that is true if a drafted program counts touches such as `v`, for at least some collaborators. */
const IS_LISTENED_FOR = `exists (
  select from program_versions p
  where p.organization_id = $1 and p.program_id = any ($2::bigint[]) and p.config_version = 0 and p.status = 'active'
    and p.triggers ? coalesce(v.trigger, 'site-visit')
)`;

const DRAFTED = '(select unnest($2::bigint[]) as program_id)';

/** Statements that engage touches which belong to no engagement, if they count for a drafted program. */
const JUDGE_VISITS = [
  `update pg_temp.visits v set reason = null
   where v.organization_id = $1 and v.reason in ('no-program', 'not-enrolled') and ${touches(DRAFTED)}`,
  `update pg_temp.visits v set reason = 'not-enrolled'
   where v.organization_id = $1 and v.reason = 'no-program' and ${IS_LISTENED_FOR}`,
];

/** A statement that disengages touches which count neither for a drafted program nor for another program. */
const DISENGAGE_VISITS = `
update pg_temp.visits v set reason = case when ${IS_LISTENED_FOR} then 'not-enrolled' else 'no-program' end
where v.organization_id = $1 and v.reason is null and not ${touches(DRAFTED)}
  and not ${touches('(select distinct program_id from program_versions where program_id <> all ($2::bigint[]))')}`;

const TRIPLES_OF_DRAFT = `
insert into engaged_triples
select distinct $1::bigint, v.opportunity_id, p.program_id, v.collaborator_id
from visits v
cross join ${DRAFTED} p
cross join lateral (select v.organization_id, p.program_id, v.collaborator_id) g
cross join ${TOUCH}
where v.organization_id = $1 and v.reason is null`;

const RECORDED_TRIPLES = `
insert into engaged_triples
select distinct organization_id, opportunity_id, program_id, collaborator_id from recorded_engagements
where program_id <> all ($1::bigint[])`;

/** Links conversions that are not decided again to the engagements of the draft, for the renewals of their sales. */
const LINK_ENGAGEMENTS = `
update pg_temp.conversions c set engagement_id = g.id
from recorded_conversions r, recorded_engagements e, engagements g
where c.organization_id = $1 and c.type <> 'manual'
  and r.organization_id = $1 and r.transaction_id = c.transaction_id and r.program_id = c.program_id
  and r.collaborator_id = c.collaborator_id and r.type = c.type
  and e.organization_id = $1 and e.id = r.engagement_id
  and g.organization_id = $1 and g.opportunity_id = e.opportunity_id and g.program_id = e.program_id
  and g.collaborator_id = e.collaborator_id`;

/** Adds jobs for the recorded decisions that completed engagements, at the position of these decisions. */
const ADD_COMPLETING_JOBS = `
insert into pg_temp.jobs (organization_id, event_id, transaction_id, type, run_at)
select $1, e.id, e.transaction_id, e.type, '-infinity'
from chosen c
join events e on e.organization_id = $1 and e.id = c.event_id
where c.completes`;
