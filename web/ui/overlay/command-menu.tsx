import { Autocomplete as Base } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type LucideIcon, Search } from 'lucide-react';
import { useDeferredValue, useMemo } from 'react';
import { classNames } from '../controls/class-names.ts';
import styles from './command-menu.module.css';
import dialog from './dialog.module.css';
import { Keys } from './hotkeys.tsx';
import { useLinks } from '../controls/links.ts';
import popup from './popup.module.css';
import { VisuallyHidden } from '../controls/text.tsx';
import { commandMenu as words } from './command-menu-texts.ts';

export type Command = {
  readonly id: string;
  readonly label: string;
  /** Alternative search terms for the label. */
  readonly keywords?: string | undefined;
  /** Gray text at the end, such as “Partner”. */
  readonly hint?: string | undefined;
  readonly icon?: LucideIcon | undefined;
  /** The hotkey to display. `useHotkeys` handles it. */
  readonly keys?: string | undefined;
  /** The path to open. */
  readonly href?: string | undefined;
  /** The action to run. */
  readonly run?: (() => void) | undefined;
};

export type CommandGroup = { readonly label: string; readonly commands: readonly Command[] };

export type CommandMenuProps = {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** The typed text. */
  readonly typed: string;
  readonly onType: (typed: string) => void;
  readonly groups: readonly CommandGroup[];
  /** Searches the service for partners, programs and orders. Called with at least two characters. */
  readonly search?: ((text: string, signal: AbortSignal) => Promise<readonly CommandGroup[]>) | undefined;
};

/** Renders a menu that finds pages and resources by name. */
export function CommandMenu({ open, onOpenChange, ...commands }: CommandMenuProps) {
  return (
    <Dialog.Root open={open} onOpenChange={(now) => onOpenChange(now)}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog.backdrop} />
        <Dialog.Viewport className={classNames(dialog.viewport, styles.atTop)}>
          <Dialog.Popup className={dialog.popup}>
            <VisuallyHidden>
              <Dialog.Title>{words.title}</Dialog.Title>
            </VisuallyHidden>
            <Commands {...commands} close={() => onOpenChange(false)} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type CommandsProps = Omit<CommandMenuProps, 'open' | 'onOpenChange'> & { readonly close: () => void };

const SHORTEST_SEARCH = 2;

function Commands({ typed, onType, groups, search, close }: CommandsProps) {
  const links = useLinks();
  const text = useDeferredValue(typed.trim());
  const found = useQuery({
    queryKey: ['ui-command', text],
    queryFn: ({ signal }) => search?.(text, signal) ?? [],
    enabled: search !== undefined && text.length >= SHORTEST_SEARCH,
    placeholderData: keepPreviousData,
  });
  const shown = useMemo(
    () =>
      [...filterCommands(groups, typed), ...(text.length >= SHORTEST_SEARCH ? (found.data ?? []) : [])].filter(
        ({ commands }) => commands.length > 0,
      ),
    [groups, typed, text, found.data],
  );
  const runCommand = (command: Command) => {
    close();
    if (command.href !== undefined) links.navigate(command.href);
    command.run?.();
  };
  return (
    <Base.Root
      inline
      open
      autoHighlight="always"
      keepHighlight
      items={shown.map(({ label, commands }) => ({ label, items: commands }))}
      filter={null}
      value={typed}
      onValueChange={(now, { reason }) => {
        if (reason !== 'item-press') onType(now);
      }}
      itemToStringValue={(command: Command) => command.label}
    >
      <div className={styles.search}>
        <Search aria-hidden />
        <Base.Input className={styles.input} placeholder={words.placeholder} aria-label={words.title} />
      </div>
      <div className={styles.results}>
        <Base.Empty className={popup.empty}>{found.isFetching ? words.searching : words.nothing}</Base.Empty>
        <Base.List aria-label={words.title}>
          {({ label, items }: { label: string; items: readonly Command[] }) => (
            <Base.Group key={label} items={items}>
              <Base.GroupLabel className={popup.heading}>{label}</Base.GroupLabel>
              <Base.Collection>
                {(command: Command) => <Item key={command.id} command={command} onSelect={() => runCommand(command)} />}
              </Base.Collection>
            </Base.Group>
          )}
        </Base.List>
      </div>
    </Base.Root>
  );
}

function Item({ command, onSelect }: { readonly command: Command; readonly onSelect: () => void }) {
  const { icon: Icon, label, hint, keys } = command;
  return (
    <Base.Item value={command} className={popup.item} onClick={onSelect}>
      {Icon && <Icon aria-hidden />}
      <span className={popup.words}>{label}</span>
      {hint !== undefined && <span className={styles.hint}>{hint}</span>}
      {keys !== undefined && (
        <span className={styles.keys} aria-hidden>
          <Keys keys={keys} />
        </span>
      )}
    </Base.Item>
  );
}

/**
 * Returns the groups with the commands that contain all typed words in the label, the keywords or the label of the
 * group.
 */
function filterCommands(groups: readonly CommandGroup[], typed: string): CommandGroup[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return groups.map(({ label, commands }) => ({
    label,
    commands: commands.filter((command) => {
      const text = `${command.label} ${command.keywords ?? ''} ${label}`.toLowerCase();
      return words.every((word) => text.includes(word));
    }),
  }));
}
