import type { BacktestId } from '#core/ids.ts';
import type { Database } from '#platform/postgres/database.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import type { BacktestStatus } from '../domain/backtest-run.ts';
import { type Backtest, backtests, cancelUnfinished } from '../store/backtests.ts';

export type Cancellation =
  | { readonly kind: 'canceled' | 'unchanged'; readonly backtest: Backtest }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ended'; readonly status: BacktestStatus };

/** Cancels a backtest that is queued or running. The process that runs it notices the change and stops it. */
export function cancelBacktest(tenant: Tenant<Database>, id: BacktestId): Promise<Cancellation> {
  return inTenantTransaction(tenant, async (tenant): Promise<Cancellation> => {
    const isCanceled = await cancelUnfinished(tenant, id);
    const backtest = await readOne(tenant, backtests, { id });
    if (backtest === undefined) return { kind: 'unknown' };
    if (backtest.status !== 'canceled') return { kind: 'ended', status: backtest.status };
    return { kind: isCanceled ? 'canceled' : 'unchanged', backtest };
  });
}
