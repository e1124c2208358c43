import type { ReactNode } from 'react';
import { ViewNote } from './currency-view.tsx';
import { FigureStats } from './figure-stats.tsx';
import { PeriodChart } from './period-chart.tsx';
import type { Scope } from './period-figures.ts';
import { PeriodControls } from './period-controls.tsx';
import { type ChartState, type PeriodState, type PeriodView, usePeriodView } from './period-view.ts';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';

type ScopedFiguresProps = {
  /** The partner or the program. It must be the same object in each render. */
  readonly scope: Scope;
  readonly state: PeriodState & ChartState;
  readonly onChange: (patch: Partial<PeriodState & ChartState>, options?: { readonly replace?: boolean }) => void;
  /** Further results of the period. */
  readonly children: (shown: PeriodView) => ReactNode;
};

/** Shows the figures of a partner or a program in the chosen period, as the overview does for all. */
export function ScopedFigures({ scope, state, onChange, children }: ScopedFiguresProps) {
  const shown = usePeriodView(state, scope);
  const { period, comparedPeriod, view, known, now, totals } = shown;
  return (
    <Stack gap={4}>
      <Row justify="end">
        <PeriodControls shown={shown} compare={state.compare} onChange={onChange} />
      </Row>
      {totals.error !== null ? (
        <ErrorPanel error={totals.error} onRetry={() => void totals.refetch()} />
      ) : (
        <>
          <FigureStats shown={shown} scope={scope} />
          <ViewNote view={known} row={now} />
          <PeriodChart
            period={period}
            before={comparedPeriod}
            view={view}
            measure={state.measure}
            interval={state.interval}
            scope={scope}
            onChange={onChange}
          />
        </>
      )}
      {children(shown)}
    </Stack>
  );
}
