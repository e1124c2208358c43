import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './entry-list.module.css';

/** A few things of somebody in a card, such as their sessions. */
export function EntryList({ children }: { readonly children: ReactNode }) {
  return <ul className={styles.entries}>{children}</ul>;
}

export type EntryProps = {
  readonly icon: LucideIcon;
  /** A button at its end. */
  readonly action?: ReactNode;
  /** Its name, and what is known of it below. */
  readonly children: ReactNode;
};

export function Entry({ icon: Icon, action, children }: EntryProps) {
  return (
    <li className={styles.entry}>
      <Icon aria-hidden />
      <div className={styles.words}>{children}</div>
      {action}
    </li>
  );
}
