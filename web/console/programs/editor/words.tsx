import { classNames } from '#web/ui/controls/class-names.ts';
import styles from './editor.module.css';

export function Words({ words, stale }: { readonly words: readonly string[]; readonly stale?: boolean }) {
  return (
    <ul className={classNames(styles.words, stale === true && styles.stale)}>
      {words.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
