import { BadgeCheck, ChevronRight } from 'lucide-react';
import styles from './program-words.module.css';

export type ProgramWordsProps = {
  /** The sentences of the program’s rule text. The first sentence states the reward. */
  readonly words: readonly string[];
  /** The label of the button that shows the other sentences. */
  readonly more: string;
  /** Whether the other sentences are shown from the start. Default: false. */
  readonly open?: boolean;
};

/** Shows the first sentence of a program's rule text, and the other sentences behind a button. */
export function ProgramWords({ words: [first, ...rest], more, open = false }: ProgramWordsProps) {
  return (
    <div className={styles.words}>
      <p className={styles.first}>
        <BadgeCheck aria-hidden />
        <span>{first}</span>
      </p>
      {rest.length > 0 && (
        <details className={styles.rest} open={open}>
          <summary>
            <ChevronRight aria-hidden />
            {more}
          </summary>
          <ul>
            {rest.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
