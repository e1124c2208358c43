import { ChartLine, Table2 } from 'lucide-react';
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { IconButton } from '../controls/button.tsx';
import styles from './chart.module.css';
import { classNames } from '../controls/class-names.ts';
import { formatCompact, formatCount } from '../formats/numbers.ts';
import { formatTime } from '../formats/time.ts';
import type { Plot } from './plot.ts';
import { Skeleton } from '../feedback/skeleton.tsx';
import { VisuallyHidden } from '../controls/text.tsx';
import { texts } from '../shell/texts.ts';

export type Series = {
  readonly label: string;
  /** One value per day, null for a day without a value. */
  readonly values: readonly (number | null)[];
  /** True for the preceding period, which is gray and dashed. */
  readonly before?: boolean | undefined;
};

export type LineChartProps = {
  /** The chart's name for screen readers. */
  readonly label: string;
  /** The UTC days in order, such as `2026-09-04`. Undefined while they load. */
  readonly days: readonly string[] | undefined;
  /** At most four series, plus the preceding period. */
  readonly series: readonly Series[];
  /** Formats a value. Default: as a count. */
  readonly format?: ((value: number) => string) | undefined;
  /** Formats a value briefly for the axis. */
  readonly formatAxis?: ((value: number) => string) | undefined;
  readonly height?: number | undefined;
  /** Controls next to the legend, to change the chart. */
  readonly actions?: ReactNode;
};

/** Shows figures by day, as lines or as a table. Arrow keys move between days, and screen readers get the values. */
export function LineChart({
  label,
  days,
  series,
  format = formatCount,
  formatAxis = formatCompact,
  height = 240,
  actions,
}: LineChartProps) {
  const [asTable, setAsTable] = useState(false);
  const [at, setAt] = useState<number>();
  const showTable = useCallback(() => setAsTable(true), []);
  const style = { '--chart-height': `${height}px` } as CSSProperties;
  if (days === undefined) return <Skeleton height={height + 38} />;
  const empty = days.length === 0 || series.every(({ values }) => values.every((value) => value === null));
  return (
    <figure className={styles.chart} style={style} aria-label={label}>
      <div className={styles.head}>
        <Legend days={days} series={series} at={at} format={format} />
        <div className={styles.actions}>
          {actions}
          <IconButton
            size="small"
            icon={asTable ? ChartLine : Table2}
            label={asTable ? texts.chart.showChart : texts.chart.showTable}
            onClick={() => setAsTable(!asTable)}
          />
        </div>
      </div>
      {empty ? (
        <p className={styles.empty}>{texts.chart.noData}</p>
      ) : asTable ? (
        <ChartTable label={label} days={days} series={series} format={format} />
      ) : (
        <Lines {...{ label, days, series, format, formatAxis, height, at, setAt }} onFailed={showTable} />
      )}
    </figure>
  );
}

type Shown = {
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
};

function Legend({ days, series, at, format }: Shown & { readonly at: number | undefined }) {
  return (
    <div className={styles.legend}>
      {at !== undefined && <span className={styles.key}>{dayText(days[at] ?? '')}</span>}
      {series.map((each, index) => {
        const value = at === undefined ? undefined : each.values[at];
        return (
          <span key={each.label} className={styles.key}>
            <span
              className={classNames(styles.line, each.before && styles.dashed, seriesClass(each, index))}
              aria-hidden
            />
            {each.label}
            {value !== undefined && value !== null && <strong>{format(value)}</strong>}
          </span>
        );
      })}
    </div>
  );
}

type LinesProps = Shown & {
  readonly label: string;
  readonly formatAxis: (value: number) => string;
  readonly height: number;
  readonly at: number | undefined;
  readonly setAt: (at: number | undefined) => void;
  readonly onFailed: () => void;
};

function Lines({ label, days, series, format, formatAxis, height, at, setAt, onFailed }: LinesProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot>(undefined);
  const newest = useRef({ days, series, formatAxis });
  const kinds = series.map(({ before }, index) => (before === true ? 'before' : `series${index}`)).join(' ');
  useEffect(() => {
    newest.current = { days, series, formatAxis };
    plot.current?.show(days, valuesOf(series));
  }, [days, series, formatAxis]);
  useEffect(() => {
    const element = place.current;
    let left = false;
    const draw = async () => {
      // The drawing code loads only on pages with a chart.
      const { drawPlot } = await import('./plot.ts');
      if (left || element === null) return;
      plot.current = drawPlot(element, {
        height,
        dashed: kinds.split(' ').map((kind) => kind === 'before'),
        colorClasses: kinds.split(' ').map((kind) => styles[kind] ?? ''),
        probeClass: styles.probe ?? '',
        formatAxis: (value) => newest.current.formatAxis(value),
        formatDay: dayText,
        onPoint: setAt,
      });
      plot.current.show(newest.current.days, valuesOf(newest.current.series));
    };
    // If the drawing code can't load, the table shows the same figures.
    draw().catch(() => left || onFailed());
    return () => {
      left = true;
      plot.current?.remove();
      plot.current = undefined;
    };
  }, [height, kinds, setAt, onFailed]);

  const move = (event: KeyboardEvent) => {
    const to = moved(event.key, at, days.length);
    if (to === undefined) return;
    event.preventDefault();
    plot.current?.point(to);
    setAt(to);
  };
  const summary = texts.chart.summary(label, dayText(days[0] ?? ''), dayText(days.at(-1) ?? ''));
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys move between days */}
      <div
        ref={place}
        className={styles.plot}
        role="application"
        aria-roledescription={label}
        aria-label={`${summary}. ${texts.chart.help}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrow keys move between days
        tabIndex={0}
        onKeyDown={move}
        onBlur={() => {
          plot.current?.point(undefined);
          setAt(undefined);
        }}
      />
      <VisuallyHidden role="status">{at === undefined ? '' : pointText({ days, series, format }, at)}</VisuallyHidden>
    </>
  );
}

function valuesOf(series: readonly Series[]) {
  return series.map(({ values }) => values);
}

function moved(key: string, at: number | undefined, length: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return Math.min(length - 1, (at ?? -1) + 1);
    case 'ArrowLeft':
      return Math.max(0, (at ?? length) - 1);
    case 'Home':
      return 0;
    case 'End':
      return length - 1;
    default:
      return undefined;
  }
}

function pointText({ days, series, format }: Shown, at: number): string {
  const values = series.flatMap(({ label, values }) => {
    const value = values[at];
    return value === undefined || value === null ? [] : [`${label} ${format(value)}`];
  });
  return `${dayText(days[at] ?? '')}: ${values.join(', ')}`;
}

function ChartTable({ label, days, series, format }: Shown & { readonly label: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable box must be focusable
    <div className={styles.table} tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.chart.day}</th>
            {series.map((each) => (
              <th key={each.label} scope="col">
                {each.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, at) => (
            <tr key={day}>
              <th scope="row">{dayText(day)}</th>
              {series.map((each) => {
                const value = each.values[at];
                return <td key={each.label}>{value === undefined || value === null ? '' : format(value)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function seriesClass({ before }: Series, index: number): string | undefined {
  return before === true ? styles.before : styles[`series${index}`];
}

function dayText(day: string): string {
  return day === '' ? '' : formatTime(`${day}T00:00:00Z`, 'day');
}
