import { useSyncExternalStore } from 'react';
import { accentColors } from '../formats/accent.ts';

export type Theme = 'system' | 'light' | 'dark';

const STORAGE_KEY = 'whence-theme';
const listeners = new Set<() => void>();
let current: Theme = 'system';

/** Applies the theme that this browser stores, and follows changes in other tabs. Call it before the first render. */
export function startTheme() {
  current = storedTheme();
  show(current);
  addEventListener('storage', ({ key }) => {
    if (key === STORAGE_KEY) change(storedTheme());
  });
}

/** Returns the theme and a function to change it. The choice is stored in this browser. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, () => current), choose];
}

/** Applies the colors derived from a brand's accent (`#rrggbb`). An invalid accent changes nothing. */
export function applyAccent(accent: string) {
  const colors = accentColors(accent);
  if (colors === undefined) return;
  const { style } = document.documentElement;
  style.setProperty('--accent-fill', colors.fill);
  style.setProperty('--accent-fill-hover', colors.fillHover);
  style.setProperty('--accent-on', colors.on);
  style.setProperty('--accent-text-light', colors.textLight);
  style.setProperty('--accent-text-dark', colors.textDark);
}

function choose(theme: Theme) {
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // In a frame on another site, the browser may block storage. The choice then lasts only until the page is reloaded.
  }
  change(theme);
}

function change(theme: Theme) {
  current = theme;
  show(theme);
  for (const listener of listeners) listener();
}

function show(theme: Theme) {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
