import { type ReactNode, useState } from 'react';
import { payouts as texts } from './payouts-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import styles from './payouts.module.css';

/** The number of lines that are shown at first. Each press on the button shows as many more. */
const SHOWN = 50;

/**
 * Returns the first lines, and a list item with a button that shows more lines. The list item is false if no lines are
 * left.
 */
export function useFirstLines<Line>(lines: readonly Line[]): {
  readonly shown: readonly Line[];
  readonly more: ReactNode;
} {
  const [count, setCount] = useState(SHOWN);
  const left = lines.length - count;
  const more = left > 0 && (
    <li className={styles.line}>
      <span className={styles.name}>{texts.planning.more(left)}</span>
      <Button size="small" onClick={() => setCount(count + SHOWN)}>
        {texts.planning.next(Math.min(left, SHOWN))}
      </Button>
    </li>
  );
  return { shown: lines.slice(0, count), more };
}
