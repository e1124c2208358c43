import { Upload } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { materials as texts } from './materials-texts.ts';
import styles from './materials.module.css';
import { Button } from '#web/ui/controls/button.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Field } from '#web/ui/form/field.tsx';

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
    const isSmall = chosen.size <= MAX_FILE_BYTES;
    setFault(isSmall ? undefined : texts.tooLarge);
    onChange(isSmall ? { name: chosen.name, data: await base64Of(chosen) } : undefined);
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

/** Reads a file and returns its content in base64. */
function base64Of(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.addEventListener('load', () => {
    const url = typeof reader.result === 'string' ? reader.result : '';
    resolve(url.slice(url.indexOf(',') + 1));
  });
  reader.addEventListener('error', () =>
    reject(reader.error ?? new Error('The file could not be read. Choose it again.')),
  );
  reader.readAsDataURL(file);
  return promise;
}
