import { CircleAlert, RotateCw } from 'lucide-react';
import { Button } from '../controls/button.tsx';
import { classNames } from '../controls/class-names.ts';
import styles from './notice.module.css';
import type { ShownFault } from './problem.ts';
import { helpFor } from './problem-texts.ts';
import { shownProblem } from './shown-problem.ts';
import { texts } from '../shell/texts.ts';

export type ErrorPanelProps = {
  /** Any thrown value. */
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
  /** The faults to list. Default: all faults. A form lists only the faults that belong to none of its fields. */
  readonly faults?: readonly ShownFault[] | undefined;
};

/** Shows an error and how to resolve it. */
export function ErrorPanel({ error, onRetry, faults }: ErrorPanelProps) {
  const problem = shownProblem(error);
  const listed = faults ?? problem.errors;
  const help = helpFor(problem.code);
  return (
    <div role="alert" tabIndex={-1} className={classNames(styles.notice, styles.bad)}>
      <CircleAlert aria-hidden />
      <div className={styles.words}>
        <p className={styles.title}>{problem.title}</p>
        {listed.length === 0 ? (
          <p>{problem.detail}</p>
        ) : (
          <ul className={styles.faults}>
            {listed.map((fault) => (
              <li key={`${fault.pointer} ${fault.code}`}>
                <code>{fault.pointer.slice(1)}</code> {fault.detail}
              </li>
            ))}
          </ul>
        )}
        {help !== undefined && <p className={styles.help}>{help}</p>}
      </div>
      {onRetry !== undefined && (
        <div className={styles.actions}>
          <Button size="small" icon={RotateCw} onClick={onRetry}>
            {texts.tryAgain}
          </Button>
        </div>
      )}
    </div>
  );
}
