import type { Connector } from '@whence/sdk';
import { connectors as texts } from './connectors-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useSession } from '../session.ts';

const words = texts.form;
const KINDS = optionsOf(texts.kinds);
/** The maximum length of a connector’s name in the API. */
const MAX_NAME = 255;
/** The maximum length of a connector’s source in the API. */
const MAX_SOURCE = 64;

type Draft = Pick<Connector, 'kind' | 'name' | 'source'>;

type ConnectorFormProps = {
  readonly onClose: () => void;
  readonly onMade: (made: Connector) => void;
};

/**
 * Creates a connector without its secret. Most senders show the secret only after they have the URL of the new
 * connector.
 */
export function ConnectorForm({ onClose, onMade }: ConnectorFormProps) {
  const [{ kind, name, source }, field] = useDraft<Draft>({ kind: 'stripe', name: '', source: '' });
  const { mode } = useSession().organization;
  const named = name.trim() === '' ? texts.kinds[kind] : name.trim();
  const create = useCall(
    (api) => api.connectors.create({ kind, name: named, ...(source === '' ? {} : { source: source.trim() }) }),
    { reloads: ['connectors'], onDone: onMade },
  );
  return (
    <Dialog open onClose={onClose} title={words.title}>
      <Form call={create}>
        <Select label={words.kind} {...field('kind')} options={KINDS} />
        <TextField
          label={words.name}
          {...field('name')}
          optional
          maxLength={MAX_NAME}
          placeholder={texts.kinds[kind]}
        />
        <TextField
          label={words.source}
          {...field('source')}
          optional
          mono
          maxLength={MAX_SOURCE}
          description={words.sourceHelp}
          placeholder={kind}
        />
        <Notice tone="neutral" title={words.modeTitle[mode]}>
          {words.modeHelp[mode]}
        </Notice>
        <FormActions submitLabel={words.create} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

function optionsOf<Value extends string>(labels: Readonly<Record<Value, string>>) {
  return (Object.keys(labels) as Value[]).map((value) => ({ value, label: labels[value] }));
}
