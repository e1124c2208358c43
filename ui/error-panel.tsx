import { CircleAlert, RotateCw } from 'lucide-react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { problemOf, type ShownFault } from './problem.ts';
import styles from './notice.module.css';
import { problemHelp, problemTitles, texts, unknownProblem } from './texts.ts';

export type ErrorPanelProps = {
  /** What was thrown. */
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
  /** The faults to list; all of them, unless told: a form lists those that have no field. */
  readonly faults?: readonly ShownFault[] | undefined;
};

/** What went wrong, and what helps. */
export function ErrorPanel({ error, onRetry, faults }: ErrorPanelProps) {
  const problem = problemOf(error, { titles: problemTitles, unknown: unknownProblem });
  const listed = faults ?? problem.errors;
  const help = problemHelp[problem.code ?? ''];
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
