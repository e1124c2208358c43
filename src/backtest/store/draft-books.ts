import { EMPTY, FILL_DECISIONS, FILL_ENGAGEMENTS } from '#attribution/store/scratch-books.ts';
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

/** Makes the first version of each given group apply to all events, because the group may be newer than the events. */
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

/** A statement that fills the books of a draft, with its parameters. */
export type FillStatement = { readonly text: string; readonly values: readonly unknown[] };

/**
 * Returns the statements that fill the books of a draft, in their order: the reasons of touches under the draft's
 * terms, the resulting engagements, and the decisions that are not made again. `members` is the highest number in the
 * table of opportunities. Each statement can have its own transaction.
 */
export function fillStatements(
  { organizationId }: Tenant<Connection>,
  placed: readonly PlacedProgram[],
  members: number,
): FillStatement[] {
  const drafted = placed.map(({ id }) => id);
  const ofDraft = (text: string): FillStatement => ({ text, values: [organizationId, drafted] });
  const chunks = Array.from({ length: Math.ceil(members / CHUNK) }, (_, n) => [n * CHUNK, (n + 1) * CHUNK]);
  const reasons = [
    {
      text: 'update pg_temp.visits set reason = recorded_reason where reason is distinct from recorded_reason',
      values: [],
    },
    ...(placed.length === 0 ? [] : JUDGE_VISITS.map(ofDraft)),
    // Only an existing program can lose touches.
    ...(placed.some(({ isNew }) => !isNew) ? [ofDraft(DISENGAGE_VISITS)] : []),
  ];
  const engagements = chunks.flatMap(([after, last]) => [
    { text: 'delete from pg_temp.engaged_triples', values: [] },
    ...(placed.length === 0 ? [] : [{ text: TRIPLES_OF_DRAFT, values: [organizationId, drafted, after, last] }]),
    { text: RECORDED_TRIPLES, values: [organizationId, drafted, after, last] },
    { text: FILL_ENGAGEMENTS, values: [organizationId] },
  ]);
  const decisions = [
    'insert into pg_temp.left_out select $1, transaction_id from chosen where not is_decided',
    ...FILL_DECISIONS,
    LINK_ENGAGEMENTS,
    ADD_COMPLETING_JOBS,
  ].map((text) => ({ text, values: [organizationId] }));
  return [...reasons, ...engagements, ...decisions];
}

/** The number of opportunities whose engagements one statement fills. */
const CHUNK = 5_000;

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

/**
 * Statements that judge touches without an engagement again. The first engages touches that count for a drafted
 * program. The second notes touches that the program would count only for enrolled collaborators.
 */
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
insert into pg_temp.engaged_triples
select distinct $1::bigint, v.opportunity_id, p.program_id, v.collaborator_id
from members m
cross join lateral (
  select * from visits v where v.organization_id = $1 and v.opportunity_id = m.id and v.reason is null offset 0
) v
cross join ${DRAFTED} p
cross join lateral (select v.organization_id, p.program_id, v.collaborator_id) g
cross join ${TOUCH}
where m.n > $3 and m.n <= $4`;

const RECORDED_TRIPLES = `
insert into pg_temp.engaged_triples
select distinct g.organization_id, g.opportunity_id, g.program_id, g.collaborator_id
from members m
cross join lateral (
  select * from recorded_engagements g where g.organization_id = $1 and g.opportunity_id = m.id offset 0
) g
where m.n > $3 and m.n <= $4 and g.program_id <> all ($2::bigint[])`;

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
