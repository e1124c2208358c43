import type { CSSProperties, ReactNode } from 'react';
import styles from './avatar.module.css';
import { classNames } from './class-names.ts';

export type AvatarProps = { readonly name: string; readonly size?: 'small' | 'large' | undefined };

/** Initials on a colour that a name always has. Decoration: the name stands beside it. */
export function Avatar({ name, size }: AvatarProps) {
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

/** Somebody, with the initials before. */
export function Named({
  name,
  children,
}: {
  readonly name: string;
  /** In the place of the name: a link. */ readonly children?: ReactNode;
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
