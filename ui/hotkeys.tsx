import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Hotkey, matcher, register, registered } from './hotkey-list.ts';
import { Kbd } from './text.tsx';
import { texts } from './texts.ts';

/** It comes when it is asked for: dialogs are no part of what every page loads. */
const HotkeyDialog = lazy(() => import('./hotkey-dialog.tsx').then((module) => ({ default: module.HotkeyDialog })));

export type HotkeyOptions = {
  /** The heading under which the help lists them. */
  readonly group?: string | undefined;
  /** False: they rest. */
  readonly enabled?: boolean | undefined;
};

/**
 * Listens for keys as long as the component is there: `{ keys: 'j', label: 'Next row', run }`. `keys` is one key (`x`, `Enter`, `Shift+x`, `mod+k`, where
 * `mod` is Ctrl, or Command on a Mac) or two after each other (`g p`). Nothing is heard while somebody types, but for what has a modifier, and nothing below an
 * open dialog.
 */
export function useHotkeys(
  hotkeys: readonly Hotkey[],
  { group = texts.hotkeys.general, enabled = true }: HotkeyOptions = {},
) {
  const newest = useRef(hotkeys);
  // Before it is seen: who presses a key means what is on the screen.
  useLayoutEffect(() => {
    newest.current = hotkeys;
  });
  const names = hotkeys.map(({ keys, label }) => `${keys}\n${label ?? ''}`).join('\n\n');
  useLayoutEffect(
    () => (enabled ? register({ group, hotkeys: () => newest.current }) : undefined),
    [enabled, group, names],
  );
}

/** Listens for the whole application, and shows what can be pressed when somebody asks with `?`. UiProvider has it. */
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

/** To the browser a toast is a dialog as well. */
const WINDOWS = ':is([role="dialog"],[role="alertdialog"]):not([data-toast])';

/** Whether the key goes into a field, or chooses in a list that is open. */
function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest(TYPING) !== null;
}

const TYPING =
  'input:not([type=checkbox],[type=radio],[type=button]),textarea,select,[contenteditable=true],[role=combobox],[role=listbox],[role=menu]';

/** Keys as they stand on the keyboard. */
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
