import { Check, Minus } from 'lucide-react';
import { type ComponentProps, useEffect, useRef } from 'react';
import styles from './choice.module.css';

type CheckboxBoxProps = Omit<ComponentProps<'input'>, 'type' | 'className'> & {
  /** Whether some, but not all, of the items are checked. */
  readonly indeterminate?: boolean | undefined;
};

/** Renders the browser’s checkbox in the colors of the theme. */
export function CheckboxBox({ indeterminate = false, ...input }: CheckboxBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = indeterminate;
  });
  return (
    <span className={styles.box}>
      <input {...input} ref={box} type="checkbox" />
      {indeterminate ? <Minus aria-hidden /> : <Check aria-hidden />}
    </span>
  );
}
