import { classNames } from '../controls/class-names.ts';
import styles from './spinner.module.css';
import { VisuallyHidden } from '../controls/text.tsx';
import { texts } from '../shell/texts.ts';

export type SpinnerProps = {
  readonly size?: 'small' | 'large' | undefined;
  /** The label for screen readers. Without it, the spinner is decorative. */
  readonly label?: string | undefined;
};

/** Shows that an action is running for an unknown time. */
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

export function PageSpinner() {
  return (
    <div className={styles.screen}>
      <Spinner size="large" label={texts.loading} />
    </div>
  );
}
