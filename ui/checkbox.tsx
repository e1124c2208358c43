import { Checkbox as Base } from '@base-ui/react/checkbox';
import { Field as BaseField } from '@base-ui/react/field';
import { Fieldset } from '@base-ui/react/fieldset';
import { CircleAlert, Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
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
  /** Some of what it stands for, not all. */
  readonly indeterminate?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  readonly name?: string | undefined;
};

/** Yes or no, taken over with the form. What takes effect at once is a Switch. */
export function Checkbox({ label, checked, onChange, description, indeterminate, disabled, name }: CheckboxProps) {
  return (
    <BaseField.Root name={name} disabled={disabled}>
      <BaseField.Label className={styles.line}>
        <Base.Root
          className={styles.box}
          checked={checked}
          indeterminate={indeterminate}
          onCheckedChange={(now) => onChange(now)}
        >
          <Base.Indicator>{indeterminate === true ? <Minus aria-hidden /> : <Check aria-hidden />}</Base.Indicator>
        </Base.Root>
        <span className={styles.words}>
          <span>{label}</span>
          {description !== undefined && (
            <BaseField.Description render={<span />} className={styles.description}>
              {description}
            </BaseField.Description>
          )}
        </span>
      </BaseField.Label>
    </BaseField.Root>
  );
}

export type CheckboxGroupProps<Value extends string> = Omit<FieldLook, 'optional'> & {
  readonly options: readonly Option<Value>[];
  readonly value: readonly Value[];
  readonly onChange: (value: Value[]) => void;
};

/** Any of a few. */
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
    <Fieldset.Root className={fieldStyles.field}>
      <Fieldset.Legend className={hideLabel === true ? fieldStyles.hiddenLabel : fieldStyles.label}>
        {label}
      </Fieldset.Legend>
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
    </Fieldset.Root>
  );
}
