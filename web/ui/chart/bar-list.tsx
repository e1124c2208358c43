import type { ReactNode } from 'react';
import styles from './bar-list.module.css';
import { classNames } from '../controls/class-names.ts';
import { barLengths, formatCount } from '../formats/numbers.ts';
import { Link } from '../controls/link.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { texts } from '../shell/texts.ts';

export type Bar = {
  readonly id: string | number;
  readonly label: ReactNode;
  /** The value that determines the bar's length. */
  readonly value: number;
  /** The text at the bar's end. Default: the value as a count. */
  readonly shown?: ReactNode;
  /** Small text below the bar. */
  readonly detail?: ReactNode;
  readonly href?: string | undefined;
};

export type BarListProps = {
  readonly label: string;
  /** Undefined while the bars load. */
  readonly bars: readonly Bar[] | undefined;
  /** The number of omitted bars, and the text of their total. */
  readonly rest?: { readonly count: number; readonly shown: ReactNode; readonly detail?: ReactNode } | undefined;
};

/** Shows figures by category as bars, in the given order. The length of a bar is relative to the largest value. */
export function BarList({ label, bars, rest }: BarListProps) {
  if (bars === undefined) return <Skeleton lines={5} />;
  const lengths = barLengths(bars.map(({ value }) => value));
  return (
    <ul className={styles.list} aria-label={label}>
      {bars.map((bar, at) => (
        <li key={bar.id} className={styles.row}>
          <span className={styles.bar} style={{ width: `${(lengths[at] ?? 0) * 100}%` }} aria-hidden />
          <span className={styles.label}>
            {bar.href === undefined ? bar.label : <Link href={bar.href}>{bar.label}</Link>}
          </span>
          <span className={styles.value}>{bar.shown ?? formatCount(bar.value)}</span>
          {bar.detail !== undefined && <span className={styles.detail}>{bar.detail}</span>}
        </li>
      ))}
      {rest !== undefined && rest.count > 0 && (
        <li className={classNames(styles.row, styles.rest)}>
          <span className={styles.label}>{texts.chart.rest(rest.count)}</span>
          <span className={styles.value}>{rest.shown}</span>
          {rest.detail !== undefined && <span className={styles.detail}>{rest.detail}</span>}
        </li>
      )}
    </ul>
  );
}
