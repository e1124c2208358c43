import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Hotkey, matcher, register, registered } from './hotkey-list.ts';
import { Kbd } from './text.tsx';
import { texts } from './texts.ts';

/** Loaded on request, because dialogs are not part of the initial load. */
const HotkeyDialog = lazy(() => import('./hotkey-dialog.tsx').then((module) => ({ default: module.HotkeyDialog })));

export type HotkeyOptions = {
  /** The heading of these hotkeys in the help. */
  readonly group?: string | undefined;
  /** False disables the hotkeys. */
  readonly enabled?: boolean | undefined;
};

/**
 * Handles hotkeys while the component is mounted: `{ keys: 'j', label: 'Next row', run }`.
 *
 * `keys` is one key (`x`, `Enter`, `Shift+x`, `mod+k`) or a sequence of two (`g p`). `mod` is Ctrl, or Command on a
 * Mac. While the user types, only hotkeys with a modifier work. Under an open dialog, none work.
 */
export function useHotkeys(
  hotkeys: readonly Hotkey[],
  { group = texts.hotkeys.general, enabled = true }: HotkeyOptions = {},
) {
  const newest = useRef(hotkeys);
  // Update before the browser paints, because a key press refers to what is on the screen.
  useLayoutEffect(() => {
    newest.current = hotkeys;
  });
  const names = hotkeys.map(({ keys, label }) => `${keys}\n${label ?? ''}`).join('\n\n');
  useLayoutEffect(
    () => (enabled ? register({ group, hotkeys: () => newest.current }) : undefined),
    [enabled, group, names],
  );
}

/** Listens for the hotkeys of the whole application, and shows the help on `?`. UiProvider renders it. */
export function HotkeyHelp() {
  const [open, setOpen] = useState(false);
  useHotkeys([{ keys: '?', label: texts.hotkeys.open, run: () => setOpen(true) }]);
  useEffect(() => {
    const match = matcher();
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const modal = document.querySelector(WINDOWS) !== null;
      const typing = isTyping(event);
      const found = match(event, typing, modal ? [] : registered());
      if (found !== undefined) {
        event.preventDefault();
        found.run?.();
      }
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  return <Suspense>{open && <HotkeyDialog onClose={() => setOpen(false)} />}</Suspense>;
}

/** Toasts have the role of a dialog too. */
const WINDOWS = ':is([role="dialog"],[role="alertdialog"]):not([data-toast])';

/** Returns whether the key belongs to a field or to an open list. */
function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest(TYPING) !== null;
}

const TYPING =
  'input:not([type=checkbox],[type=radio],[type=button]),textarea,select,[contenteditable=true],[role=combobox],[role=listbox],[role=menu]';

/** Shows keys as on the keyboard. */
export function Keys({ keys }: { readonly keys: string }) {
  return keys.split(' ').map((stroke) => <Kbd key={stroke}>{strokeText(stroke)}</Kbd>);
}

export function strokeText(stroke: string): string {
  return stroke
    .split('+')
    .map(keyText)
    .join(isMac() ? '' : '+');
}

function keyText(key: string): string {
  if (key === 'mod') return isMac() ? '⌘' : 'Ctrl';
  const symbols: Readonly<Record<string, string>> = {
    ArrowUp: '↑',
    ArrowDown: '↓',
    Enter: '↵',
    Escape: 'Esc',
    Shift: isMac() ? '⇧' : 'Shift',
  };
  return symbols[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}
