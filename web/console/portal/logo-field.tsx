import { Upload, X } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { settings as texts } from '../organizations/settings-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { readDataUrl } from '#web/ui/form/read-file.ts';
import { shownProblem } from '#web/ui/feedback/shown-problem.ts';
import styles from '../organizations/settings.module.css';

const words = texts.portal;
/** The maximum size of a logo in the API, in bytes. */
const MAX_LOGO_BYTES = 65_536;
const TYPES = 'image/png,image/svg+xml,image/webp';

type LogoFieldProps = {
  /** A `data:` URL, or null without a logo. */
  readonly logo: string | null;
  readonly onChange: (logo: string | null) => void;
  readonly disabled: boolean;
};

/** Selects an image file as the logo of the portal, or removes the logo, and shows a preview. */
export function LogoField({ logo, onChange, disabled }: LogoFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<string>();
  const read = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const [file] = event.target.files ?? [];
    // Browsers report no change when the user chooses the same file again, so clear the input.
    event.target.value = '';
    if (file === undefined) return;
    if (file.size > MAX_LOGO_BYTES) return setFault(words.logoTooLarge);
    try {
      onChange(await readDataUrl(file));
      setFault(undefined);
    } catch (error) {
      setFault(shownProblem(error).detail);
    }
  };
  return (
    <Field label={words.logo} description={words.logoHelp} error={fault} name="logo" optional>
      <div className={styles.logo}>
        {logo !== null && <img src={logo} alt={words.logoAlt} />}
        <input ref={input} type="file" accept={TYPES} hidden onChange={(event) => void read(event)} />
        <Button icon={Upload} disabled={disabled} onClick={() => input.current?.click()}>
          {words.logoChoose}
        </Button>
        {logo !== null && (
          <Button variant="ghost" icon={X} disabled={disabled} onClick={() => onChange(null)}>
            {words.logoRemove}
          </Button>
        )}
      </div>
    </Field>
  );
}
