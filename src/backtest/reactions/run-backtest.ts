import { completeAsRecorded } from '#attribution/reactions/apply-recorded.ts';
import type { ProgramVersionCache } from '#attribution/reactions/load-facts.ts';
import { isRevision, reactInRounds } from '#attribution/reactions/react-to-events.ts';
import { findManualRejections } from '#attribution/store/scratch-books.ts';
import { type EventId, MAX_ID } from '#core/ids.ts';
import { type Span, spanOf } from '#core/period.ts';
import { type Connection, planSteadily } from '#platform/postgres/database.ts';
import { isCanceled } from '#platform/postgres/failures.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { claimJobs } from '#platform/worker/jobs.ts';
import { isDecidedInOrder } from '#programs/store/decision-order.ts';
import type { DraftResult } from '../domain/backtest.ts';
import { MAX_RESULT_CHARACTERS, sizeOf } from '../domain/backtest-run.ts';
import { type BacktestPeriod, type Draft, MAX_BACKTESTED, MAX_DEPENDENCIES, MAX_SNAPSHOT_MS } from '../domain/draft.ts';
import { clearDraft, configureDraft, fillStatements } from '../store/draft-books.ts';
import { findCompleting, recordOutcomes, saveOutcomes } from '../store/outcomes.ts';
import { copyReports } from '../store/report-copies.ts';
import {
  beginCopies,
  chooseCounted,
  chooseDependencies,
  choosePeriod,
  countCopied,
  type CountedProgram,
  findCountedPrograms,
  findDecidedSpan,
} from '../store/selection.ts';
import { compareDraft } from './compare-draft.ts';

export type BacktestRequest = { readonly period: BacktestPeriod; readonly drafts: readonly Draft[] };

export type BacktestOutcome =
  | {
      readonly kind: 'done';
      /** The number of transactions in the period that were decided again. */
      readonly decided: number;
      /** The number of transactions in the period that keep their recorded decisions. */
      readonly leftOut: number;
      readonly drafts: readonly DraftResult[];
    }
  /** The period has more than MAX_BACKTESTED transactions, or depends on more than MAX_DEPENDENCIES others. */
  | { readonly kind: 'too-many' }
  /** The result would have more than MAX_RESULT_CHARACTERS. */
  | { readonly kind: 'too-large' }
  /** The copying took longer than MAX_SNAPSHOT_MS, or one of its statements exceeded its own time limit. */
  | { readonly kind: 'too-long' };

/** The progress in decided transactions, of all drafts together. */
export type BacktestProgress = { readonly decided: number; readonly total: number };

