import { CircleAlert } from 'lucide-react';
import { type CSSProperties, useId } from 'react';
import styles from './choice.module.css';
import type { FieldLook } from './field.tsx';
import fieldStyles from './field.module.css';
import { useFieldFault } from './form.tsx';
import type { Option } from './select.tsx';

export type RadioCardsProps<Value extends string> = Omit<FieldLook, 'optional'> & {
  readonly options: readonly Option<Value>[];
  /** Null if nothing is selected yet. */
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
  /** The minimum width of a card in px. */
  readonly min?: number | undefined;
};

/** Selects one of a few options, each with an explanation. */
export function RadioCards<Value extends string>({
  label,
  hideLabel,
  description,
  error,
  name,
  disabled,
  options,
  value,
  onChange,
  min = 220,
}: RadioCardsProps<Value>) {
  const id = useId();
  const fault = useFieldFault(name);
  const wrong = error ?? fault;
  return (
    <fieldset
      role="radiogroup"
      className={fieldStyles.field}
      aria-labelledby={`${id}-label`}
      aria-invalid={wrong !== undefined || undefined}
    >
      <legend id={`${id}-label`} className={hideLabel === true ? fieldStyles.hiddenLabel : fieldStyles.label}>
        {label}
      </legend>
      {description !== undefined && <p className={fieldStyles.description}>{description}</p>}
      <div className={styles.cards} style={{ '--min': `${min}px` } as CSSProperties}>
        {options.map((option) => (
          <label key={option.value} className={styles.card}>
            {option.icon && <option.icon aria-hidden />}
            <span className={styles.words}>
              <span id={`${id}-${option.value}`} className={styles.cardLabel}>
                {option.label}
              </span>
              {option.description !== undefined && (
                <span id={`${id}-${option.value}-words`} className={styles.description}>
                  {option.description}
                </span>
              )}
            </span>
            <span className={styles.radio}>
              <input
                type="radio"
                name={`${id}-choice`}
                value={option.value}
                checked={option.value === value}
                disabled={disabled === true || option.disabled === true}
                aria-labelledby={`${id}-${option.value}`}
                aria-describedby={option.description === undefined ? undefined : `${id}-${option.value}-words`}
                onChange={() => onChange(option.value)}
              />
            </span>
          </label>
        ))}
      </div>
      {wrong !== undefined && (
        <p className={fieldStyles.error} role="alert">
          <CircleAlert aria-hidden />
          <span>{wrong}</span>
        </p>
      )}
    </fieldset>
  );
}
