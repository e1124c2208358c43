import type { Connector } from '@whence/sdk';
import { connectors as texts } from './connectors-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';

const words = texts.steps;

type SecretFormProps = {
  readonly connector: Connector;
  readonly onCancel?: () => void;
  readonly onSaved?: () => void;
};

/** Sets the secret that the sender uses to sign its events. */
export function SecretForm({ connector: { id, kind }, onCancel, onSaved }: SecretFormProps) {
  const [{ secret }, field] = useDraft({ secret: '' });
  const rotate = useCall((api) => api.connectors.rotateSecret(id, { secret: secret.trim() }), {
    reloads: ['connectors'],
    done: words.saved,
    onDone: () => onSaved?.(),
  });
  return (
    <Form call={rotate}>
      <TextField
        label={words.secretLabel}
        {...field('secret')}
        type="password"
        autoComplete="off"
        description={words.secretHelp[kind]}
        mono
        required
      />
      <FormActions submitLabel={words.save} disabled={secret.trim() === ''} onCancel={onCancel} />
    </Form>
  );
}
