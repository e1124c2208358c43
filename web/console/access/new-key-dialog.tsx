import type { NewApiKey } from '@whence/sdk';
import { type Scope, useSession } from '../session.ts';
import { keys as texts } from './keys-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { CheckboxGroup } from '#web/ui/form/checkbox.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { endOf } from '#web/ui/formats/time.ts';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
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
type KeyDraft = {
  readonly label: string;
  readonly kind: 'secret' | 'publishable';
  readonly scopes: readonly KeyScope[];
  readonly origins: string;
  readonly expiresAt: string;
};
type NewKeyDialogProps = { readonly onClose: () => void; readonly onMade: (key: NewApiKey) => void };

export function NewKeyDialog({ onClose, onMade }: NewKeyDialogProps) {
  const { scopes: held } = useSession();
  const [{ label, kind, scopes, origins, expiresAt: end }, field] = useDraft<KeyDraft>({
    label: '',
    kind: 'secret',
    scopes: USUAL_SCOPES,
    origins: '',
    expiresAt: '',
  });
  const create = useCall(
    (api) =>
      api.apiKeys.create({
        label,
        kind,
        ...(kind === 'secret' ? { scopes: [...scopes] } : { origins: linesOf(origins) }),
        ...(end === '' ? {} : { expiresAt: endOf(end) }),
      }),
    { reloads: ['apiKeys'], onAnswer: onMade },
  );
  return (
    <Dialog open onClose={onClose} title={words.title}>
      <Form call={create}>
        <TextField label={words.label} {...field('label')} description={words.labelHelp} required maxLength={255} />
        <RadioCards label={words.kind} {...field('kind')} options={KINDS} min={200} />
        {kind === 'secret' ? (
          <CheckboxGroup label={words.scopes} {...field('scopes')} options={scopeOptions(held)} />
        ) : (
          <TextArea
            label={words.origins}
            {...field('origins')}
            description={words.originsHelp}
            optional
            mono
            rows={3}
          />
        )}
        <TextField label={words.expires} {...field('expiresAt')} description={words.expiresHelp} optional type="date" />
        <FormActions
          submitLabel={words.submit}
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
