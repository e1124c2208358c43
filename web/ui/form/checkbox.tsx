import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { CheckboxBox } from './checkbox-box.tsx';
import styles from './choice.module.css';
import type { FieldLook } from './field.tsx';
import fieldStyles from './field.module.css';
import { useFieldFault } from './form.tsx';
import type { Option } from './select.tsx';

export type CheckboxProps = {
  readonly label: ReactNode;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly description?: ReactNode;
  readonly disabled?: boolean | undefined;
  readonly name?: string | undefined;
};

/** Renders a checkbox whose value is submitted with the form. For immediate effects, use Switch. */
export function Checkbox({ label, checked, onChange, description, disabled, name }: CheckboxProps) {
  const id = useId();
  return (
    <label className={styles.line} data-disabled={disabled === true ? '' : undefined}>
      <CheckboxBox
        name={name}
        checked={checked}
        disabled={disabled}
        aria-labelledby={`${id}label`}
        aria-describedby={description === undefined ? undefined : `${id}words`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className={styles.words}>
        <span id={`${id}label`}>{label}</span>
        {description !== undefined && (
          <span id={`${id}words`} className={styles.description}>
            {description}
          </span>
        )}
      </span>
    </label>
  );
}

export type CheckboxGroupProps<Value extends string> = Omit<FieldLook, 'optional'> & {
  readonly options: readonly Option<Value>[];
  readonly value: readonly Value[];
  readonly onChange: (value: Value[]) => void;
};

/** Selects any number of a few options. */
export function CheckboxGroup<Value extends string>({
  label,
  hideLabel,
  description,
  error,
  name,
  disabled,
  options,
  value,
  onChange,
}: CheckboxGroupProps<Value>) {
  const fault = useFieldFault(name);
  const wrong = error ?? fault;
  return (
    <fieldset className={fieldStyles.field}>
      <legend className={hideLabel === true ? fieldStyles.hiddenLabel : fieldStyles.label}>{label}</legend>
      {description !== undefined && <p className={fieldStyles.description}>{description}</p>}
      <div className={styles.group}>
        {options.map((option) => (
          <Checkbox
            key={option.value}
            label={option.label}
            description={option.description}
            disabled={disabled === true || option.disabled === true}
            checked={value.includes(option.value)}
            onChange={(checked) =>
              onChange(
                options
                  .map((each) => each.value)
                  .filter((each) => (each === option.value ? checked : value.includes(each))),
              )
            }
          />
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
