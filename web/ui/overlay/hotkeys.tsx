import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createKeybindingsHandler, type KeybindingsMap } from 'tinykeys';
import styles from './hotkeys.module.css';
import { LazyDialog } from './lazy-dialog.tsx';
import { Kbd } from '../controls/text.tsx';
import { texts } from '../shell/texts.ts';

/** A hotkey with its action and its label in the help. Without `label`, the help omits it. */
export type Hotkey = {
  readonly keys: string;
  readonly label?: string | undefined;
  /** Runs the action. Without it, the hotkey is only listed, and the focused element handles it. */
  readonly run?: (() => void) | undefined;
};

export type HotkeyOptions = {
  /** The heading of the hotkeys in the help. */
  readonly group?: string | undefined;
  /** Whether the hotkeys work. Default: true. */
  readonly enabled?: boolean | undefined;
};

type Registration = { readonly group: string; readonly hotkeys: () => readonly Hotkey[] };

/** The hotkeys of all mounted components. */
const registrations = new Set<Registration>();
let handle: (event: KeyboardEvent) => void = () => {};

/**
 * Handles hotkeys while the component is mounted: `{ keys: 'j', label: 'Next row', run }`.
 *
 * `keys` is one key (`x`, `Enter`, `Shift+x`, `mod+k`) or a sequence of two (`g p`). `mod` is Ctrl, or Command on a
 * Mac. While the user types, only hotkeys with Ctrl or Command work. While a dialog is open, no hotkey works. If
 * several components have the same hotkey, the component that was mounted last handles it.
 */
export function useHotkeys(
  hotkeys: readonly Hotkey[],
  { group = texts.hotkeys.general, enabled = true }: HotkeyOptions = {},
) {
  const newest = useRef(hotkeys);
  // Update before the browser paints, because a key press refers to the rows on the screen.
  useLayoutEffect(() => {
    newest.current = hotkeys;
  });
  const names = hotkeys.map(({ keys, label }) => `${keys}\n${label ?? ''}`).join('\n\n');
  useLayoutEffect(() => {
    if (!enabled) return undefined;
    const registration = { group, hotkeys: () => newest.current };
    registrations.add(registration);
    bind();
    return () => {
      registrations.delete(registration);
      bind();
    };
  }, [enabled, group, names]);
}

function bind(): void {
  const all = [...registrations].reverse().flatMap(({ hotkeys }) => hotkeys());
  // Match sequences before single keys, because a single key can also be the end of a sequence.
  const sequencesFirst = all.toSorted((a, b) => Number(b.keys.includes(' ')) - Number(a.keys.includes(' ')));
  const bindings: KeybindingsMap = {};
  for (const { keys, run } of sequencesFirst) {
    if (run === undefined) continue;
    bindings[bindingOf(keys)] ??= (event) => {
      event.preventDefault();
      current(keys)?.run?.();
    };
  }
  handle = createKeybindingsHandler(bindings, { ignore: isIgnored });
}

/**
 * Returns the newest hotkey with the given keys, or undefined. Each key press calls this function, because the binding
 * may have an older action.
 */
function current(keys: string): Hotkey | undefined {
  const all = [...registrations].reverse().flatMap(({ hotkeys }) => hotkeys());
  return all.find((hotkey) => hotkey.keys === keys && hotkey.run !== undefined);
}

/**
 * Returns the keys in the format of tinykeys. Shift is optional for characters such as `?` or `/`, because only some
 * keyboards need it.
 */
function bindingOf(keys: string): string {
  return keys
    .replaceAll('mod+', '$mod+')
    .split(' ')
    .map((press) => (/^[^a-z0-9]$/i.test(press) ? `[Shift]+${press}` : press))
    .join(' ');
}

/** Returns whether the key belongs to a field, to an open list, or to a window above the page. */
function isIgnored(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || document.querySelector(WINDOWS) !== null) return true;
  const hasModifier = event.ctrlKey || event.metaKey;
  return !hasModifier && event.target instanceof Element && event.target.closest(TYPING) !== null;
}

/** Selects open windows. Toasts also have the role of a dialog, so they are excluded. */
const WINDOWS = ':is([role="dialog"],[role="alertdialog"]):not([data-toast])';

const TYPING =
  'input:not([type=checkbox],[type=radio],[type=button]),textarea,select,[contenteditable=true],[role=combobox],[role=listbox],[role=menu]';

/** Listens for the hotkeys of the whole application, and shows the help on `?`. UiProvider renders it. */
export function HotkeyHelp() {
  const [groups, setGroups] = useState<readonly DescribedGroup[]>();
  useHotkeys([{ keys: '?', label: texts.hotkeys.open, run: () => setGroups(describedHotkeys()) }]);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handle(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  return (
    <LazyDialog open={groups !== undefined} onClose={() => setGroups(undefined)} title={texts.hotkeys.title}>
      {/* The list can be longer than the window and has no other focusable element, so it gets the focus itself. */}
      <div className={styles.groups} tabIndex={0} role="group" aria-label={texts.hotkeys.title}>
        {groups?.map(({ group, hotkeys }) => (
          <section key={group}>
            <h3 className={styles.heading}>{group}</h3>
            <dl className={styles.list}>
              {hotkeys.map(({ keys, label }) => (
                <div key={keys} className={styles.hotkey}>
                  <dt>{label}</dt>
                  <dd className={styles.keys}>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </LazyDialog>
  );
}

type DescribedGroup = {
  readonly group: string;
  readonly hotkeys: readonly { readonly keys: string; readonly label: string }[];
};

/** Returns the hotkeys that have a label, by group. */
function describedHotkeys(): DescribedGroup[] {
  const byGroup = Map.groupBy(registrations, ({ group }) => group);
  return [...byGroup].flatMap(([group, members]) => {
    const labels = new Map(members.flatMap(({ hotkeys }) => hotkeys().map(({ keys, label }) => [keys, label])));
    const hotkeys = [...labels].flatMap(([keys, label]) => (label === undefined ? [] : [{ keys, label }]));
    return hotkeys.length === 0 ? [] : [{ group, hotkeys }];
  });
}

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
