import { entryCode } from '#portal/entry-code.ts';
import { mailed as texts } from '#portal/texts/mailed.ts';
import { TextField } from '#ui/text-field.tsx';

type CodeFieldProps = {
  readonly value: string;
  readonly onChange: (code: string) => void;
  readonly autoFocus?: boolean;
  readonly error: string | undefined;
};

/** The code of a mail, in whichever letters it is typed. */
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
