import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { IconButton } from '../controls/button.tsx';
import { classNames } from '../controls/class-names.ts';
import { Field, type FieldLook, useFieldControl } from './field.tsx';
import styles from './field.module.css';
import { texts } from '../shell/texts.ts';

type Input = Pick<
  ComponentProps<'input'>,
  | 'placeholder'
  | 'autoComplete'
  | 'autoFocus'
  | 'inputMode'
  | 'readOnly'
  | 'required'
  | 'maxLength'
  | 'spellCheck'
  | 'onBlur'
  | 'onKeyDown'
>;

export type TextFieldProps = FieldLook &
  Input & {
    readonly value: string;
    readonly onChange: (value: string) => void;
    readonly type?: 'text' | 'email' | 'url' | 'password' | 'search' | 'tel' | 'date' | 'datetime-local' | undefined;
    /** Content before the input, such as `https://` or an icon. */
    readonly prefix?: ReactNode;
    /** Content after the input, such as `%`. */
    readonly suffix?: ReactNode;
    /** Whether to use a monospace font, as for codes and keys. Default: false. */
    readonly mono?: boolean | undefined;
  };

/** Renders a field for a line of text. A password field has a button to show the password. */
export function TextField({
  value,
  onChange,
  type = 'text',
  prefix,
  suffix,
  mono,
  label,
  hideLabel,
  description,
  error,
  name,
  optional,
  disabled,
  ...input
}: TextFieldProps) {
  const [seen, setSeen] = useState(false);
  return (
    <Field {...{ label, hideLabel, description, error, name, optional, disabled }}>
      <span className={styles.control}>
        {prefix !== undefined && <span className={styles.affix}>{prefix}</span>}
        <FieldInput
          {...input}
          type={type === 'password' && seen ? 'text' : type}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={mono === true ? styles.mono : undefined}
        />
        {suffix !== undefined && <span className={classNames(styles.affix, styles.suffix)}>{suffix}</span>}
        {type === 'password' && (
          <span className={styles.inControl}>
            <IconButton
              icon={seen ? EyeOff : Eye}
              label={seen ? texts.field.hidePassword : texts.field.showPassword}
              size="small"
              onClick={() => setSeen(!seen)}
            />
          </span>
        )}
      </span>
    </Field>
  );
}

/** Renders the input of a field, connected to its label and texts. */
export function FieldInput({ className, ...input }: ComponentProps<'input'>) {
  return <input {...useFieldControl()} {...input} className={classNames(styles.input, className)} />;
}

export type TextAreaProps = FieldLook &
  Pick<Input, 'placeholder' | 'autoFocus' | 'readOnly' | 'required' | 'maxLength' | 'spellCheck'> & {
    readonly value: string;
    readonly onChange: (value: string) => void;
    /** The initial number of lines. The field grows with its text. */
    readonly rows?: number | undefined;
    readonly mono?: boolean | undefined;
  };

/** Renders a field for several lines of text. */
export function TextArea({
  value,
  onChange,
  rows = 3,
  mono,
  label,
  hideLabel,
  description,
  error,
  name,
  optional,
  disabled,
  ...input
}: TextAreaProps) {
  return (
    <Field {...{ label, hideLabel, description, error, name, optional, disabled }}>
      <span className={styles.control}>
        <FieldLines
          {...input}
          rows={rows}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={mono === true ? styles.mono : undefined}
        />
      </span>
    </Field>
  );
}

function FieldLines({ className, ...area }: ComponentProps<'textarea'>) {
  return <textarea {...useFieldControl()} {...area} className={classNames(styles.input, className)} />;
}
