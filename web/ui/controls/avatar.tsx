import type { CSSProperties, ReactNode } from 'react';
import styles from './avatar.module.css';
import { classNames } from './class-names.ts';

/** Shows initials on a color that depends on the name. It is decorative, because the name is next to it. */
export function Avatar({ name, size }: { readonly name: string; readonly size?: 'small' | 'large' | undefined }) {
  return (
    <span
      aria-hidden
      className={classNames(styles.avatar, size === 'large' && styles.large)}
      style={{ '--hue': hueOf(name) } as CSSProperties}
    >
      {initialsOf(name)}
    </span>
  );
}

/** Shows a name with its initials before it. */
export function NameWithAvatar({
  name,
  children,
}: {
  readonly name: string;
  /** A link to show instead of the name. */ readonly children?: ReactNode;
}) {
  return (
    <span className={styles.named}>
      <Avatar name={name} />
      <span className={styles.name}>{children ?? name}</span>
    </span>
  );
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => Array.from(word ?? '')[0] ?? '',
  );
  return letters.join('').toUpperCase();
}

function hueOf(name: string): number {
  return Array.from(name).reduce((hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) % 360, 7);
}
