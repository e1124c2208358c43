import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronsUpDown, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Field, type FieldLook } from './field.tsx';
import fieldStyles from './field.module.css';
import popup from './popup.module.css';
import styles from './select.module.css';
import { texts } from './texts.ts';

/** Something that can be chosen. */
export type Option<Value extends string = string> = {
  readonly value: Value;
  readonly label: string;
  /** A line below the label. */
  readonly description?: ReactNode;
  readonly icon?: LucideIcon | undefined;
  readonly disabled?: boolean | undefined;
};

export type SelectProps<Value extends string> = FieldLook & {
  readonly options: readonly Option<Value>[];
  /** Null: nothing is chosen yet. */
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
  readonly placeholder?: string | undefined;
};

/** One of a few. For many, or for what is searched for, there is Combobox. */
export function Select<Value extends string>({
  options,
  value,
  onChange,
  placeholder = texts.field.choose,
  ...look
}: SelectProps<Value>) {
  return (
    <Field {...look}>
      <Base.Root
        items={options.map(({ value, label }) => ({ value, label }))}
        value={value}
        onValueChange={(now: Value | null) => {
          if (now !== null) onChange(now);
        }}
        disabled={look.disabled}
      >
        <Base.Trigger className={classNames(fieldStyles.control, styles.trigger)}>
          <Base.Value className={styles.value} placeholder={placeholder} />
          <Base.Icon className={styles.icon}>
            <ChevronsUpDown aria-hidden />
          </Base.Icon>
        </Base.Trigger>
        <Base.Portal>
          <Base.Positioner className={popup.positioner} sideOffset={4} alignItemWithTrigger={false} align="start">
            <Base.Popup className={popup.popup}>
              <Base.List>
                {options.map((option) => (
                  <Base.Item key={option.value} value={option.value} disabled={option.disabled} className={popup.item}>
                    {option.icon && <option.icon aria-hidden />}
                    <Base.ItemText className={popup.words}>
                      {option.label}
                      {option.description !== undefined && (
                        <span className={popup.description}>{option.description}</span>
                      )}
                    </Base.ItemText>
                    <span className={popup.tick}>
                      <Base.ItemIndicator>
                        <Check aria-hidden />
                      </Base.ItemIndicator>
                    </span>
                  </Base.Item>
                ))}
              </Base.List>
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </Field>
  );
}
