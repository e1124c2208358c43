import type { BacktestId, CollaboratorId, OrganizationId, ProgramId } from '#core/ids.ts';
import { jsonText } from '#core/contract/json-text.ts';
import type { Instant } from '#core/instant.ts';
import type { Connection, Database, Queryable } from '#platform/postgres/database.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { readTerms, storeTerms } from '#programs/store/program-versions.ts';
import type { StoredFields } from '#programs/store/programs.ts';
import { type BacktestFailure, type BacktestStatus, type NamedDraft, MAX_ENDED } from '../domain/backtest-run.ts';
import type { BacktestPeriod } from '../domain/draft.ts';
import type { StoredResult } from '../domain/stored-result.ts';

export type BacktestSummary = {
  readonly id: BacktestId;
  readonly programId: ProgramId | null;
  readonly programVersion: number | null;
  readonly from: string;
  readonly until: string;
  readonly status: BacktestStatus;
  readonly progress: number;
  readonly failure: BacktestFailure | null;
  readonly draftNames: readonly string[];
  readonly author: string;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
};

export type Backtest = Omit<BacktestSummary, 'draftNames'> & {
  readonly drafts: readonly NamedDraft[];
  readonly result: StoredResult | null;
};

const SUMMARY = `b.organization_id, b.id, b.program_id as "programId", b.program_version as "programVersion",
  to_char(b.from_day, 'YYYY-MM-DD') as "from", to_char(b.until_day, 'YYYY-MM-DD') as "until", b.status, b.progress,
  b.failure, b.author, b.created_at as "createdAt", b.started_at as "startedAt", b.ended_at as "endedAt"`;

export const backtestSummaries: Relation<BacktestSummary, BacktestSummary> = {
  query: `
    select ${SUMMARY}, array(select d ->> 'name' from jsonb_array_elements(b.drafts) d) as "draftNames"
    from backtests b`,
  key: 'id',
  sorts: { id: 'bigint', createdAt: 'timestamptz' },
  read: (row) => row,
};

/** A draft as it is stored. */
type StoredDraft = Omit<NamedDraft, 'terms'> & { readonly terms: StoredFields };

export const backtests: Relation<Omit<Backtest, 'drafts'> & { readonly drafts: readonly StoredDraft[] }, Backtest> = {
  query: `select ${SUMMARY}, b.drafts, b.result from backtests b`,
  key: 'id',
  sorts: { id: 'bigint' },
  firstSlice: 1,
  read: ({ drafts, ...row }) => ({ ...row, drafts: drafts.map(readDraft) }),
};

function readDraft({ terms, ...draft }: StoredDraft): NamedDraft {
  return { ...draft, terms: readTerms(terms) };
}

function storeDraft({ terms, ...draft }: NamedDraft): StoredDraft {
  return { ...draft, terms: { ...terms, ...storeTerms(terms) } };
}

export type NewBacktest = {
  readonly programId: ProgramId | null;
  readonly programVersion: number | null;
  readonly drafts: readonly NamedDraft[];
  readonly from: string;
  readonly until: string;
  readonly author: string;
};

