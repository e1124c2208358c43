import { LogOut, Settings } from 'lucide-react';
import { useLogOut, useSession } from '../session.ts';
import { frame as texts } from './frame-texts.ts';
import { Avatar } from '#web/ui/controls/avatar.tsx';
import { Button, LinkButton } from '#web/ui/controls/button.tsx';
import { Popover } from '#web/ui/overlay/popover.tsx';
import popup from '#web/ui/overlay/popup.module.css';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text, VisuallyHidden } from '#web/ui/controls/text.tsx';
import { ThemeSwitch } from '#web/ui/controls/theme-switch.tsx';
import styles from './frame.module.css';

export function AccountMenu() {
  const { collaborator } = useSession();
  const logOut = useLogOut();
  return (
    <Popover
      align="end"
      label={texts.account.label}
      className={popup.panel}
      trigger={
        <button type="button" className={styles.account}>
          <Avatar name={collaborator.name} />
          <span className={styles.accountName}>
            <VisuallyHidden>{texts.account.of}</VisuallyHidden> {collaborator.name}
          </span>
        </button>
      }
    >
      {(close) => (
        <Stack gap={3}>
          <Text tone="muted" size="small">
            {collaborator.email ?? collaborator.name}
          </Text>
          <ThemeSwitch />
          <LinkButton icon={Settings} href="/settings" onClick={close}>
            {texts.account.settings}
          </LinkButton>
          <Button icon={LogOut} onClick={() => logOut.mutate()}>
            {texts.account.signOut}
          </Button>
        </Stack>
      )}
    </Popover>
  );
}
