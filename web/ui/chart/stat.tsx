import { ArrowDown, ArrowUp, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from '../shell/card.module.css';
import { classNames } from '../controls/class-names.ts';
import { changeOf, formatPercent, formatPoints, pointsOf } from '../formats/numbers.ts';
import { useLinkProps } from '../controls/link.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { VisuallyHidden } from '../controls/text.tsx';
import { texts } from '../shell/texts.ts';

export type StatProps = {
  readonly label: ReactNode;
  /** The formatted figure, such as `<Count …/>` or `<Money …/>`. Undefined while it loads. */
  readonly value: ReactNode | undefined;
  /** The figure as a number. The change from `before` to `now` is shown below. */
  readonly now?: number | undefined;
  /** The figure in the period of comparison. */
  readonly before?: number | undefined;
  /** The label of the period of comparison, such as “1–30 Aug”. */
  readonly against?: ReactNode;
  /** `points` is for ratios: their change is shown in percentage points instead of percent. */
  readonly change?: 'percent' | 'points' | undefined;
  /** The direction that is good news, or `none`. Default: `up`. */
  readonly good?: 'up' | 'down' | 'none' | undefined;
  /** Text below the figure, after the change if there is one. */
  readonly hint?: ReactNode;
  readonly href?: string | undefined;
};

/** Shows a figure and its change. With `href`, the whole tile is a link. */
export function Stat({ href, ...rest }: StatProps) {
  return href === undefined ? (
    <div className={styles.stat}>
      <Inside {...rest} />
    </div>
  ) : (
    <StatLink href={href}>
      <Inside {...rest} />
    </StatLink>
  );
}

function StatLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <a {...useLinkProps(href)} className={styles.stat}>
      {children}
    </a>
  );
}

function Inside({ label, value, now, before, against, change, good = 'up', hint }: Omit<StatProps, 'href'>) {
  const loading = value === undefined;
  return (
    <>
      <span className={styles.label}>{label}</span>
      <span className={styles.value}>{loading ? <Skeleton width="60%" /> : value}</span>
      {(hint !== undefined || before !== undefined || against !== undefined) && (
        <span className={styles.under}>
          {!loading && now !== undefined && before !== undefined && (
            <ChangeText now={now} before={before} change={change} good={good} />
          )}
          {against !== undefined && <span>{against}</span>}
          {hint !== undefined && <span>{hint}</span>}
        </span>
      )}
    </>
  );
}

export type ChangeTextProps = {
  readonly now: number;
  readonly before: number;
  readonly change?: StatProps['change'];
  readonly good?: 'up' | 'down' | 'none' | undefined;
};

const CHANGES = {
  percent: (ratio: number) => formatPercent(ratio, { digits: ratio < 0.1 ? 1 : 0 }),
  points: (points: number) => texts.change.points(formatPoints(points)),
} as const;

const ICONS = { up: ArrowUp, down: ArrowDown, same: Minus };

/** Shows the change of a figure: an arrow with a percentage or points. */
export function ChangeText({ now, before, change = 'percent', good = 'up' }: ChangeTextProps) {
  const { direction, ratio } = change === 'points' ? pointsOf(now, before) : changeOf(now, before);
  const Icon = ICONS[direction];
  const percent = ratio === undefined ? texts.change.new : CHANGES[change](Math.abs(ratio));
  const tone = direction === 'same' || good === 'none' ? undefined : direction === good ? styles.good : styles.bad;
  const words =
    ratio === undefined
      ? texts.change.fresh
      : direction === 'same'
        ? texts.change.same
        : texts.change[direction](percent);
  return (
    <span className={classNames(styles.change, tone)}>
      <Icon aria-hidden />
      <span aria-hidden>{percent}</span>
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  );
}
