import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';
import { classNames } from './class-names.ts';
import { useFieldControl } from './field.tsx';
import fieldStyles from './field.module.css';
import popup from './popup.module.css';
import type { SelectControlProps } from './select.tsx';
import styles from './select.module.css';

/** Renders the control of a Select and its options, which are open initially. */
export function SelectPopup({ options, value, onChange, placeholder }: SelectControlProps) {
  const { id, name: _, disabled, ...control } = useFieldControl();
  return (
    <Base.Root
      defaultOpen
      id={id}
      items={options.map(({ value, label }) => ({ value, label }))}
      value={value}
      onValueChange={(now: string | null) => {
        if (now !== null) onChange(now);
      }}
      disabled={disabled}
    >
      <Base.Trigger {...control} className={classNames(fieldStyles.control, styles.trigger)}>
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
  );
}
