import { Progress as Base } from '@base-ui/react/progress';
import type { ReactNode } from 'react';
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
  return (
    <Base.Root
      className={styles.progress}
      value={done}
      max={of}
      getAriaValueText={() => (done === null ? texts.working : texts.progress(done, of))}
    >
      <Base.Label>{label}</Base.Label>
      <Base.Value className={styles.value}>
        {() => (done === null ? texts.working : texts.progress(done, of))}
      </Base.Value>
      <Base.Track className={styles.track}>
        <Base.Indicator className={styles.indicator} />
      </Base.Track>
    </Base.Root>
  );
}
