import { useState } from 'react';
import { lastThirtyDays, thirtyDaysBefore } from '../last-days.ts';
import { PeriodChart } from '../reporting/period-chart.tsx';
import { currenciesOf, type Measure, USUAL_CURRENCY } from '../reporting/period-figures.ts';
import { Results, useFigures } from './results.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import type { Interval } from '#web/ui/formats/periods.ts';

/** Shows a chart of a partner's figures in the last 30 days. */
export function ChartTab({ collaboratorId }: { readonly collaboratorId: number }) {
  const [view, setView] = useState<{ measure: Measure; interval: Interval }>({ measure: 'revenue', interval: 'day' });
  const currency = currenciesOf(useFigures(collaboratorId, lastThirtyDays()))[0] ?? USUAL_CURRENCY;
  return (
    <Stack gap={4}>
      <Results collaboratorId={collaboratorId} />
      <PeriodChart
        {...{ collaboratorId, ...view }}
        view={{ currency, converted: false }}
        period={lastThirtyDays()}
        before={thirtyDaysBefore()}
        onChange={(change) => setView({ ...view, ...change })}
      />
    </Stack>
  );
}
