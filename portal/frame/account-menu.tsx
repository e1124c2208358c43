import { LogOut, Monitor, Moon, Settings, Sun } from 'lucide-react';
import type { ReactElement } from 'react';
import { useSession, useSignOut } from '#portal/session.ts';
import { frame as texts } from '#portal/texts/frame.ts';
import { Menu } from '#ui/menu.tsx';
import { useTheme } from '#ui/theme.tsx';

/** What is one's own: settings, appearance, the way out. */
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
