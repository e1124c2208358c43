import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { frame as texts } from './frame-texts.ts';
import { onFirstAction } from '#web/ui/feedback/toast.tsx';
import { useLoaded } from '#web/ui/shell/loaded-code.ts';
import styles from './frame.module.css';

const loadMenu = () => import('./command-menu.tsx');

export type SearchMenuProps = { readonly open: boolean; readonly onOpenChange: (open: boolean) => void };

/** Renders the command menu. Until its code is loaded, typed text is shown and kept. */
export function SearchMenu({ open, onOpenChange }: SearchMenuProps) {
  const [typed, setTyped] = useState('');
  const menu = useLoaded(loadMenu, open);
  // Load the code at the first user action, so that the menu can open without a connection.
  useEffect(() => onFirstAction(loadMenu), []);
  const change = (isOpen: boolean): void => {
    setTyped('');
    onOpenChange(isOpen);
  };
  useEarlyKeys(open, { edit: setTyped, close: () => change(false) });
  if (menu !== undefined) return <menu.CommandMenu open={open} onOpenChange={change} typed={typed} onType={setTyped} />;
  return (
    open && (
      <div className={styles.early} aria-hidden>
        <div className={styles.earlyField}>
          <Search />
          <span className={styles.earlyText}>{typed === '' ? texts.search : typed}</span>
        </div>
      </div>
    )
  );
}

type EarlyKeys = {
  readonly edit: (change: (typed: string) => string) => void;
  readonly close: () => void;
};

/**
 * Handles keys between the opening of the menu and the focus of its field. They would otherwise be lost, or they would
 * be hotkeys of the page. Enter does nothing, because no result is visible yet.
 */
function useEarlyKeys(open: boolean, { edit, close }: EarlyKeys): void {
  const closeMenu = useEffectEvent(close);
  useEffect(() => {
    if (!open) return undefined;
    const stop = (): void => removeEventListener('keydown', onKey, { capture: true });
    const onKey = (event: KeyboardEvent): void => {
      if (document.activeElement?.closest('[role="dialog"]') instanceof Element) return stop();
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const { key } = event;
      if (key === 'Escape') closeMenu();
      else if (key === 'Backspace') edit((typed) => typed.slice(0, -1));
      else if (key.length === 1) edit((typed) => typed + key);
      else if (key !== 'Enter') return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    addEventListener('keydown', onKey, { capture: true });
    return stop;
  }, [open, edit]);
}
