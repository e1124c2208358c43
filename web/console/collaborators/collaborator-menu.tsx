import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Collaborator } from '@whence/sdk';
import { Check, CirclePause, Ellipsis, Eye, Mail, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { collaborators as texts } from './collaborators-texts.ts';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { ConfirmDialog } from '#web/ui/overlay/dialog.tsx';
import { Menu, type MenuItem } from '#web/ui/overlay/menu.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { placeOf } from '#web/ui/shell/place.ts';
import { openPreview } from './open-preview.ts';
import { portalSettingsQuery } from './portal-settings.ts';
import { RejectionReason } from './rejection-reason.tsx';

const words = texts.status;

type Action = 'deactivate' | 'reject' | 'delete';

/**
 * Shows the actions for a partner: preview the portal, invite, change the status or delete. Activation needs no
 * confirmation, because the partner can be deactivated again.
 */
export function CollaboratorMenu({ collaborator }: { readonly collaborator: Collaborator }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const { data: portal } = useQuery(portalSettingsQuery(api));
  const [action, setAction] = useState<Action>('deactivate');
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const { id, name, status, email } = collaborator;
  const renew = () => queryClient.invalidateQueries({ queryKey: ['collaborators'] });
  const ask = (next: Action) => () => {
    setAction(next);
    setOpen(true);
  };
  const activate = async () => {
    await api.collaborators.update(id, { status: 'active' });
    await renew();
    toast.success(words.activated(name));
  };
  const run = async () => {
    if (action === 'delete') await api.collaborators.delete(id);
    else if (action === 'deactivate') await api.collaborators.update(id, { status: 'inactive' });
    else
      await api.collaborators.update(id, {
        status: 'rejected',
        ...(reason.trim() === '' ? {} : { rejectionReason: reason.trim() }),
      });
    await renew();
    toast.success(DONE[action](name));
  };
  const isOpen = portal !== undefined && portal.slug !== null;
  const canEnter = isOpen && (status === 'active' || status === 'pending');
  const invite = async () => {
    await api.collaborators.invite(id);
    if (placeOf(document).sendsMail) toast.success(texts.page.invited(email ?? ''));
    else toast.info(texts.page.invitedUnsent);
  };
  const withErrorToast = (work: () => Promise<void>) => () => void work().catch(toast.error);
  const items: readonly MenuItem[] = [
    ...(canEnter
      ? [{ label: texts.page.preview, icon: Eye, onSelect: withErrorToast(() => openPreview(api, id)) }]
      : []),
    ...(canEnter && email !== null ? [{ label: texts.page.invite, icon: Mail, onSelect: withErrorToast(invite) }] : []),
    ...(canEnter ? ['separator' as const] : []),
    ...(status === 'inactive' ? [{ label: words.activate, icon: Check, onSelect: withErrorToast(activate) }] : []),
    ...(status === 'active' ? [{ label: words.deactivate, icon: CirclePause, onSelect: ask('deactivate') }] : []),
    { label: words.delete, icon: Trash2, danger: true, onSelect: ask('delete') },
  ];
  return (
    <>
      {status === 'pending' && (
        <>
          <Button icon={X} onClick={ask('reject')}>
            {words.reject}
          </Button>
          <Button variant="primary" icon={Check} onClick={withErrorToast(activate)}>
            {words.approve}
          </Button>
        </>
      )}
      <Menu
        trigger={<IconButton icon={Ellipsis} label={texts.page.more} variant="secondary" tooltip={false} />}
        items={items}
      />
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={TITLES[action](name)}
        confirmLabel={action === 'delete' ? words.deleteConfirm : words[action]}
        danger={action !== 'deactivate'}
        onConfirm={run}
      >
        {action === 'reject' ? <RejectionReason value={reason} onChange={setReason} /> : HELP[action]}
      </ConfirmDialog>
    </>
  );
}

const TITLES = { deactivate: words.deactivateTitle, reject: words.rejectTitle, delete: words.deleteTitle };
const HELP = { deactivate: words.deactivateHelp, delete: words.deleteHelp };
const DONE = { deactivate: words.deactivated, reject: words.rejected, delete: words.deleted };
