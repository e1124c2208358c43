import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { CopyLine } from './copy.tsx';
import styles from './notice.module.css';
import { Row } from './stack.tsx';

export type EmptyStateProps = {
  readonly icon?: LucideIcon | undefined;
  /** What isn't there yet: “No webhooks yet”. */
  readonly title: ReactNode;
  /** What to do about it. */
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** A line to copy: the command that brings the first one. */
  readonly copy?: string | undefined;
};

/** Where there is nothing yet: what to do next. */
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
