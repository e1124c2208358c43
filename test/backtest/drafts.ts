import assert from 'node:assert/strict';
import type { Compared, DraftResult } from '#backtest/domain/backtest.ts';
import type { BacktestPeriod, DraftedProgram } from '#backtest/domain/draft.ts';
import {
  type BacktestControl,
  type BacktestOutcome,
  type BacktestRequest,
  runBacktest,
} from '#backtest/reactions/run-backtest.ts';
import type { OrganizationId, ProgramId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import type { Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { findCurrentProgram } from '#programs/store/programs.ts';

/** A period with all transactions. */
export const ALL_TIME: BacktestPeriod = { from: 0 as Instant, until: (Date.UTC(2200, 0, 1) * 1_000) as Instant };

type Terms = DraftedProgram['terms'];

/** Functions for drafts and backtests of one organization. */
export type Backtests = {
  readonly terms: (programId: number) => Promise<Terms>;
  /** Returns a draft that changes an existing program. */
  readonly changed: (programId: number, change: Partial<Terms>) => Promise<DraftedProgram>;
  /** Runs a backtest of one draft and returns its result. */
  readonly run: (programs: readonly DraftedProgram[], period?: BacktestPeriod) => Promise<DraftResult>;
};

export function openBacktests(database: Database, organizationId: OrganizationId): Backtests {
  const terms = async (programId: number): Promise<Terms> => {
    const found = await inTenantTransaction({ connection: database, organizationId }, (tenant) =>
      findCurrentProgram(tenant, programId as ProgramId),
    );
    assert.ok(found);
    return found.fields;
  };
  return {
    terms,
    changed: async (programId, change) => ({
      programId: programId as ProgramId,
      terms: { ...(await terms(programId)), ...change },
      enrolled: null,
    }),
    run: async (programs, period = ALL_TIME) => {
      const outcome = await runAlone(
        { connection: database, organizationId },
        { period, drafts: [{ name: 'draft', programs }] },
      );
      assert.equal(outcome.kind, 'done');
      assert.ok(outcome.kind === 'done');
      return outcome.drafts[0] as DraftResult;
    },
  };
}

/** Runs a backtest on a connection of its own, which is closed afterwards. */
export async function runAlone(
  { connection: database, organizationId }: Tenant<Database>,
  request: BacktestRequest,
  control?: BacktestControl,
): Promise<BacktestOutcome> {
  const connection = await database.connect();
  try {
    return await runBacktest({ connection, organizationId }, request, control);
  } finally {
    connection.release(true);
  }
}

/** Returns the recorded and the drafted commissions of rows, as numbers. */
export function amountsOf(rows: readonly Compared[]): (readonly [number, number])[] {
  return rows.map(({ recorded, drafted }) => [Number(recorded), Number(drafted)] as const);
}
