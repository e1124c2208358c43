import { Monitor, Moon, Sun } from 'lucide-react';
import { Segmented } from './segmented.tsx';
import { texts } from '../shell/texts.ts';
import { useTheme } from '../shell/theme.tsx';

/** Selects the theme of the system, the light theme or the dark theme. */
export function ThemeSwitch() {
  const [theme, setTheme] = useTheme();
  return (
    <Segmented
      label={texts.theme.label}
      value={theme}
      onChange={setTheme}
      options={[
        { value: 'system', label: texts.theme.system, icon: Monitor },
        { value: 'light', label: texts.theme.light, icon: Sun },
        { value: 'dark', label: texts.theme.dark, icon: Moon },
      ]}
    />
  );
}