export type BacktestControl = {
  /**
   * Called while no transaction is open: after each batch, each statement that fills books, and each draft. The
   * backtest continues once the promise resolves.
   */
  readonly pause?: () => Promise<void>;
  readonly onProgress?: (progress: BacktestProgress) => void;
  /** Stops the backtest before the next statement or batch. The promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  readonly limits?: typeof DEFAULTS;
};

const DEFAULTS = {
  backtested: MAX_BACKTESTED as number,
  dependencies: MAX_DEPENDENCIES as number,
  snapshotMs: MAX_SNAPSHOT_MS as number,
  resultCharacters: MAX_RESULT_CHARACTERS as number,
};

/** The maximum number of events that are decided in one transaction. */
const BATCH_SIZE = 500;
/** The number of events of the first batch. */
const FIRST_BATCH_SIZE = 50;
/**
 * The duration in milliseconds above which the next batch has half as many events. After a shorter batch, it has twice
 * as many, up to BATCH_SIZE.
 */
const SLOW_BATCH_MS = 250;

/**
 * Decides the transactions of a period again with the terms of each draft, and compares the commissions with the books.
 * Writes only temporary tables of the connection. The caller must close the connection afterwards, because its
 * temporary tables and its plans remain until then.
 *
 * First copies the needed reports in one snapshot. Then decides them in batches without the snapshot.
 */
export async function runBacktest(
  tenant: Tenant<Connection>,
  request: BacktestRequest,
  control: BacktestControl = {},
): Promise<BacktestOutcome> {
  const { pause = async () => {}, onProgress = () => {}, signal, limits = DEFAULTS } = control;
  const { connection } = tenant;
  const copied = await copyInSnapshot(tenant, request, limits, signal);
  if (copied !== 'copied') return { kind: copied };
  const { decided, leftOut, members } = await inStep(connection, 'read only', () => countCopied(tenant));
  const total = decided * request.drafts.length;
  const drafts: DraftResult[] = [];
  let size = 0;
  for (const draft of request.drafts) {
    await decideDraft(tenant, draft, {
      members,
      pause,
      signal,
      onDecided: (number) => onProgress({ decided: decided * drafts.length + number, total }),
    });
    signal?.throwIfAborted();
    const result = await inStep(connection, 'read write', () => compareDraft(tenant, draft.name, signal));
    size += sizeOf(result);
    if (size > limits.resultCharacters) return { kind: 'too-large' };
    drafts.push(result);
    await pause();
  }
  return { kind: 'done', decided, leftOut, drafts };
}

class SnapshotTooLong extends Error {}

async function copyInSnapshot(
  tenant: Tenant<Connection>,
  { period, drafts }: BacktestRequest,
  limits: typeof DEFAULTS,
  signal: AbortSignal | undefined,
): Promise<'copied' | 'too-many' | 'too-long'> {
  const deadline = performance.now() + limits.snapshotMs;
  const check = (): void => {
    signal?.throwIfAborted();
    if (performance.now() > deadline) throw new SnapshotTooLong();
  };
  try {
    check();
    await beginCopies(tenant.connection);
    if ((await choosePeriod(tenant, period, limits.backtested + 1)) > limits.backtested) return 'too-many';
    check();
    const dependencies = await chooseDependencies(tenant);
    const counted = await chooseAllCounted(tenant, drafts, limits.dependencies + 1 - dependencies);
    if (dependencies + counted > limits.dependencies) return 'too-many';
    await copyReports(tenant, check);
    await recordOutcomes(tenant);
    await tenant.connection.query('commit');
    // Earlier plans of the connection use the real tables.
    await tenant.connection.query('discard plans');
    return 'copied';
  } catch (error) {
    // The database cancels a statement that exceeds its own time limit.
    if (error instanceof SnapshotTooLong || isCanceled(error)) return 'too-long';
    throw error;
  }
}

/** Selects the transactions that count for caps and tiers of recorded or drafted terms. Returns their number. */
async function chooseAllCounted(tenant: Tenant<Connection>, drafts: readonly Draft[], limit: number): Promise<number> {
  const decided = await findDecidedSpan(tenant);
  const drafted = drafts.flatMap(({ programs }) =>
    programs.flatMap(({ programId, terms: { tiers, capPerPeriod } }): CountedProgram[] =>
      programId === null
        ? []
        : [tiers, capPerPeriod].flatMap((each) => (each === null ? [] : [{ programId, period: each.period }])),
    ),
  );
  const counted = [...(await findCountedPrograms(tenant)), ...drafted];
  if (decided === undefined || counted.length === 0) return 0;
  const spans = counted.map(({ period }): Span => {
    const { startsAt } = spanOf(period, decided.startsAt);
    return { startsAt, endsAt: spanOf(period, decided.endsAt).endsAt };
  });
  const whole = spans.reduce((all, { startsAt, endsAt }) => ({
    startsAt: startsAt < all.startsAt ? startsAt : all.startsAt,
    endsAt: endsAt > all.endsAt ? endsAt : all.endsAt,
  }));
  const programIds = [...new Set(counted.map(({ programId }) => programId))];
  return chooseCounted(tenant, programIds, whole, limit);
}

type Deciding = {
  /** The number of copied opportunities. */
  readonly members: number;
  readonly pause: () => Promise<void>;
  readonly signal: AbortSignal | undefined;
  readonly onDecided: (decided: number) => void;
};

/** Fills the books of a draft and decides all their jobs, in the order of the events. */
async function decideDraft(
  tenant: Tenant<Connection>,
  draft: Draft,
  { members, pause, signal, onDecided }: Deciding,
): Promise<void> {
  const { connection } = tenant;
  const check = (): void => signal?.throwIfAborted();
  // A read-only transaction refuses `truncate`, even for temporary tables.
  await inStep(connection, 'read write', () => clearDraft(tenant));
  const placed = await inStep(connection, 'read only', () => configureDraft(tenant, draft));
  for (const { text, values } of fillStatements(tenant, placed, members)) {
    check();
    await inStep(connection, 'read only', () => connection.query(text, values));
    await pause();
  }
  const versions: ProgramVersionCache = new Map();
  const { isOrdered, bounds, completing } = await inStep(connection, 'read only', async () => {
    const isOrdered = await isDecidedInOrder(tenant);
    return {
      isOrdered,
      // A conversion that a person rejected doesn't count for later events, so no batch may extend past a rejection.
      bounds: isOrdered ? await findManualRejections(tenant) : [],
      completing: await findCompleting(tenant),
    };
  });
  const applyRecorded = completeAsRecorded(completing, versions);
  let decided = 0;
  let size = FIRST_BATCH_SIZE;
  for (const bound of [...bounds, MAX_ID as EventId]) {
    for (;;) {
      check();
      const startedAt = performance.now();
      const jobs = await inStep(connection, 'read only', async () => {
        const claimed = await claimJobs(tenant, size, bound);
        if (claimed.length === 0) return claimed;
        await reactInRounds(tenant, claimed, { isOrdered, versions, mayContinue: async () => true, applyRecorded });
        return claimed;
      });
      if (jobs.length === 0) break;
      const isTooLarge = performance.now() - startedAt > SLOW_BATCH_MS;
      size = isTooLarge ? Math.max(1, jobs.length >> 1) : Math.min(BATCH_SIZE, 2 * size);
      decided += jobs.filter((job) => !isRevision(job) && !completing.has(job.transactionId)).length;
      onDecided(decided);
      await pause();
    }
  }
  await inStep(connection, 'read only', () => saveOutcomes(tenant));
}

/**
 * Runs `work` in one transaction with steady plans. A read-only transaction can change rows of temporary tables, but of
 * no other tables.
 */
async function inStep<Result>(
  connection: Connection,
  access: 'read only' | 'read write',
  work: () => Promise<Result>,
): Promise<Result> {
  await connection.query(`begin ${access}`);
  await planSteadily(connection);
  const result = await work();
  await connection.query('commit');
  return result;
}
