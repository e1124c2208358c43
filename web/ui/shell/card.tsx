import type { ComponentProps, ReactNode } from 'react';
import styles from './card.module.css';
import { classNames } from '../controls/class-names.ts';

export type CardProps = Omit<ComponentProps<'section'>, 'title'> & {
  readonly title?: ReactNode;
  readonly description?: ReactNode;
  /** Small buttons and links at the end of the heading. */
  readonly actions?: ReactNode;
  /** Whether there is space between the edges and the content. Pass false for a table. Default: true. */
  readonly padded?: boolean | undefined;
  readonly children?: ReactNode;
};

/** Renders a bordered part of a page. Cards are never nested. */
export function Card({ title, description, actions, padded = true, className, children, ...rest }: CardProps) {
  return (
    <section {...rest} className={classNames(styles.card, className)}>
      {(title !== undefined || actions !== undefined) && (
        <div className={styles.head}>
          <h2 className={styles.title}>{title}</h2>
          {actions !== undefined && <div className={styles.actions}>{actions}</div>}
          {description !== undefined && <p className={styles.description}>{description}</p>}
        </div>
      )}
      <div className={classNames(styles.body, !padded && styles.bare)}>{children}</div>
    </section>
  );
}
