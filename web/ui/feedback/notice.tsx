import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../controls/class-names.ts';
import styles from './notice.module.css';

export type NoticeProps = {
  readonly tone?: 'neutral' | 'info' | 'good' | 'warn' | 'bad' | undefined;
  readonly title?: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
};

const ICONS: Readonly<Record<string, LucideIcon>> = { good: CircleCheck, warn: TriangleAlert, bad: CircleAlert };

/**
 * Shows information that the user needs before continuing. It is part of the page. For results of actions, use a
 * toast.
 */
export function Notice({ tone = 'info', title, children, actions }: NoticeProps) {
  const Icon = ICONS[tone] ?? Info;
  return (
    <div className={classNames(styles.notice, styles[tone])}>
      <Icon aria-hidden />
      <div className={styles.words}>
        {title !== undefined && <p className={styles.title}>{title}</p>}
        {children !== undefined && <div>{children}</div>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
