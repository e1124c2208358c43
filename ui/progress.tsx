import { type ReactNode, useId } from 'react';
import styles from './skeleton.module.css';
import { texts } from './texts.ts';

export type ProgressProps = {
  readonly label: ReactNode;
  /** How much is done of `of`; null where nobody knows. */
  readonly done: number | null;
  readonly of?: number | undefined;
};

/** How far something long has come. */
export function Progress({ label, done, of = 100 }: ProgressProps) {
  const id = useId();
  const words = done === null ? texts.working : texts.progress(done, of);
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
        aria-valuenow={done ?? undefined}
        aria-valuetext={words}
      >
        <div
          className={styles.indicator}
          data-indeterminate={done === null ? '' : undefined}
          style={done === null ? undefined : { width: `${(done / of) * 100}%` }}
        />
      </div>
    </div>
  );
}
