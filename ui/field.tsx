import { Field as Base } from '@base-ui/react/field';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { useFieldFault } from './form.tsx';
import styles from './field.module.css';
import { texts } from './texts.ts';

/** What every field has. */
export type FieldLook = {
  readonly label: ReactNode;
  /** Read out, but not shown: where what is around says it. */
  readonly hideLabel?: boolean | undefined;
  /** What belongs in it, in a sentence. */
  readonly description?: ReactNode;
  /** What is wrong with it. A fault of the form's problem at `name` shows by itself. */
  readonly error?: ReactNode;
  /** Its name in the call's body: `name`, `reward.amount`. Faults that point there are its own. */
  readonly name?: string | undefined;
  /** Says “Optional” beside the label. */
  readonly optional?: boolean | undefined;
  readonly disabled?: boolean | undefined;
};

export type FieldProps = FieldLook & {
  /** The control: one of Base UI's, which finds its label and description by itself. */
  readonly children: ReactNode;
  readonly className?: string | undefined;
};

/** A label, a control, what belongs in it, and what is wrong with it. */
export function Field({
  label,
  hideLabel,
  description,
  error,
  name,
  optional,
  disabled,
  children,
  className,
}: FieldProps) {
  const fault = useFieldFault(name);
  const wrong = error ?? fault;
  const invalid = wrong !== undefined && wrong !== null && wrong !== false;
  return (
    <Base.Root name={name} invalid={invalid} disabled={disabled} className={classNames(styles.field, className)}>
      <span className={hideLabel === true ? styles.hiddenLabel : styles.labelRow}>
        <Base.Label className={styles.label}>{label}</Base.Label>
        {optional === true && <span className={styles.optional}>{texts.optional}</span>}
      </span>
      {children}
      {invalid && (
        <Base.Error match className={styles.error}>
          <CircleAlert aria-hidden />
          <span>{wrong}</span>
        </Base.Error>
      )}
      {description !== undefined && <Base.Description className={styles.description}>{description}</Base.Description>}
    </Base.Root>
  );
}
