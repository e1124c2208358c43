import type { Option } from '../form/select.tsx';
import styles from './segmented.module.css';

export type SegmentedProps<Value extends string> = {
  readonly label: string;
  readonly options: readonly Option<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
};

/** Selects one of a few options that are all visible, such as “By day” and “By week”. */
export function Segmented<Value extends string>({ label, options, value, onChange }: SegmentedProps<Value>) {
  return (
    <div role="group" aria-label={label} className={styles.segments}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          className={styles.segment}
          aria-pressed={option.value === value}
          disabled={option.disabled}
          onClick={() => onChange(option.value)}
        >
          {option.icon && <option.icon aria-hidden />}
          {option.label}
        </button>
      ))}
    </div>
  );
}
