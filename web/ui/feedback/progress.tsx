import { type ReactNode, useEffect, useId, useState } from 'react';
import styles from './skeleton.module.css';
import { texts } from '../shell/texts.ts';

export type ProgressProps = {
  readonly label: ReactNode;
  /**
   * The completed part of `of`. Null if the progress is unknown. The elapsed time is then shown after a few seconds.
   */
  readonly done: number | null;
  readonly of?: number | undefined;
  /** The text of the progress. Default: a percentage or a number of steps. */
  readonly value?: string | undefined;
};

/** Shows the progress of a long action. */
export function Progress({ label, done, of = 100, value }: ProgressProps) {
  const id = useId();
  const seconds = useSeconds(done === null);
  const words =
    value !== undefined
      ? value
      : done !== null
        ? texts.progress(done, of)
        : seconds < ELAPSED_TIME_AFTER
          ? texts.working
          : texts.workingFor(seconds);
  return (
    <div className={styles.progress}>
      <span id={id}>{label}</span>
      <span className={styles.value} aria-hidden>
        {words}
      </span>
      <div
        role="progressbar"
        className={styles.track}
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={of}
        aria-valuenow={done === null ? undefined : Math.min(done, of)}
        aria-valuetext={words}
      >
        <div
          className={styles.indicator}
          data-indeterminate={done === null ? '' : undefined}
          style={done === null ? undefined : { width: `${Math.min(1, done / of) * 100}%` }}
        />
      </div>
    </div>
  );
}

/** The number of seconds after which the elapsed time is shown, so that users notice that the action continues. */
const ELAPSED_TIME_AFTER = 3;

/** Counts seconds while `counts` is true, and returns the number of seconds so far. */
function useSeconds(counts: boolean): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!counts) return undefined;
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000);
    return () => clearInterval(timer);
  }, [counts]);
  return seconds;
}
