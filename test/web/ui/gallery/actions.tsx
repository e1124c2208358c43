import { Plus, ShoppingCart, Split, Trash2, Webhook } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { CommandMenu } from '#web/ui/overlay/command-menu.tsx';
import { CodeBlock } from '#web/ui/controls/copy.tsx';
import { ConfirmDialog, Dialog, Drawer } from '#web/ui/overlay/dialog.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import * as data from './data.ts';
import { useHotkeys } from '#web/ui/overlay/hotkeys.tsx';
import { Menu } from '#web/ui/overlay/menu.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { Row } from '#web/ui/controls/stack.tsx';
import { Kbd } from '#web/ui/controls/text.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { ThemeSwitch } from '#web/ui/controls/theme-switch.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';

export function Actions() {
  const [open, setOpen] = useState<'dialog' | 'drawer' | 'confirm' | 'command'>();
  useHotkeys([{ keys: 'mod+k', label: 'Search or go to', run: () => setOpen('command') }]);
  const close = () => setOpen(undefined);
  const [text, setText] = useState('');
  const [typed, setTyped] = useState('');
  return (
    <Page title="Actions" actions={<ThemeSwitch />}>
      <Card title="Buttons">
        <Row gap={2}>
          <Button variant="primary" icon={Plus}>
            Create
          </Button>
          <Button>Save</Button>
          <Button variant="ghost">Cancel</Button>
          <Button variant="danger">Revoke</Button>
          <Button busy>Saving</Button>
          <Button disabled>Not now</Button>
          <Button size="small" hotkey="A">
            Approve
          </Button>
          <IconButton icon={Trash2} label="Delete" />
          <Kbd>K</Kbd>
        </Row>
      </Card>
      <Card title="Windows">
        <Row gap={2}>
          <Button onClick={() => setOpen('dialog')}>Open dialog</Button>
          <Button onClick={() => setOpen('drawer')}>Open drawer</Button>
          <Button onClick={() => setOpen('confirm')}>Open question</Button>
          <Button onClick={() => setOpen('command')}>Open commands</Button>
          <Menu
            trigger={<Button>Open menu</Button>}
            items={[
              { heading: 'Program' },
              { label: 'Edit', href: '/edit', icon: Split, hotkey: 'E' },
              { label: 'Copy', onSelect: () => toast.info('Copied') },
              'separator',
              { label: 'Delete', danger: true, icon: Trash2 },
            ]}
          />
          <Button onClick={() => toast.success('Key made', 'It is shown once.')}>Toast</Button>
          <Button onClick={() => toast.error({ code: 'unavailable', detail: 'The database is restarting.' })}>
            Error
          </Button>
        </Row>
      </Card>
      <Dialog
        open={open === 'dialog'}
        onClose={close}
        title="Invite a person"
        description="They get an email with a link."
      >
        <Form onSubmit={close}>
          <TextField label="Address" type="email" value={text} onChange={setText} />
          <FormActions submitLabel="Send invitation" onCancel={close} />
        </Form>
      </Dialog>
      <Drawer
        open={open === 'drawer'}
        onClose={close}
        title="Delivery 7"
        actions={<Button variant="primary">Send again</Button>}
      >
        <CodeBlock title="Body" code={JSON.stringify(data.problem, null, 2)} />
      </Drawer>
      <ConfirmDialog
        open={open === 'confirm'}
        onClose={close}
        title="Delete “Friends of the shop”?"
        confirmLabel="Delete program"
        danger
        onConfirm={() => toast.success('Deleted')}
      >
        Partners no longer earn in it. Earlier earnings stay.
      </ConfirmDialog>
      <CommandMenu
        open={open === 'command'}
        onOpenChange={(now) => {
          setTyped('');
          setOpen(now ? 'command' : undefined);
        }}
        typed={typed}
        onType={setTyped}
        groups={[
          {
            label: 'Go to',
            commands: [
              { id: 'sales', label: 'Sales', icon: ShoppingCart, keys: 'g s', href: '/sales' },
              { id: 'hooks', label: 'Webhooks', icon: Webhook, href: '/webhooks' },
            ],
          },
          {
            label: 'Do',
            commands: [
              { id: 'new', label: 'New program', icon: Plus, hint: 'Program', run: () => toast.info('New program') },
            ],
          },
        ]}
      />
    </Page>
  );
}
