import { Upload } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { materials as texts } from './materials-texts.ts';
import styles from './materials.module.css';
import { Button } from '#web/ui/controls/button.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { readDataUrl } from '#web/ui/form/read-file.ts';
import { shownProblem } from '#web/ui/feedback/shown-problem.ts';

/** The maximum size of a file in the API, in bytes. */
const MAX_FILE_BYTES = 2_097_152;
const TYPES = 'image/png,image/jpeg,image/gif,image/webp,image/svg+xml,application/pdf';

/** A file in the API's format, with its content in base64. */
export type GivenFile = { readonly name: string; readonly data: string };

type FileFieldProps = {
  readonly file: GivenFile | undefined;
  readonly onChange: (file: GivenFile | undefined) => void;
};

/** Selects a file to upload. */
export function FileField({ file, onChange }: FileFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<string>();
  const read = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const [chosen] = event.target.files ?? [];
    // Browsers report no change when the user chooses the same file again, so clear the input.
    event.target.value = '';
    if (chosen === undefined) return;
    onChange(undefined);
    if (chosen.size > MAX_FILE_BYTES) return setFault(texts.tooLarge);
    try {
      const url = await readDataUrl(chosen);
      onChange({ name: chosen.name, data: url.slice(url.indexOf(',') + 1) });
      setFault(undefined);
    } catch (error) {
      setFault(shownProblem(error).detail);
    }
  };
  return (
    <Field label={texts.file} description={texts.fileHelp} error={fault} name="file">
      <div className={styles.file}>
        <input ref={input} type="file" accept={TYPES} hidden onChange={(event) => void read(event)} />
        <Button icon={Upload} onClick={() => input.current?.click()}>
          {texts.choose}
        </Button>
        {file !== undefined && <Text size="small">{file.name}</Text>}
      </div>
    </Field>
  );
}
