import type { Connector } from '@whence/sdk';
import { Ellipsis, KeyRound, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { usePermission } from '../session.ts';
import { connectors as texts } from './connectors-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { IconButton } from '#web/ui/controls/button.tsx';
import { ConfirmDialog, Dialog } from '#web/ui/overlay/dialog.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { useLinks } from '#web/ui/controls/links.ts';
import { Menu } from '#web/ui/overlay/menu.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { SecretForm } from './secret-form.tsx';

const words = texts.actions;

export function ConnectorActions({ connector }: { readonly connector: Connector }) {
  const { navigate } = useLinks();
  const may = usePermission('resources:write');
  const [doing, setDoing] = useState<'rename' | 'replace' | 'remove'>();
  const doNothing = (): void => setDoing(undefined);
  const remove = useCall((api) => api.connectors.delete(connector.id), {
    reloads: ['connectors'],
    done: words.removed,
    onDone: () => navigate('/connectors'),
  });
  if (!may || connector.status === 'deleted') return null;
  return (
    <>
      <Menu
        align="end"
        trigger={<IconButton icon={Ellipsis} label={words.more} variant="secondary" tooltip={false} />}
        items={[
          { label: words.rename, icon: Pencil, onSelect: () => setDoing('rename') },
          { label: words.replace, icon: KeyRound, onSelect: () => setDoing('replace') },
          'separator',
          { label: words.remove, icon: Trash2, danger: true, onSelect: () => setDoing('remove') },
        ]}
      />
      {doing === 'rename' && <RenameDialog connector={connector} onClose={doNothing} />}
      {doing === 'replace' && (
        <Dialog open onClose={doNothing} title={words.replaceTitle} description={words.replaceDetail}>
          <SecretForm connector={connector} onCancel={doNothing} onSaved={doNothing} />
        </Dialog>
      )}
      <ConfirmDialog
        open={doing === 'remove'}
        onClose={doNothing}
        title={words.removeTitle}
        confirmLabel={words.removeConfirm}
        danger
        onConfirm={remove.mutateAsync}
      >
        {words.removeDetail}
      </ConfirmDialog>
    </>
  );
}

function RenameDialog({ connector, onClose }: { readonly connector: Connector; readonly onClose: () => void }) {
  const [name, setName] = useState(connector.name);
  const save = useCall((api) => api.connectors.update(connector.id, { name: name.trim() }), {
    reloads: ['connectors'],
    done: words.saved,
    onDone: onClose,
  });
  return (
    <Dialog open onClose={onClose} title={words.renameTitle}>
      <Form call={save}>
        <TextField label={texts.form.name} name="name" required value={name} onChange={setName} />
        <FormActions submitLabel={words.save} disabled={name.trim() === ''} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
