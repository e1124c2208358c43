import { BookOpen, Keyboard, LifeBuoy, LogOut, Monitor, Moon, Sun, UserCog } from 'lucide-react';
import { useLogOut, useSession } from '../session.ts';
import { frame as texts } from './frame-texts.ts';
import { Avatar } from '#web/ui/controls/avatar.tsx';
import { useLinks } from '#web/ui/controls/links.ts';
import { Menu } from '#web/ui/overlay/menu.tsx';
import { VisuallyHidden } from '#web/ui/controls/text.tsx';
import { useTheme } from '#web/ui/shell/theme.tsx';
import styles from './sidebar.module.css';

export const THEMES = [
  { value: 'system', icon: Monitor },
  { value: 'light', icon: Sun },
  { value: 'dark', icon: Moon },
] as const;

export function AccountMenu() {
  const { person, publicUrl } = useSession();
  const [theme, setTheme] = useTheme();
  const logOut = useLogOut(useLinks().href('/sign-in'));
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={styles.account}>
          <Avatar name={person.name} />
          <span className={styles.accountWords}>
            <span>
              <VisuallyHidden>{texts.account.of}</VisuallyHidden> {person.name}
            </span>
            <span className={styles.accountRole}>{texts.account.roles[person.role]}</span>
          </span>
        </button>
      }
      items={[
        { heading: person.email },
        { label: texts.account.yours, icon: UserCog, href: '/settings/account' },
        { label: texts.keyboard, icon: Keyboard, hotkey: '?', onSelect: showKeys },
        { label: texts.places.guides, icon: LifeBuoy, href: `${publicUrl}/docs/guides` },
        { label: texts.places.reference, icon: BookOpen, href: `${publicUrl}/docs` },
        'separator',
        { heading: texts.account.appearance },
        ...THEMES.map(({ value, icon }) => ({
          label: texts.account.themes[value],
          icon,
          checked: theme === value,
          onSelect: () => setTheme(value),
        })),
        'separator',
        { label: texts.account.signOut, icon: LogOut, onSelect: () => logOut.mutate() },
      ]}
    />
  );
}

/** Opens the list of hotkeys by simulating a press of `?`. */
export function showKeys(): void {
  dispatchEvent(new KeyboardEvent('keydown', { key: '?', code: 'Slash' }));
}
