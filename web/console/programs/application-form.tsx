import type { FormField } from '@whence/sdk';
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { newKey } from './editor/draft.ts';
import styles from './editor/editor.module.css';
import { programTabs } from './program-tabs-texts.ts';
import { fieldsOf } from '#web/ui/form/form.tsx';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { TextArea, TextField } from '#web/ui/form/text-field.tsx';

const words = programTabs.signUp.form;

/** A field in the editor. The choices are one text with a choice on each line. */
export type FieldDraft = Omit<FormField, 'choices'> & { readonly key: number; readonly choices: string };

export function fieldDraft(field: FormField): FieldDraft {
  return { ...field, key: newKey(), choices: field.choices.join('\n') };
}

export function fieldOf({ key: _, choices, ...field }: FieldDraft): FormField {
  const lines = choices.split('\n').map((line) => line.trim());
  return {
    ...field,
    label: field.label.trim(),
    choices: field.type === 'choice' ? lines.filter((line) => line !== '') : [],
  };
}

type ApplicationFormProps = {
  readonly fields: readonly FieldDraft[];
  readonly onChange: (fields: readonly FieldDraft[]) => void;
  readonly disabled: boolean;
};

/** Edits the fields of an application form and their order. */
export function ApplicationForm({ fields, onChange, disabled }: ApplicationFormProps) {
  const change = (key: number, patch: Partial<FieldDraft>) =>
    onChange(fields.map((field) => (field.key === key ? { ...field, ...patch } : field)));
  const partOf = (field: FieldDraft, at: number) =>
    fieldsOf(field, (patch) => change(field.key, patch), `fields.${at}.`);
  const moveUp = (at: number) =>
    onChange([...fields.slice(0, at - 1), ...fields.slice(at - 1, at + 1).toReversed(), ...fields.slice(at + 1)]);
  return (
    <Stack gap={2}>
      <span className={styles.partTitle}>{words.title}</span>
      <Text as="p" size="small" tone="muted">
        {words.help}
      </Text>
      {fields.map((field, at) => (
        <fieldset key={field.key} className={styles.boxed} aria-label={words.row(at + 1)} disabled={disabled}>
          <div className={styles.rows}>
            <div className={styles.pair}>
              <TextField label={words.label} {...partOf(field, at)('label')} autoComplete="off" />
              <Select
                label={words.type}
                options={words.types}
                value={field.type}
                onChange={(type) => change(field.key, { type })}
              />
            </div>
            {field.type === 'choice' && <TextArea label={words.choices} {...partOf(field, at)('choices')} rows={3} />}
            <Row justify="spread">
              <Checkbox
                label={words.required}
                checked={field.required}
                onChange={(required) => change(field.key, { required })}
              />
              <Row gap={1}>
                <IconButton icon={ArrowUp} label={words.up(at + 1)} disabled={at === 0} onClick={() => moveUp(at)} />
                <IconButton
                  icon={ArrowDown}
                  label={words.down(at + 1)}
                  disabled={at === fields.length - 1}
                  onClick={() => moveUp(at + 1)}
                />
                <IconButton
                  icon={X}
                  label={words.remove(at + 1)}
                  onClick={() => onChange(fields.filter(({ key }) => key !== field.key))}
                />
              </Row>
            </Row>
          </div>
        </fieldset>
      ))}
      {!disabled && (
        <Row>
          <Button
            size="small"
            icon={Plus}
            onClick={() =>
              onChange([...fields, { key: newKey(), label: '', type: 'short-text', required: false, choices: '' }])
            }
          >
            {words.add}
          </Button>
        </Row>
      )}
    </Stack>
  );
}
