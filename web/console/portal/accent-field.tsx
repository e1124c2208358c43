import { settings as texts } from '../organizations/settings-texts.ts';
import { TextField } from '#web/ui/form/text-field.tsx';
import styles from '../organizations/settings.module.css';

type AccentFieldProps = {
  readonly name: string;
  /** The color as `#rrggbb`. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly disabled: boolean;
};

/** Edits a color as text or with a picker. */
export function AccentField({ name, value, onChange, disabled }: AccentFieldProps) {
  const picker = (
    <input
      type="color"
      className={styles.color}
      aria-label={texts.portal.accentPick}
      disabled={disabled}
      value={/^#[\da-f]{6}$/i.test(value) ? value : '#000000'}
      onChange={(event) => onChange(event.target.value)}
    />
  );
  return (
    <TextField
      label={texts.portal.accent}
      description={texts.portal.accentHelp}
      name={name}
      mono
      disabled={disabled}
      value={value}
      onChange={onChange}
      suffix={picker}
    />
  );
}