export async function insertBacktest(
  { connection, organizationId }: Tenant<Connection>,
  { programId, programVersion, drafts, from, until, author }: NewBacktest,
): Promise<BacktestId> {
  const { rows } = await connection.query<{ id: BacktestId }>(
    `insert into backtests (organization_id, program_id, program_version, drafts, from_day, until_day, author)
     values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [organizationId, programId, programVersion, jsonText(drafts.map(storeDraft)), from, until, author],
  );
  return (rows[0] as { id: BacktestId }).id;
}

/** Returns the number of backtests that are queued or running. */
export async function countUnfinished({ connection, organizationId }: Tenant<Connection>): Promise<number> {
  const { rows } = await connection.query<{ count: number }>(
    `select count(*) as count from backtests where organization_id = $1 and status in ('queued', 'running')`,
    [organizationId],
  );
  return (rows[0] as { count: number }).count;
}

/** Deletes the oldest ended backtests, so that at most MAX_ENDED - 1 remain. */
export async function removeOldBacktests({ connection, organizationId }: Tenant<Connection>): Promise<void> {
  await connection.query(
    `delete from backtests where organization_id = $1 and id in (
       select id from backtests where organization_id = $1 and ended_at is not null order by id desc offset $2)`,
    [organizationId, MAX_ENDED - 1],
  );
}

/** Cancels a backtest that is queued or running. Returns whether there was one. */
export async function cancelUnfinished(
  { connection, organizationId }: Tenant<Connection>,
  id: BacktestId,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    `update backtests set status = 'canceled', ended_at = now()
     where organization_id = $1 and id = $2 and status in ('queued', 'running')`,
    [organizationId, id],
  );
  return rowCount === 1;
}

/**
 * Returns the organizations of the 100 oldest backtests that are queued or running, in the order of the backtests. Each
 * organization is returned once. Uses the index `backtests_waiting`.
 */
export async function findWaiting(database: Queryable): Promise<OrganizationId[]> {
  const { rows } = await database.query<{ organizationId: OrganizationId }>(
    `select organization_id as "organizationId"
     from backtests where status in ('queued', 'running') order by created_at limit 100`,
  );
  return [...new Set(rows.map(({ organizationId }) => organizationId))];
}

/**
 * Takes the lock for running backtests of an organization, if no other session has it. The lock belongs to the session
 * and is released when its connection is closed.
 */
export async function lockBacktests({ connection, organizationId }: Tenant): Promise<boolean> {
  const { rows } = await connection.query<{ taken: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
    [`backtests of ${organizationId}`],
  );
  return rows[0]?.taken === true;
}

/** A backtest that this process runs. The number of the attempt distinguishes it from later attempts. */
export type ClaimedBacktest = {
  readonly id: BacktestId;
  readonly attempts: number;
  readonly programId: ProgramId | null;
  readonly drafts: readonly NamedDraft[];
  readonly period: BacktestPeriod;
};

/**
 * Marks the organization's next backtest as running, and returns it: the backtest whose process was lost, or the oldest
 * queued one. Requires the lock for running backtests.
 */
export async function claimBacktest({
  connection,
  organizationId,
}: Tenant<Database>): Promise<ClaimedBacktest | undefined> {
  type Row = Omit<ClaimedBacktest, 'drafts' | 'period'> & {
    readonly drafts: readonly StoredDraft[];
    readonly from: Instant;
    readonly until: Instant;
  };
  const { rows } = await connection.query<Row>(
    `update backtests b set status = 'running', attempts = attempts + 1, progress = 0, started_at = now()
     from organizations o
     where o.id = $1 and b.organization_id = $1 and b.id = (
       select id from backtests where organization_id = $1 and status in ('queued', 'running')
       order by status = 'running' desc, id limit 1)
       and b.status in ('queued', 'running')
     returning b.id, b.attempts, b.program_id as "programId", b.drafts,
       (extract(epoch from b.from_day::timestamp at time zone o.time_zone) * 1000000)::bigint as "from",
       (extract(epoch from b.until_day::timestamp at time zone o.time_zone) * 1000000)::bigint as "until"`,
    [organizationId],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { drafts, from, until, ...claimed } = row;
  return { ...claimed, drafts: drafts.map(readDraft), period: { from, until } };
}

type Attempt = Pick<ClaimedBacktest, 'id' | 'attempts'>;

/** SQL condition for an attempt that is still running. A canceled or restarted backtest doesn't match. */
const IS_RUNNING = `organization_id = $1 and id = $2 and attempts = $3 and status = 'running'`;

/** Stores the progress. Returns false if the attempt is no longer running, for example because it was canceled. */
export async function saveProgress(
  { connection, organizationId }: Tenant,
  { id, attempts }: Attempt,
  progress: number,
): Promise<boolean> {
  const { rowCount } = await connection.query(`update backtests set progress = $4 where ${IS_RUNNING}`, [
    organizationId,
    id,
    attempts,
    progress,
  ]);
  return rowCount === 1;
}

/**
 * Stores the result of an attempt, unless the attempt is no longer running. `named` are the collaborators in its texts.
 */
export async function saveResult(
  { connection, organizationId }: Tenant,
  { id, attempts }: Attempt,
  result: string,
  named: readonly CollaboratorId[],
): Promise<void> {
  await connection.query(
    `update backtests
     set status = 'succeeded', progress = 100, ended_at = now(), result = $4, named_ids = $5
     where ${IS_RUNNING}`,
    [organizationId, id, attempts, result, named],
  );
}

export async function saveFailure(
  { connection, organizationId }: Tenant,
  { id, attempts }: Attempt,
  failure: BacktestFailure,
): Promise<void> {
  await connection.query(`update backtests set status = 'failed', ended_at = now(), failure = $4 where ${IS_RUNNING}`, [
    organizationId,
    id,
    attempts,
    failure,
  ]);
}

/** Queues the backtest of an attempt again, because its process stops. The attempt doesn't count. */
export async function requeue({ connection, organizationId }: Tenant, { id, attempts }: Attempt): Promise<void> {
  await connection.query(
    `update backtests set status = 'queued', progress = 0, attempts = attempts - 1 where ${IS_RUNNING}`,
    [organizationId, id, attempts],
  );
}

/**
 * Deletes the backtests whose texts name a collaborator. Queues a running backtest again, because its texts could
 * contain the name as well.
 */
export async function removeNamesFromBacktests(
  { connection, organizationId }: Tenant<Connection>,
  collaboratorId: CollaboratorId,
): Promise<void> {
  await connection.query('delete from backtests where organization_id = $1 and named_ids @> array[$2::bigint]', [
    organizationId,
    collaboratorId,
  ]);
  await connection.query(
    `update backtests set status = 'queued', progress = 0 where organization_id = $1 and status = 'running'`,
    [organizationId],
  );
}
