import type { BacktestSummary } from '@whence/sdk';
import { backtests as texts } from './backtests-texts.ts';
import { Badge, type Tone } from '#web/ui/controls/badge.tsx';

type Status = BacktestSummary['status'];

const TONES: Readonly<Record<Status, Tone>> = {
  queued: 'neutral',
  running: 'info',
  succeeded: 'good',
  failed: 'bad',
  canceled: 'neutral',
};

/** Shows the status of a backtest, with the progress while it is running. */
export function BacktestBadge({ backtest }: { readonly backtest: Pick<BacktestSummary, 'status' | 'progress'> }) {
  const { status, progress } = backtest;
  const label = texts.statuses[status];
  return <Badge tone={TONES[status]}>{status === 'running' ? `${label} · ${progress}%` : label}</Badge>;
}
