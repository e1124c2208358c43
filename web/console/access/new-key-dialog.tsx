import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { NewApiKey } from '@whence/sdk';
import { useState } from 'react';
import { type Scope, useSession } from '../session.ts';
import { keys as texts } from './keys-texts.ts';
import { CheckboxGroup } from '#web/ui/form/checkbox.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { endOf } from '#web/ui/formats/time.ts';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { TextArea, TextField } from '#web/ui/form/text-field.tsx';

const words = texts.form;
const KINDS = (['secret', 'publishable'] as const).map((value) => ({
  value,
  label: texts.kinds[value],
  description: texts.kindHelp[value],
}));
/** The minimal scopes that a shop's server needs. */
const USUAL_SCOPES: readonly KeyScope[] = ['events:write', 'resources:read'];

type KeyScope = keyof typeof texts.scopes;
type NewKeyDialogProps = { readonly onClose: () => void; readonly onMade: (key: NewApiKey) => void };

export function NewKeyDialog({ onClose, onMade }: NewKeyDialogProps) {
  const api = useApi();
  const queries = useQueryClient();
  const { scopes: held } = useSession();
  const [label, setLabel] = useState('');
  const [kind, setKind] = useState<'secret' | 'publishable'>('secret');
  const [scopes, setScopes] = useState<readonly KeyScope[]>(USUAL_SCOPES);
  const [origins, setOrigins] = useState('');
  const [end, setEnd] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      api.apiKeys.create({
        label,
        kind,
        ...(kind === 'secret' ? { scopes: [...scopes] } : { origins: linesOf(origins) }),
        ...(end === '' ? {} : { expiresAt: endOf(end) }),
      }),
    onSuccess: async (key) => {
      onMade(key);
      await queries.invalidateQueries({ queryKey: ['apiKeys'] });
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.title}>
      <Form onSubmit={() => mutate()} error={error}>
        <TextField
          label={words.label}
          name="label"
          description={words.labelHelp}
          required
          maxLength={255}
          value={label}
          onChange={setLabel}
        />
        <RadioCards label={words.kind} name="kind" options={KINDS} value={kind} onChange={setKind} min={200} />
        {kind === 'secret' ? (
          <CheckboxGroup
            label={words.scopes}
            name="scopes"
            options={scopeOptions(held)}
            value={[...scopes]}
            onChange={setScopes}
          />
        ) : (
          <TextArea
            label={words.origins}
            name="origins"
            description={words.originsHelp}
            optional
            mono
            rows={3}
            value={origins}
            onChange={setOrigins}
          />
        )}
        <TextField
          label={words.expires}
          name="expiresAt"
          description={words.expiresHelp}
          optional
          type="date"
          value={end}
          onChange={setEnd}
        />
        <FormActions
          submitLabel={words.submit}
          busy={isPending}
          disabled={label.trim() === '' || (kind === 'secret' && scopes.length === 0)}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

/**
 * Returns all key scopes as options. Scopes that the user doesn't have are disabled, because users can't grant them.
 */
function scopeOptions(held: readonly Scope[]) {
  return (Object.keys(texts.scopes) as KeyScope[]).map((value) => ({
    value,
    label: texts.scopes[value],
    description: texts.scopeHelp[value],
    disabled: !held.includes(value),
  }));
}

function linesOf(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
