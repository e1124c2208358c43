import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Material } from '@whence/sdk';
import { useState } from 'react';
import { useProgramChoices } from '../choices.ts';
import { FileField, type GivenFile } from './file-field.tsx';
import { materials as texts } from './materials-texts.ts';
import { Segmented } from '#web/ui/controls/segmented.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { Combobox } from '#web/ui/form/combobox.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { TextArea, TextField } from '#web/ui/form/text-field.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { useApi } from '#web/ui/shell/api.tsx';

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
  const api = useApi();
  const queries = useQueryClient();
  const programs = useProgramChoices();
  const [kind, setKind] = useState<Material['kind']>(material?.kind ?? 'file');
  const [file, setFile] = useState<GivenFile>();
  const [title, setTitle] = useState(material?.title ?? '');
  const [text, setText] = useState(material?.text ?? '');
  const [page, setPage] = useState(material?.pageUrl ?? '');
  const [program, setProgram] = useState(material?.programId ? String(material.programId) : null);
  const [licenseNote, setLicenseNote] = useState(material?.licenseNote ?? '');
  const fields = {
    title,
    programId: program === null ? null : Number(program),
    licenseNote: given(licenseNote),
    pageUrl: given(page),
    ...(kind === 'text' ? { text } : {}),
  };
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      material === undefined
        ? api.materials.create({
            ...fields,
            ...(kind === 'file' && file !== undefined ? { file } : {}),
          })
        : api.materials.update(material.id, fields),
    onSuccess: async () => {
      onClose();
      toast.success(material === undefined ? texts.added : texts.saved);
      await queries.invalidateQueries({ queryKey: ['materials'] });
    },
  });
  const hasContent = {
    file: material !== undefined || file !== undefined,
    text: text.trim() !== '',
    link: page !== '',
  };
  return (
    <Dialog open onClose={onClose} title={material === undefined ? texts.new : texts.editOf(material.title)}>
      <Form onSubmit={() => mutate()} error={error}>
        {material === undefined && (
          <div>
            <Segmented label={texts.kind} options={KINDS} value={kind} onChange={setKind} />
          </div>
        )}
        {material === undefined && kind === 'file' && <FileField file={file} onChange={setFile} />}
        <TextField label={texts.name} name="title" maxLength={MAX_TITLE} value={title} onChange={setTitle} />
        {kind === 'text' && (
          <TextArea
            label={texts.text}
            name="text"
            description={texts.textHelp}
            rows={ROWS}
            maxLength={MAX_TEXT}
            value={text}
            onChange={setText}
          />
        )}
        <TextField
          label={texts.page}
          name="pageUrl"
          type="url"
          description={kind === 'link' ? texts.pageOfLink : texts.pageHelp}
          optional={kind !== 'link'}
          value={page}
          onChange={setPage}
        />
        <Combobox
          label={texts.program}
          name="programId"
          description={texts.programHelp}
          optional
          value={program}
          onChange={setProgram}
          {...programs}
        />
        <TextField
          label={texts.license}
          name="licenseNote"
          description={texts.licenseHelp}
          optional
          maxLength={MAX_LICENSE_NOTE}
          value={licenseNote}
          onChange={setLicenseNote}
        />
        <FormActions
          submitLabel={material === undefined ? texts.add : texts.save}
          busy={isPending}
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
