import type { BacktestId } from '#core/ids.ts';
import type { Database } from '#platform/postgres/database.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import type { BacktestStatus } from '../domain/backtest-run.ts';
import { type Backtest, backtests, backtestSummaries, cancelUnfinished } from '../store/backtests.ts';

export type Cancellation =
  | { readonly kind: 'canceled' | 'unchanged'; readonly backtest: Backtest }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ended'; readonly status: BacktestStatus };

/** Cancels a backtest that is queued or running. The process that runs it notices the change and stops it. */
export function cancelBacktest(tenant: Tenant<Database>, id: BacktestId): Promise<Cancellation> {
  return inTenantTransaction(tenant, async (tenant): Promise<Cancellation> => {
    const isCanceled = await cancelUnfinished(tenant, id);
    const found = await readOne(tenant, backtestSummaries, { id });
    if (found === undefined) return { kind: 'unknown' };
    // Read no more of an ended backtest, because its result can be long.
    if (found.status !== 'canceled') return { kind: 'ended', status: found.status };
    const backtest = (await readOne(tenant, backtests, { id })) as Backtest;
    return { kind: isCanceled ? 'canceled' : 'unchanged', backtest };
  });
}
