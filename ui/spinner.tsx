import { classNames } from './class-names.ts';
import styles from './spinner.module.css';
import { VisuallyHidden } from './text.tsx';
import { texts } from './texts.ts';

export type SpinnerProps = {
  readonly size?: 'small' | 'large' | undefined;
  /** Read out; without it the spinner is mere decoration. */
  readonly label?: string | undefined;
};

/** Something is under way, and nobody knows how long it takes. */
export function Spinner({ size, label }: SpinnerProps) {
  const ring = <span className={classNames(styles.spinner, size === 'large' && styles.large)} aria-hidden />;
  if (label === undefined) return ring;
  return (
    <span role="status">
      {ring}
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
}

/** In the place of a page that isn't there yet. */
export function PageSpinner() {
  return (
    <div className={styles.screen}>
      <Spinner size="large" label={texts.loading} />
    </div>
  );
}
