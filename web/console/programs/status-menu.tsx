import type { Program } from '@whence/sdk';
import { CirclePause, CirclePlay, Ellipsis, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { programStatus as words } from './program-status-texts.ts';
import { programs as texts } from './programs-texts.ts';
import { IconButton } from '#web/ui/controls/button.tsx';
import { ConfirmDialog } from '#web/ui/overlay/dialog.tsx';
import { Menu } from '#web/ui/overlay/menu.tsx';
import { useCall } from '#web/ui/shell/call.ts';

type Action = 'activate' | 'deactivate' | 'delete';

/** Shows the status actions of a program. Each action explains its effect and asks for confirmation. */
export function StatusMenu({ program }: { readonly program: Program }) {
  const [action, setAction] = useState<Action>('activate');
  const [open, setOpen] = useState(false);
  const ask = (next: Action) => () => {
    setAction(next);
    setOpen(true);
  };
  const run = useCall<unknown>(
    (api) =>
      action === 'delete'
        ? api.programs.delete(program.id)
        : api.programs.update(program.id, { status: action === 'activate' ? 'active' : 'inactive' }),
    { reloads: ['programs'], done: DONE[action] },
  );
  return (
    <>
      <Menu
        trigger={<IconButton icon={Ellipsis} label={texts.page.more} variant="secondary" tooltip={false} />}
        items={[
          program.status === 'active'
            ? { label: words.deactivate, icon: CirclePause, onSelect: ask('deactivate') }
            : { label: words.activate, icon: CirclePlay, onSelect: ask('activate') },
          'separator',
          { label: words.delete, icon: Trash2, danger: true, onSelect: ask('delete') },
        ]}
      />
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={TITLES[action](program.name)}
        confirmLabel={action === 'delete' ? words.deleteConfirm : words[action]}
        danger={action === 'delete'}
        onConfirm={run.mutateAsync}
      >
        {HELP[action]}
      </ConfirmDialog>
    </>
  );
}

const TITLES = { activate: words.activateTitle, deactivate: words.deactivateTitle, delete: words.deleteTitle };
const HELP = { activate: words.activateHelp, deactivate: words.deactivateHelp, delete: words.deleteHelp };
const DONE = { activate: words.activated, deactivate: words.deactivated, delete: words.deleted };
