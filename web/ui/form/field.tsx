import { CircleAlert } from 'lucide-react';
import { createContext, type ReactNode, use, useId, useMemo } from 'react';
import { classNames } from '../controls/class-names.ts';
import { useFieldFault } from './form.tsx';
import styles from './field.module.css';
import { texts } from '../shell/texts.ts';

/** The common props of all fields. */
export type FieldLook = {
  readonly label: ReactNode;
  /** Whether only screen readers get the label. Use it if the label is already visible nearby. Default: false. */
  readonly hideLabel?: boolean | undefined;
  /** A sentence about the expected value. */
  readonly description?: ReactNode;
  /** The fault of the value. Default: the fault of the field `name` in the surrounding form. */
  readonly error?: ReactNode;
  /** The field's path in the request body: `name`, `reward.amount`. Faults with this pointer are shown at the field. */
  readonly name?: string | undefined;
  /** Whether to show “Optional” next to the label. Default: false. */
  readonly optional?: boolean | undefined;
  readonly disabled?: boolean | undefined;
};

export type FieldProps = FieldLook & {
  /** The control. It uses the props from `useFieldControl`. */
  readonly children: ReactNode;
  readonly className?: string | undefined;
};

/** Renders a label, a control, a description, and the fault of the value. */
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

/**
 * Returns the props that connect a control with its field, such as the ids of the label and the texts, and whether
 * there is a fault.
 */
export function useFieldControl(): FieldControl {
  const control = use(ControlContext);
  if (control === undefined)
    throw new Error('This control has no surrounding Field. Render the control inside a Field.');
  return control;
}
