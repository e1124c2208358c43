import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './icon-words.module.css';

export type IconWordsProps = {
  readonly icon: LucideIcon;
  /** The name, followed by badges. */ readonly children: ReactNode;
};

/** Shows the name of a list item, such as a browser or a key, with an icon before the name. */
export function IconWords({ icon: Icon, children }: IconWordsProps) {
  return (
    <span className={styles.named}>
      <Icon aria-hidden />
      <span className={styles.words}>{children}</span>
    </span>
  );
}
