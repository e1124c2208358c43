import { createContext, use, useEffect, useState } from 'react';
import { dateOf, formatTime, type Moment, type TimeStyle } from '../formats/time.ts';
import styles from './money.module.css';
import { Tooltip } from '../overlay/tooltip.tsx';

export type TimeProps = {
  readonly at: Moment;
  /** The format. Default: `relative`, such as “3 minutes ago”, and the date after a week. */
  readonly as?: Exclude<TimeStyle, 'exact' | 'day'> | undefined;
};

/** Shows a time in the page's zone. The exact time with its zone is shown on hover and focus. */
export function Time({ at, as = 'relative' }: TimeProps) {
  const now = useNow(as === 'relative');
  const focusable = use(TimesTakeFocus);
  return (
    <Tooltip content={formatTime(at, 'exact')}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the exact time shows on focus */}
      <time className={styles.time} dateTime={dateOf(at).toISOString()} tabIndex={focusable ? 0 : undefined}>
        {formatTime(at, as, { now })}
      </time>
    </Tooltip>
  );
}

/**
 * Whether times can get the focus. False within tables, because a hundred rows would add a hundred Tab stops. The exact
 * time is also on the page that a row links to.
 */
export const TimesTakeFocus = createContext(true);

export type DayProps = { /** A day of a report, `2026-09-04`. */ readonly day: string };

/** Shows a day of a report. */
export function Day({ day }: DayProps) {
  return (
    <time className={styles.time} dateTime={day}>
      {formatTime(`${day}T00:00:00Z`, 'day')}
    </time>
  );
}

const EVERY_MS = 30_000;
const subscribers = new Set<(now: number) => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Returns the current time, updated every half minute. All components share one timer. */
function useNow(running: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!running) return undefined;
    subscribers.add(setNow);
    timer ??= setInterval(() => {
      for (const subscriber of subscribers) subscriber(Date.now());
    }, EVERY_MS);
    return () => {
      subscribers.delete(setNow);
      if (subscribers.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, [running]);
  return now;
}
