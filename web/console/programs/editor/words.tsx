import { classNames } from '#web/ui/controls/class-names.ts';
import { AmountsText } from '#web/ui/explanation/amounts-text.tsx';
import styles from './editor.module.css';

/** Shows the sentences of a rule text. */
export function Words({ words, stale }: { readonly words: readonly string[]; readonly stale?: boolean }) {
  return (
    <ul className={classNames(styles.words, stale === true && styles.stale)}>
      {words.map((sentence) => (
        <li key={sentence}>
          <AmountsText text={sentence} />
        </li>
      ))}
    </ul>
  );
}
