import { classNames } from '../controls/class-names.ts';
import styles from './skeleton.module.css';

export type SkeletonProps = {
  readonly width?: string | number | undefined;
  readonly height?: string | number | undefined;
  /** The number of text lines, as a placeholder for a paragraph. */
  readonly lines?: number | undefined;
};

/** Renders a placeholder for loading content. */
export function Skeleton({ width = '100%', height, lines }: SkeletonProps) {
  if (lines === undefined) {
    return (
      <span
        aria-hidden
        className={classNames(styles.skeleton, height !== undefined && styles.block)}
        style={{ width, height }}
      />
    );
  }
  return (
    <span aria-hidden className={styles.lines}>
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} className={styles.skeleton} style={{ width: at === lines - 1 ? '62%' : '100%' }} />
      ))}
    </span>
  );
}
