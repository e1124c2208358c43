import { CheckboxBox } from '../form/checkbox-box.tsx';

type RowCheckboxProps = {
  readonly label: string;
  readonly checked: boolean;
  readonly indeterminate?: boolean | undefined;
  readonly onChange: (checked: boolean, shift: boolean) => void;
};

/** Renders a checkbox without a visible label. It reports whether Shift was held. */
export function RowCheckbox({ label, checked, indeterminate, onChange }: RowCheckboxProps) {
  return (
    <CheckboxBox
      aria-label={label}
      checked={checked}
      indeterminate={indeterminate}
      onChange={({ target, nativeEvent }) =>
        onChange(target.checked, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
      }
      onClick={(event) => event.stopPropagation()}
    />
  );
}
