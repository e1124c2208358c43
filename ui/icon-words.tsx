import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './icon-words.module.css';

export type IconWordsProps = {
  readonly icon: LucideIcon;
  /** A name, and badges behind it. */ readonly children: ReactNode;
};

/** A thing of somebody's in a list, such as a browser or a key, with what it looks like before its name. */
export function IconWords({ icon: Icon, children }: IconWordsProps) {
  return (
    <span className={styles.named}>
      <Icon aria-hidden />
      <span className={styles.words}>{children}</span>
    </span>
  );
}
