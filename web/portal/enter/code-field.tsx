import { entryCode } from '../entry-code.ts';
import { mailed as texts } from '../mailed-texts.ts';
import { TextField } from '#web/ui/form/text-field.tsx';

type CodeFieldProps = {
  readonly value: string;
  readonly onChange: (code: string) => void;
  readonly autoFocus?: boolean;
  readonly error: string | undefined;
};

/** Asks for an emailed code. Accepts upper and lower case. */
export function CodeField({ value, onChange, autoFocus, error }: CodeFieldProps) {
  return (
    <TextField
      label={texts.code}
      name="code"
      description={texts.codeHelp}
      error={error}
      mono
      autoComplete="one-time-code"
      spellCheck={false}
      {...(autoFocus === true && { autoFocus })}
      value={value}
      onChange={(typed) => onChange(entryCode(typed))}
    />
  );
}
