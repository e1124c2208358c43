import type { Webhook } from '@whence/sdk';
import { Ellipsis, KeyRound, Pause, Pencil, Play, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { usePermission } from '../session.ts';
import { webhooks as texts } from './webhooks-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { ConfirmDialog } from '#web/ui/overlay/dialog.tsx';
import { useLinks } from '#web/ui/controls/links.ts';
import { Menu } from '#web/ui/overlay/menu.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookForm } from './webhook-form.tsx';

const words = texts.actions;

export function WebhookActions({ webhook }: { readonly webhook: Webhook }) {
  const may = usePermission('resources:write');
  const [doing, setDoing] = useState<'edit' | 'rotate' | 'remove'>();
  const [secret, setSecret] = useState<string>();
  const doNothing = (): void => setDoing(undefined);
  const { test, move, rotate, remove } = useChanges(webhook, setSecret);
  if (!may || webhook.status === 'deleted') return null;
  const isActive = webhook.status === 'active';
  return (
    <>
      <Button icon={Send} busy={test.isPending} onClick={() => test.mutate()}>
        {words.test}
      </Button>
      <Menu
        align="end"
        trigger={<IconButton icon={Ellipsis} label={words.more} variant="secondary" tooltip={false} />}
        items={[
          { label: words.edit, icon: Pencil, onSelect: () => setDoing('edit') },
          {
            label: isActive ? words.pause : words.resume,
            icon: isActive ? Pause : Play,
            onSelect: () => move.mutate(isActive ? 'paused' : 'active'),
          },
          { label: words.rotate, icon: KeyRound, onSelect: () => setDoing('rotate') },
          'separator',
          { label: words.remove, icon: Trash2, danger: true, onSelect: () => setDoing('remove') },
        ]}
      />
      {doing === 'edit' && <WebhookForm webhook={webhook} onClose={doNothing} />}
      <ConfirmDialog
        open={doing === 'rotate'}
        onClose={doNothing}
        title={words.rotateTitle}
        confirmLabel={words.rotateConfirm}
        onConfirm={rotate.mutateAsync}
      >
        {words.rotateDetail}
      </ConfirmDialog>
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
      {secret !== undefined && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

function useChanges({ id }: Webhook, showSecret: (secret: string) => void) {
  const { navigate } = useLinks();
  const reloads = ['webhooks'];
  const test = useCall((api) => api.webhooks.test(id), { reloads, done: words.tested, onError: toast.error });
  const move = useCall((api, status: 'active' | 'paused') => api.webhooks.update(id, { status }), {
    reloads,
    done: ({ status }) => (status === 'active' ? words.resumed : words.paused),
    onError: toast.error,
  });
  const rotate = useCall(async (api) => showSecret((await api.webhooks.rotateSecret(id)).signingSecret), { reloads });
  const remove = useCall((api) => api.webhooks.delete(id), {
    reloads,
    done: words.removed,
    onDone: () => navigate('/webhooks'),
  });
  return { test, move, rotate, remove };
}
