import { useMemo } from 'react';
import type { Order } from '../reporting/period-figures.ts';
import type { ChartState, PeriodState } from '../reporting/period-view.ts';
import { ScopedFigures } from '../reporting/scoped-figures.tsx';
import { LatestSales } from './latest-sales.tsx';
import { TopLinks } from './top-links.tsx';

type Shown = PeriodState & ChartState & { readonly highest: Order };

type ChartTabProps = {
  readonly collaboratorId: number;
  readonly state: Shown;
  readonly onChange: (patch: Partial<Shown>, options?: { readonly replace?: boolean }) => void;
};

/** Shows a partner's figures and links in a period, and the latest sales. */
export function ChartTab({ collaboratorId, state, onChange }: ChartTabProps) {
  const scope = useMemo(() => ({ collaboratorId }), [collaboratorId]);
  return (
    <ScopedFigures scope={scope} state={state} onChange={onChange}>
      {({ period, known }) => (
        <>
          {known && (
            <TopLinks
              collaboratorId={collaboratorId}
              period={period}
              view={known}
              highest={state.highest}
              onHighest={(highest) => onChange({ highest }, { replace: true })}
            />
          )}
          <LatestSales collaboratorId={collaboratorId} />
        </>
      )}
    </ScopedFigures>
  );
}
