import { CircleCheck } from 'lucide-react';
import { classNames } from '#web/ui/controls/class-names.ts';
import { start as texts } from './start-texts.ts';
import styles from './stepper.module.css';
import { type Progress, type StepName, STEPS } from './steps.ts';

type StepperProps = {
  readonly current: StepName;
  readonly progress: Progress;
  readonly onChange: (step: StepName) => void;
};

/** Shows all steps of the guided start. Each step can be opened at any time. */
export function Stepper({ current, progress, onChange }: StepperProps) {
  return (
    <nav aria-label={texts.steps}>
      <ol className={styles.steps}>
        {STEPS.map((name, n) => (
          <li key={name} className={styles.item}>
            <button
              type="button"
              className={classNames(styles.step, progress[name] === true && styles.done)}
              aria-current={name === current ? 'step' : undefined}
              onClick={() => onChange(name)}
            >
              <span className={styles.mark}>
                {progress[name] === true ? <CircleCheck aria-label={texts.done} /> : <span>{n + 1}</span>}
              </span>
              <span className={styles.label}>{texts[name].label}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
