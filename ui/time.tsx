import { createContext, use, useEffect, useState } from 'react';
import { dateOf, formatTime, type Moment, type TimeStyle } from './formats/time.ts';
import styles from './money.module.css';
import { Tooltip } from './tooltip.tsx';

export type TimeProps = {
  readonly at: Moment;
  /** `relative` unless told: “3 minutes ago”, after a week the date. */
  readonly as?: Exclude<TimeStyle, 'exact' | 'day'> | undefined;
};

/** A moment in the reader's zone. The exact time with its zone shows on hover and on focus. */
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

/** False within tables: each row's own page has the exact time, and a hundred stops of the Tab key help nobody. */
export const TimesTakeFocus = createContext(true);

export type DayProps = { /** `2026-09-04`, a UTC day as reports have it. */ readonly day: string };

/** A day of a report. */
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

/** The time, anew every half minute: one clock for all that is shown. */
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
