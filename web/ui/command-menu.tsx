import type { LucideIcon } from 'lucide-react';
import { useHotkeys } from './hotkeys.tsx';
import { onDemand, usePart } from './on-demand.ts';
import { texts } from './texts.ts';

export type Command = {
  readonly id: string;
  readonly label: string;
  /** Alternative search terms for the label. */
  readonly keywords?: string | undefined;
  /** Gray text at the end: “Collaborator”. */
  readonly hint?: string | undefined;
  readonly icon?: LucideIcon | undefined;
  /** The hotkey to display. `useHotkeys` handles it. */
  readonly keys?: string | undefined;
  /** The address to open, or the action to run. */
  readonly href?: string | undefined;
  readonly run?: (() => void) | undefined;
};

export type CommandGroup = { readonly label: string; readonly commands: readonly Command[] };

export type CommandMenuProps = {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly groups: readonly CommandGroup[];
  /** Searches the service for partners, programs and orders. Requires at least two letters. */
  readonly search?: ((text: string, signal: AbortSignal) => Promise<readonly CommandGroup[]>) | undefined;
};

/** Not part of the initial load, because of its size. */
const dialogs = onDemand(() => import('./command-dialog.tsx'));

/** Opens anything by name, with Ctrl-K or Command-K. Handles the hotkey itself. */
export function CommandMenu({ open, onOpenChange, groups, search }: CommandMenuProps) {
  useHotkeys([{ keys: 'mod+k', label: texts.command.title, run: () => onOpenChange(true) }]);
  const part = usePart(dialogs, open);
  return open && part && <part.CommandDialog onOpenChange={onOpenChange} groups={groups} search={search} />;
}
