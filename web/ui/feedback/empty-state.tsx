import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { CopyLine } from '../controls/copy.tsx';
import styles from './notice.module.css';
import { Row } from '../controls/stack.tsx';

export type EmptyStateProps = {
  readonly icon?: LucideIcon | undefined;
  /** The missing resource: “No webhooks yet”. */
  readonly title: ReactNode;
  /** A sentence that suggests the next step. */
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** A line to copy, such as the command that creates the first resource. */
  readonly copy?: string | undefined;
};

/** Shows that a list is empty, and how to create its first item. */
export function EmptyState({ icon: Icon, title, children, actions, copy }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      {Icon && (
        <span className={styles.emptyIcon}>
          <Icon aria-hidden />
        </span>
      )}
      <div>
        <h2 className={styles.emptyTitle}>{title}</h2>
        {children !== undefined && <div className={styles.emptyWords}>{children}</div>}
      </div>
      {copy !== undefined && (
        <div className={styles.copy}>
          <CopyLine text={copy} />
        </div>
      )}
      {actions !== undefined && (
        <Row gap={2} justify="center">
          {actions}
        </Row>
      )}
    </div>
  );
}
