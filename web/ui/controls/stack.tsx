import type { ComponentProps, CSSProperties } from 'react';
import { classNames } from './class-names.ts';
import styles from './stack.module.css';

/** The steps of spacing: 1 = 4 px, 2 = 8, 3 = 12, 4 = 16, 5 = 24, 6 = 32. */
export type Gap = 0 | 1 | 2 | 3 | 4 | 5 | 6;

export type Align = 'start' | 'center' | 'end' | 'baseline' | 'stretch';

export type StackProps = ComponentProps<'div'> & {
  readonly gap?: Gap | undefined;
  readonly align?: Align | undefined;
};

/** Arranges children vertically. */
export function Stack({ gap = 4, align, className, ...rest }: StackProps) {
  return <div {...rest} className={classNames(styles.stack, styles[`gap${gap}`], align && styles[align], className)} />;
}

export type RowProps = StackProps & {
  /** How the children are distributed over the remaining width. */
  readonly justify?: 'start' | 'spread' | 'end' | 'center' | undefined;
  /** Whether the children can wrap onto several lines. Default: true. */
  readonly wrap?: boolean | undefined;
};

/** Arranges children horizontally, and wraps them if they don't fit. */
export function Row({ gap = 2, align, justify = 'start', wrap = true, className, ...rest }: RowProps) {
  const justified = { start: undefined, spread: styles.spread, end: styles.toEnd, center: styles.toCenter }[justify];
  return (
    <div
      {...rest}
      className={classNames(
        styles.row,
        styles[`gap${gap}`],
        align && styles[align],
        justified,
        !wrap && styles.noWrap,
        className,
      )}
    />
  );
}

export type GridProps = ComponentProps<'div'> & {
  readonly gap?: Gap | undefined;
  /** The minimum width of a column in px. It determines how many columns fit. */
  readonly min?: number | undefined;
};

/** Arranges children in as many equal columns as fit. */
export function Grid({ gap = 4, min = 240, className, style, ...rest }: GridProps) {
  return (
    <div
      {...rest}
      className={classNames(styles.grid, styles[`gap${gap}`], className)}
      style={{ ...style, '--min': `${min}px` } as CSSProperties}
    />
  );
}
