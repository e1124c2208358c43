import { Checkbox as Base } from '@base-ui/react/checkbox';
import { Check, Minus } from 'lucide-react';
import type { MouseEvent } from 'react';
import styles from './choice.module.css';

type RowCheckboxProps = {
  readonly label: string;
  readonly checked: boolean;
  readonly indeterminate?: boolean | undefined;
  readonly onChange: (checked: boolean, shift: boolean) => void;
};

/** A box without words beside it, which knows whether Shift was held. */
export function RowCheckbox({ label, checked, indeterminate, onChange }: RowCheckboxProps) {
  return (
    <Base.Root
      className={styles.box}
      aria-label={label}
      checked={checked}
      indeterminate={indeterminate}
      onCheckedChange={(now, { event }) => onChange(now, 'shiftKey' in event && event.shiftKey === true)}
      onClick={(event: MouseEvent) => event.stopPropagation()}
    >
      <Base.Indicator>{indeterminate === true ? <Minus aria-hidden /> : <Check aria-hidden />}</Base.Indicator>
    </Base.Root>
  );
}
