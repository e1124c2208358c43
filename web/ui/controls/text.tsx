import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import styles from './text.module.css';

export type TextProps = Omit<ComponentProps<'span'>, 'color'> & {
  readonly tone?: 'muted' | 'faint' | 'good' | 'bad' | undefined;
  readonly size?: 'small' | 'large' | undefined;
  readonly strong?: boolean | undefined;
  readonly mono?: boolean | undefined;
  /** Whether to keep the text on one line and truncate it with an ellipsis. Default: false. */
  readonly cut?: boolean | undefined;
  readonly as?: 'span' | 'p' | 'div' | undefined;
};

/** Renders text with a tone, size or font that differs from its surroundings. */
export function Text({ tone, size, strong, mono, cut, as: Tag = 'span', className, ...rest }: TextProps) {
  return (
    <Tag
      {...(rest as object)}
      className={classNames(
        tone && styles[tone],
        size && styles[size],
        strong && styles.strong,
        mono && styles.mono,
        cut && styles.cut,
        className,
      )}
    />
  );
}

/** Renders text for screen readers only. */
export function VisuallyHidden({ className, ...rest }: ComponentProps<'span'>) {
  return <span {...rest} className={classNames(styles.hidden, className)} />;
}

/** Shows the name of a key on the keyboard. */
export function Kbd({ className, ...rest }: ComponentProps<'kbd'>) {
  return <kbd {...rest} className={classNames(styles.kbd, className)} />;
}
