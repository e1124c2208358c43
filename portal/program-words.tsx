import { BadgeCheck, ChevronRight } from 'lucide-react';
import styles from './program-words.module.css';

export type ProgramWordsProps = {
  /** A program’s rule in sentences: the first says what one earns. */
  readonly words: readonly string[];
  /** What the rest lies behind. */
  readonly more: string;
  /** All of it in sight. */
  readonly open?: boolean;
};

/** What a program pays, in words: first what matters most. */
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
