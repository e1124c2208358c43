import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { overview as texts } from './overview-texts.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { formatMoney, symbolOf } from '#web/ui/formats/money.ts';
import { formatCompact, formatCount } from '#web/ui/formats/numbers.ts';
import { type Period, periodBefore } from '#web/ui/formats/time.ts';
import { LineChart, type Series } from '#web/ui/chart/line-chart.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Segmented } from '#web/ui/controls/segmented.tsx';
import { figuresQuery, measured, type Measure } from './period-figures.ts';

type DayChartProps = {
  readonly period: Period;
  readonly currency: string;
  readonly measure: Measure;
  readonly onMeasure: (measure: Measure) => void;
};

const OPTIONS = (['revenue', 'earned', 'sales', 'visits'] as const).map((value) => ({
  value,
  label: texts.measures[value],
}));

/** Shows one figure by day, with the preceding period behind it. */
export function DayChart({ period, currency, measure, onMeasure }: DayChartProps) {
  const api = useApi();
  const { data: now } = useQuery(figuresQuery(api, 'day', period));
  const { data: before } = useQuery(figuresQuery(api, 'day', periodBefore(period)));
  const days = useMemo(() => now?.rows.map(({ day }) => day ?? ''), [now]);
  const series = useMemo<Series[]>(
    () => [
      {
        label: texts.periodBefore,
        values: (before?.rows ?? []).map((row) => measured(row, measure, currency)),
        before: true,
      },
      { label: texts.measures[measure], values: (now?.rows ?? []).map((row) => measured(row, measure, currency)) },
    ],
    [now, before, measure, currency],
  );
  const isMoney = measure === 'revenue' || measure === 'earned';
  const format = useCallback(
    (value: number) => (isMoney ? formatMoney(value, currency) : formatCount(value)),
    [isMoney, currency],
  );
  const formatAxis = useCallback(
    (value: number) => (isMoney ? symbolOf(currency) + formatCompact(value / 100) : formatCompact(value)),
    [isMoney, currency],
  );
  return (
    <Card
      title={texts.byDay}
      actions={<Segmented label={texts.measure} options={OPTIONS} value={measure} onChange={onMeasure} />}
    >
      <LineChart
        label={texts.chart(texts.measures[measure])}
        days={days}
        series={series}
        format={format}
        formatAxis={formatAxis}
      />
    </Card>
  );
}
