import type { Material } from '@whence/sdk';
import { useState } from 'react';
import { useProgramChoices } from '../choices.ts';
import { FileField, type GivenFile } from './file-field.tsx';
import { materials as texts } from './materials-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Segmented } from '#web/ui/controls/segmented.tsx';
import { Combobox } from '#web/ui/form/combobox.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { TextArea, TextField } from '#web/ui/form/text-field.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';

/** The maximum lengths in the API. */
const MAX_TITLE = 150;
const MAX_TEXT = 5_000;
const MAX_LICENSE_NOTE = 500;
const ROWS = 5;
const KINDS = (['file', 'text', 'link'] as const).map((value) => ({ value, label: texts.kinds[value] }));

type MaterialDialogProps = {
  /** Absent for a new material. */
  readonly material: Material | undefined;
  readonly onClose: () => void;
};

/** Creates or changes a material. The kind and the file of a material can't be changed. */
export function MaterialDialog({ material, onClose }: MaterialDialogProps) {
  const programs = useProgramChoices();
  const [kind, setKind] = useState<Material['kind']>(material?.kind ?? 'file');
  const [file, setFile] = useState<GivenFile>();
  const [{ title, text, pageUrl: page, programId: program, licenseNote }, field] = useDraft({
    title: material?.title ?? '',
    text: material?.text ?? '',
    pageUrl: material?.pageUrl ?? '',
    programId: material?.programId ? String(material.programId) : null,
    licenseNote: material?.licenseNote ?? '',
  });
  const fields = {
    title,
    programId: program === null ? null : Number(program),
    licenseNote: given(licenseNote),
    pageUrl: given(page),
    ...(kind === 'text' ? { text } : {}),
  };
  const save = useCall(
    (api) =>
      material === undefined
        ? api.materials.create({
            ...fields,
            ...(kind === 'file' && file !== undefined ? { file } : {}),
          })
        : api.materials.update(material.id, fields),
    { reloads: ['materials'], done: material === undefined ? texts.added : texts.saved, onDone: onClose },
  );
  const hasContent = {
    file: material !== undefined || file !== undefined,
    text: text.trim() !== '',
    link: page !== '',
  };
  return (
    <Dialog open onClose={onClose} title={material === undefined ? texts.new : texts.editOf(material.title)}>
      <Form call={save}>
        {material === undefined && (
          <div>
            <Segmented label={texts.kind} options={KINDS} value={kind} onChange={setKind} />
          </div>
        )}
        {material === undefined && kind === 'file' && <FileField file={file} onChange={setFile} />}
        <TextField label={texts.name} {...field('title')} maxLength={MAX_TITLE} />
        {kind === 'text' && (
          <TextArea
            label={texts.text}
            {...field('text')}
            description={texts.textHelp}
            rows={ROWS}
            maxLength={MAX_TEXT}
          />
        )}
        <TextField
          label={texts.page}
          {...field('pageUrl')}
          type="url"
          description={kind === 'link' ? texts.pageOfLink : texts.pageHelp}
          optional={kind !== 'link'}
        />
        <Combobox
          label={texts.program}
          {...field('programId')}
          description={texts.programHelp}
          optional
          {...programs}
        />
        <TextField
          label={texts.license}
          {...field('licenseNote')}
          description={texts.licenseHelp}
          optional
          maxLength={MAX_LICENSE_NOTE}
        />
        <FormActions
          submitLabel={material === undefined ? texts.add : texts.save}
          disabled={title.trim() === '' || !hasContent[kind]}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

/** Returns the text of an optional field, or null if it is empty. */
function given(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}
