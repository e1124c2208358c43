import { LogOut, Monitor, Moon, Settings, Sun } from 'lucide-react';
import type { ReactElement } from 'react';
import { useSession, useSignOut } from '../session.ts';
import { frame as texts } from '../texts/frame.ts';
import { Menu } from '#web/ui/menu.tsx';
import { useTheme } from '#web/ui/theme.tsx';

/** Shows the menu with settings, appearance and logout. */
export function AccountMenu({ trigger }: { readonly trigger: ReactElement }) {
  const { collaborator } = useSession();
  const [theme, setTheme] = useTheme();
  const signOut = useSignOut();
  const themes = [
    { value: 'system', icon: Monitor },
    { value: 'light', icon: Sun },
    { value: 'dark', icon: Moon },
  ] as const;
  return (
    <Menu
      defaultOpen
      trigger={trigger}
      items={[
        { heading: collaborator.email ?? collaborator.name },
        { label: texts.account.settings, icon: Settings, href: '/settings' },
        'separator',
        { heading: texts.account.appearance },
        ...themes.map(({ value, icon }) => ({
          label: texts.account.themes[value],
          icon,
          checked: theme === value,
          onSelect: () => setTheme(value),
        })),
        'separator',
        { label: texts.account.signOut, icon: LogOut, onSelect: () => signOut.mutate() },
      ]}
    />
  );
}
