import { jsonText } from '#core/contract/json-text.ts';
import type { OrganizationId } from '#core/ids.ts';
import type { Connection, Database } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { draftOf, MAX_RUNS, progressPercent } from '../domain/backtest-run.ts';
import { separateNames } from '../domain/stored-result.ts';
import {
  claimBacktest,
  type ClaimedBacktest,
  findWaiting,
  lockBacktests,
  requeue,
  saveFailure,
  saveProgress,
  saveResult,
} from '../store/backtests.ts';
import { type BacktestOutcome, type BacktestProgress, runBacktest } from './run-backtest.ts';

export type Backtests = {
  /** Starts running the backtests that are queued. If a backtest is running, looks again afterwards. */
  readonly wake: () => void;
  /** Stops the running backtest and queues it again. */
  readonly stop: () => Promise<void>;
};

export type BacktestsOptions = {
  /** Called between the batches of a backtest. The backtest continues once the promise resolves. */
  readonly pause: () => Promise<void>;
  /** Called if a backtest or the database fails. The backtest is run at most MAX_RUNS times in total. */
  readonly onFailure: (error: unknown) => void;
};

/** The interval at which the progress is stored and a cancellation is noticed, in milliseconds. */
const PROGRESS_MS = 500;

/**
 * Runs the queued backtests of all organizations one after another, whenever it is woken. `sessions` is a separate
 * pool, because a backtest needs a connection for a long time. Progress and results are written with `database`.
 *
 * The connection of a backtest has the lock of its organization. If the process ends, the database closes the
 * connection, and another process runs the backtest again from the beginning. Nothing else has to be undone, because a
 * backtest writes only temporary tables.
 */
export function startBacktests(
  { database, sessions }: { readonly database: Database; readonly sessions: Database },
  { pause, onFailure }: BacktestsOptions,
): Backtests {
  let asked = false;
  let working: Promise<void> | undefined;
  const stopping = new AbortController();

  return {
    wake,
    stop: async () => {
      stopping.abort();
      await working;
    },
  };

  function wake(): void {
    asked = true;
    working ??= workWhileAsked();
  }

  /** Never rejects. The poller wakes it again for backtests that are still queued or running. */
  async function workWhileAsked(): Promise<void> {
    try {
      while (asked && !stopping.signal.aborted) {
        asked = false;
        for (const organizationId of await findWaiting(database)) {
          if (stopping.signal.aborted) break;
          // An organization whose backtest fails must not delay the others.
          if (!(await runNext(organizationId).catch(fail))) continue;
          asked = true;
          break;
        }
      }
    } catch (error) {
      onFailure(error);
    } finally {
      working = undefined;
    }
  }

  function fail(error: unknown): boolean {
    onFailure(error);
    return false;
  }

  /** Runs the next backtest of an organization. Returns false if it has none, or if another process runs one. */
  async function runNext(organizationId: OrganizationId): Promise<boolean> {
    const connection = await sessions.connect();
    let isLocked = false;
    try {
      isLocked = await lockBacktests({ connection, organizationId });
      if (!isLocked) return false;
      const claimed = await claimBacktest({ connection: database, organizationId });
      if (claimed === undefined) return false;
      await run({ connection, organizationId }, claimed);
      return true;
    } finally {
      // Closing the session releases its lock, and removes its temporary tables and its plans that use them.
      connection.release(isLocked);
    }
  }

  async function run(tenant: Tenant<Connection>, claimed: ClaimedBacktest): Promise<void> {
    const own = { connection: database, organizationId: tenant.organizationId };
    if (claimed.attempts > MAX_RUNS) return saveFailure(own, claimed, 'interrupted');
    const progress = followProgress(own, claimed);
    const { signal } = progress;
    try {
      const request = {
        period: claimed.period,
        drafts: claimed.drafts.map((draft) => draftOf(claimed.programId, draft)),
      };
      const outcome = await runBacktest(tenant, request, { pause, onProgress: progress.note, signal });
      await progress.end();
      await save(own, claimed, outcome);
    } catch (error) {
      await progress.end();
      if (!signal.aborted) throw error;
      if (stopping.signal.aborted) await requeue(own, claimed);
    }
  }

  /** Stores the progress regularly. Aborts `signal` once the attempt is no longer running, or this process stops. */
  function followProgress(tenant: Tenant<Database>, claimed: ClaimedBacktest) {
    const canceled = new AbortController();
    let percent = 0;
    let storing: Promise<void> | undefined;
    const timer = setInterval(() => {
      storing ??= store().finally(() => {
        storing = undefined;
      });
    }, PROGRESS_MS);
    return {
      signal: AbortSignal.any([canceled.signal, stopping.signal]),
      note: (progress: BacktestProgress): void => {
        percent = progressPercent(progress);
      },
      end: async (): Promise<void> => {
        clearInterval(timer);
        await storing;
      },
    };

    async function store(): Promise<void> {
      try {
        if (!(await saveProgress(tenant, claimed, percent))) canceled.abort();
      } catch (error) {
        // If the database is unavailable, the backtest itself fails as well.
        onFailure(error);
      }
    }
  }
}

async function save(tenant: Tenant, claimed: ClaimedBacktest, outcome: BacktestOutcome): Promise<void> {
  switch (outcome.kind) {
    case 'done': {
      const { decided, leftOut } = outcome;
      const { drafts, namedIds } = separateNames(outcome.drafts);
      return saveResult(tenant, claimed, jsonText({ decided, leftOut, drafts }), namedIds);
    }
    case 'too-large':
      return saveFailure(tenant, claimed, 'result-too-large');
    case 'too-many':
      return saveFailure(tenant, claimed, 'too-many-transactions');
    case 'too-long':
      return saveFailure(tenant, claimed, 'copy-took-too-long');
    default:
      outcome satisfies never;
  }
}
