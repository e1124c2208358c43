import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Connector } from '@whence/sdk';
import { useState } from 'react';
import { connectors as texts } from './connectors-texts.ts';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { useSession } from '../session.ts';

const words = texts.form;
const KINDS = optionsOf(texts.kinds);
/** The maximum length of a connector’s name in the API. */
const MAX_NAME = 255;
/** The maximum length of a connector’s source in the API. */
const MAX_SOURCE = 64;

type ConnectorFormProps = {
  readonly onClose: () => void;
  readonly onMade: (made: Connector) => void;
};

/**
 * Creates a connector without its secret. Most senders show the secret only after they have the URL of the new
 * connector.
 */
export function ConnectorForm({ onClose, onMade }: ConnectorFormProps) {
  const api = useApi();
  const queries = useQueryClient();
  const [kind, setKind] = useState<Connector['kind']>('stripe');
  const { mode } = useSession().organization;
  const [name, setName] = useState('');
  const [source, setSource] = useState('');
  const named = name.trim() === '' ? texts.kinds[kind] : name.trim();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.connectors.create({ kind, name: named, ...(source === '' ? {} : { source: source.trim() }) }),
    onSuccess: async (made) => {
      await queries.invalidateQueries({ queryKey: ['connectors'] });
      onMade(made);
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.title}>
      <Form onSubmit={() => mutate()} error={error}>
        <Select label={words.kind} name="kind" options={KINDS} value={kind} onChange={setKind} />
        <TextField
          label={words.name}
          name="name"
          optional
          maxLength={MAX_NAME}
          placeholder={texts.kinds[kind]}
          value={name}
          onChange={setName}
        />
        <TextField
          label={words.source}
          name="source"
          optional
          mono
          maxLength={MAX_SOURCE}
          description={words.sourceHelp}
          placeholder={kind}
          value={source}
          onChange={setSource}
        />
        <Notice tone="neutral" title={words.modeTitle[mode]}>
          {words.modeHelp[mode]}
        </Notice>
        <FormActions submitLabel={words.create} busy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

function optionsOf<Value extends string>(labels: Readonly<Record<Value, string>>) {
  return (Object.keys(labels) as Value[]).map((value) => ({ value, label: labels[value] }));
}
