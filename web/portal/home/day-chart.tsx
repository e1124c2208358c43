import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { earnedIn, type Figure, figuresQuery } from '../period.ts';
import { home } from './home-texts.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { formatMoney, symbolOf } from '#web/ui/formats/money.ts';
import { formatCompact, formatCount } from '#web/ui/formats/numbers.ts';
import { periodBefore, periodText } from '#web/ui/formats/periods.ts';
import { addDays, dayOf, type Period } from '#web/ui/formats/time.ts';
import { LineChart, pointOf, type Series } from '#web/ui/chart/line-chart.tsx';
import { Segmented } from '#web/ui/controls/segmented.tsx';
import { useApi } from '#web/ui/shell/api.tsx';

const texts = home.figures;

type Measure = 'earned' | 'conversions' | 'visits';

type DayChartProps = {
  readonly period: Period;
  readonly currency: string;
  readonly measure: Measure;
  readonly onMeasure: (measure: Measure) => void;
};

const OPTIONS = (['earned', 'conversions', 'visits'] as const).map((value) => ({
  value,
  label: texts.measures[value],
}));

/** Shows one figure by day, with the preceding period behind it. */
export function DayChart({ period, currency, measure, onMeasure }: DayChartProps) {
  const api = useApi();
  const { data: now } = useQuery(figuresQuery(api, 'day', period));
  const { data: before } = useQuery(figuresQuery(api, 'day', periodBefore(period)));
  const [today] = useState(() => dayOf(Date.now()));
  const points = useMemo(() => now?.rows.map((row) => pointOf(dayIn(row), 'day', today)), [now, today]);
  const series = useMemo<Series[]>(() => {
    const rows = now?.rows ?? [];
    // The preceding period can have fewer days.
    const earlier = rows.map((_, at) => before?.rows[at]);
    // Put the current period first, because the chart draws the first line in the brand's color.
    return [
      { label: texts.measures[measure], values: rows.map((row) => measureOf(row, measure, currency)) },
      {
        label: before === undefined ? '' : periodText(before),
        values: earlier.map((row) => (row ? measureOf(row, measure, currency) : null)),
        dates: earlier.map((row) => (row ? periodText(dayIn(row)) : '')),
        before: true,
      },
    ];
  }, [now, before, measure, currency]);
  const isMoney = measure === 'earned';
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
        points={points}
        series={series}
        format={format}
        formatAxis={formatAxis}
        height={200}
      />
    </Card>
  );
}

function dayIn({ day: from = '' }: Figure): Period {
  return { from, until: addDays(from, 1) };
}

function measureOf(figure: Figure, measure: Measure, currency: string): number {
  return measure === 'earned' ? earnedIn(figure, currency) : figure[measure];
}
