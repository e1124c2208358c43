import { CircleAlert } from 'lucide-react';
import { createContext, type ReactNode, use, useId, useMemo } from 'react';
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
  /** The control: it has what `useFieldControl` gives. */
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
  const id = useId();
  const fault = useFieldFault(name);
  const wrong = error ?? fault;
  const invalid = wrong !== undefined && wrong !== null && wrong !== false;
  const described = description !== undefined;
  const control = useMemo(
    () => controlOf(id, { invalid, described, disabled: disabled === true, name }),
    [id, invalid, described, disabled, name],
  );
  return (
    <div
      className={classNames(styles.field, className)}
      data-invalid={invalid ? '' : undefined}
      data-disabled={disabled === true ? '' : undefined}
    >
      <span className={hideLabel === true ? styles.hiddenLabel : styles.labelRow}>
        <label id={control['aria-labelledby']} htmlFor={control.id} className={styles.label}>
          {label}
        </label>
        {optional === true && <span className={styles.optional}>{texts.optional}</span>}
      </span>
      <ControlContext value={control}>{children}</ControlContext>
      {invalid && (
        <div id={`${id}error`} className={styles.error}>
          <CircleAlert aria-hidden />
          <span>{wrong}</span>
        </div>
      )}
      {described && (
        <p id={`${id}words`} className={styles.description}>
          {description}
        </p>
      )}
    </div>
  );
}

type FieldControl = ReturnType<typeof controlOf>;

type FieldState = Required<Pick<FieldLook, 'disabled'>> & {
  readonly invalid: boolean;
  readonly described: boolean;
  readonly name: string | undefined;
};

function controlOf(id: string, { invalid, described, disabled, name }: FieldState) {
  const words = [...(invalid ? [`${id}error`] : []), ...(described ? [`${id}words`] : [])];
  return {
    id: `${id}control`,
    name,
    disabled,
    'aria-labelledby': `${id}label`,
    'aria-describedby': words.length === 0 ? undefined : words.join(' '),
    'aria-invalid': invalid || undefined,
  } as const;
}

const ControlContext = createContext<FieldControl | undefined>(undefined);

/** What ties the control to its field: ids of its label and of its words, and whether something is wrong with it. */
export function useFieldControl(): FieldControl {
  const control = use(ControlContext);
  if (control === undefined) throw new Error('There is no Field around this control.');
  return control;
}
