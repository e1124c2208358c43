import { ChartLine, Table2 } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { IconButton } from '../controls/button.tsx';
import styles from './chart.module.css';
import { classNames } from '../controls/class-names.ts';
import { formatCompact, formatCount } from '../formats/numbers.ts';
import { type Interval, isIncomplete, periodText } from '../formats/periods.ts';
import { formatTime, type Period } from '../formats/time.ts';
import type { Plot } from './plot.ts';
import { Skeleton } from '../feedback/skeleton.tsx';
import { VisuallyHidden } from '../controls/text.tsx';
import { texts } from '../shell/texts.ts';

/** A day, week or month of a chart. */
export type Point = {
  /** The date or dates of the point, for the legend and the table. */
  readonly label: string;
  /** A short date for the axis. */
  readonly tick: string;
  /** Whether the interval is in progress, so that its figures can still change. */
  readonly isIncomplete?: boolean | undefined;
};

export type Series = {
  readonly label: string;
  /** One value per point, null for a point without a value. */
  readonly values: readonly (number | null)[];
  /** Whether the series is for the comparison period. Its line is then gray and dashed. Default: false. */
  readonly before?: boolean | undefined;
  /** The dates of the values, if they differ from the dates of the points. */
  readonly dates?: readonly string[] | undefined;
};

/** Returns the point of a day, week or month, seen from the day `today`. */
export function pointOf(each: Period, interval: Interval, today: string): Point {
  const tick = formatTime(`${each.from}T00:00:00Z`, 'day');
  return { label: periodText(each), tick, isIncomplete: isIncomplete(each, interval, today) };
}

export type LineChartProps = {
  /** The chart's name for screen readers. */
  readonly label: string;
  /** The points in order of time. Undefined while they load. */
  readonly points: readonly Point[] | undefined;
  /** At most four series, plus the comparison period. */
  readonly series: readonly Series[];
  /** Formats a value. Default: as a count. */
  readonly format?: ((value: number) => string) | undefined;
  /** Formats a value briefly for the axis. */
  readonly formatAxis?: ((value: number) => string) | undefined;
  readonly height?: number | undefined;
  /** Called with the index of a point that is clicked or chosen with Enter. */
  readonly onChoose?: ((at: number) => void) | undefined;
};

/**
 * Shows figures over time, as lines or as a table. Arrow keys move between points, and screen readers get the values.
 */
export function LineChart({
  label,
  points,
  series,
  format = formatCount,
  formatAxis = formatCompact,
  height = 240,
  onChoose,
}: LineChartProps) {
  const [asTable, setAsTable] = useState(false);
  const [at, setAt] = useState<number>();
  const showTable = useCallback(() => setAsTable(true), []);
  const style = { '--chart-height': `${height}px` } as CSSProperties;
  if (points === undefined) return <Skeleton height={height + 38} />;
  const empty = points.length === 0 || series.every(({ values }) => values.every((value) => value === null));
  return (
    <figure className={styles.chart} style={style} aria-label={label}>
      <div className={styles.head}>
        <Legend points={points} series={series} at={at} format={format} />
        <div className={styles.actions}>
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
        <ChartTable label={label} points={points} series={series} format={format} />
      ) : (
        <Lines {...{ label, points, series, format, formatAxis, height, at, setAt, onChoose }} onFailed={showTable} />
      )}
    </figure>
  );
}

type Shown = {
  readonly points: readonly Point[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
};

function Legend({ points, series, at, format }: Shown & { readonly at: number | undefined }) {
  return (
    <div className={styles.legend}>
      {at !== undefined && <span className={styles.key}>{pointText(points[at])}</span>}
      {series.map((each, index) => {
        const value = at === undefined ? undefined : each.values[at];
        return (
          <span key={each.label} className={styles.key}>
            <span
              className={classNames(styles.line, each.before && styles.dashed, seriesClass(each, index))}
              aria-hidden
            />
            {(at === undefined ? undefined : each.dates?.[at]) ?? each.label}
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
  readonly onChoose: ((at: number) => void) | undefined;
  readonly onFailed: () => void;
};

function Lines({ label, points, series, format, formatAxis, height, at, setAt, onChoose, onFailed }: LinesProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot>(undefined);
  const newest = useRef({ points, series, formatAxis, onChoose });
  const kinds = series.map(({ before }, index) => (before === true ? 'before' : `series${index}`)).join(' ');
  useEffect(() => {
    newest.current = { points, series, formatAxis, onChoose };
    plot.current?.show(points, valuesOf(series));
  }, [points, series, formatAxis, onChoose]);
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
        onPoint: setAt,
        onChoose: (chosen) => newest.current.onChoose?.(chosen),
      });
      plot.current.show(newest.current.points, valuesOf(newest.current.series));
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
    if (event.key === 'Enter' && at !== undefined) onChoose?.(at);
    const to = moved(event.key, at, points.length);
    if (to === undefined) return;
    event.preventDefault();
    plot.current?.point(to);
    setAt(to);
  };
  const summary = texts.chart.summary(label, pointText(points[0]), pointText(points.at(-1)));
  const help = onChoose === undefined ? texts.chart.help : texts.chart.helpToChoose;
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys move between points */}
      <div
        ref={place}
        className={classNames(styles.plot, onChoose && styles.choosable)}
        role="application"
        aria-roledescription={label}
        aria-label={`${summary}. ${help}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrow keys move between points
        tabIndex={0}
        onKeyDown={move}
        onBlur={() => {
          plot.current?.point(undefined);
          setAt(undefined);
        }}
      />
      <VisuallyHidden role="status">
        {at === undefined ? '' : spokenText({ points, series, format }, at)}
      </VisuallyHidden>
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

function spokenText({ points, series, format }: Shown, at: number): string {
  const values = series.flatMap(({ label, values, dates }) => {
    const value = values[at];
    return value === undefined || value === null ? [] : [`${dates?.[at] ?? label} ${format(value)}`];
  });
  return `${pointText(points[at])}: ${values.join(', ')}`;
}

function ChartTable({ label, points, series, format }: Shown & { readonly label: string }) {
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
          {points.map((point, at) => (
            <tr key={point.label}>
              <th scope="row">{pointText(point)}</th>
              {series.map(({ label, values, dates }) => {
                const value = values[at];
                return (
                  <td key={label}>
                    {value === undefined || value === null ? '' : format(value)}
                    {dates?.[at] !== undefined && dates[at] !== '' && <span className={styles.date}>{dates[at]}</span>}
                  </td>
                );
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

function pointText(point: Point | undefined): string {
  if (point === undefined) return '';
  return point.isIncomplete === true ? texts.chart.incomplete(point.label) : point.label;
}
