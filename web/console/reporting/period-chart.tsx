import { useQuery } from '@tanstack/react-query';
import type { FigureRow } from '@whence/sdk';
import { useCallback, useMemo, useState } from 'react';
import { overview as texts } from './overview-texts.ts';
import { LineChart, pointOf, type Series } from '#web/ui/chart/line-chart.tsx';
import { useLinks } from '#web/ui/controls/links.ts';
import { Segmented } from '#web/ui/controls/segmented.tsx';
import { formatMoney, symbolOf } from '#web/ui/formats/money.ts';
import { formatCompact, formatCount } from '#web/ui/formats/numbers.ts';
import { correspondingIntervals, type Interval, intervalsOf, periodText } from '#web/ui/formats/periods.ts';
import { dayOf, type Period } from '#web/ui/formats/time.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { clicksHref, conversionsHref, salesHref } from './figure-links.ts';
import { ALL, figuresQuery, type Measure, measureOf, type Scope, type View } from './period-figures.ts';

type PeriodChartProps = {
  readonly period: Period;
  /** The period to compare with, or undefined for none. */
  readonly before: Period | undefined;
  readonly view: View;
  readonly measure: Measure;
  readonly interval: Interval;
  readonly scope?: Scope | undefined;
  readonly onChange: (
    change: { readonly measure: Measure } | { readonly interval: Interval },
    options: { readonly replace: true },
  ) => void;
};

const MEASURES = (['revenue', 'earned', 'sales', 'visits'] as const).map((value) => ({
  value,
  label: texts.measures[value],
}));
const INTERVALS = (['day', 'week', 'month'] as const).map((value) => ({ value, label: texts.intervals[value] }));

/**
 * Shows one figure by day, week or month, with the period of comparison behind it. If the figure has a list, a click on
 * a point opens the list of the clicks, sales or commissions that it counts.
 */
export function PeriodChart(props: PeriodChartProps) {
  const { period, before, view, measure, interval, scope = ALL, onChange } = props;
  const { currency, converted } = view;
  const asked = { ...scope, converted };
  const api = useApi();
  const { navigate } = useLinks();
  const [today] = useState(() => dayOf(Date.now()));
  const { data: now } = useQuery(figuresQuery(api, 'day', period, asked));
  const { data: compared } = useQuery({
    ...figuresQuery(api, 'day', before ?? period, asked),
    enabled: before !== undefined,
  });
  const intervals = useMemo(() => intervalsOf(period, interval), [period, interval]);
  const points = useMemo(
    () => now && intervals.map((each) => pointOf(each, interval, today)),
    [now, intervals, interval, today],
  );
  const series = useMemo<Series[]>(() => {
    const valueOf = (rows: readonly FigureRow[], of: Period): number =>
      rows
        .filter(({ day = '' }) => of.from <= day && day < of.until)
        .reduce((sum, row) => sum + measureOf(row, measure, { currency, converted }), 0);
    const parts = before === undefined ? [] : correspondingIntervals(before, intervals, interval);
    return [
      { label: texts.measures[measure], values: intervals.map((each) => valueOf(now?.rows ?? [], each)) },
      ...(before === undefined
        ? []
        : [
            {
              label: periodText(before),
              values: parts.map((part) => (part && compared ? valueOf(compared.rows, part) : null)),
              dates: parts.map((part) => (part ? periodText(part) : '')),
              before: true,
            },
          ]),
    ];
  }, [now, compared, before, intervals, interval, measure, currency, converted]);
  const isMoney = measure === 'revenue' || measure === 'earned';
  const format = useCallback(
    (value: number) => (isMoney ? `${converted ? '≈ ' : ''}${formatMoney(value, currency)}` : formatCount(value)),
    [isMoney, currency, converted],
  );
  const formatAxis = useCallback(
    (value: number) => (isMoney ? symbolOf(currency) + formatCompact(value / 100) : formatCompact(value)),
    [isMoney, currency],
  );
  const open = useCallback(
    (at: number) => {
      const chosen = intervals[at];
      if (chosen !== undefined) navigate(hrefOf(chosen, measure, { currency, converted }, scope));
    },
    [navigate, intervals, measure, currency, converted, scope],
  );
  // The clicks of a program have no list.
  const hasList = measure !== 'visits' || scope.programId === undefined;
  return (
    <Card
      title={texts.byInterval[interval]}
      actions={
        <>
          <Segmented
            label={texts.interval}
            options={INTERVALS}
            value={interval}
            onChange={(chosen) => onChange({ interval: chosen }, { replace: true })}
          />
          <Segmented
            label={texts.measure}
            options={MEASURES}
            value={measure}
            onChange={(chosen) => onChange({ measure: chosen }, { replace: true })}
          />
        </>
      }
    >
      <LineChart
        label={texts.chart(texts.measures[measure], interval)}
        points={points}
        series={series}
        format={format}
        formatAxis={formatAxis}
        onChoose={hasList ? open : undefined}
      />
    </Card>
  );
}

function hrefOf(period: Period, measure: Measure, { currency, converted }: View, scope: Scope): string {
  const listed = { ...scope, period, ...(converted ? {} : { currency }) };
  switch (measure) {
    case 'visits':
      return clicksHref({ ...scope, period });
    case 'sales':
      return salesHref({ ...listed, type: 'sale' });
    case 'revenue':
      return salesHref(listed);
    case 'earned':
      return conversionsHref(listed);
    default:
      return measure satisfies never;
  }
}
