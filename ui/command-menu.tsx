import type { LucideIcon } from 'lucide-react';
import { useHotkeys } from './hotkeys.tsx';
import { onDemand, usePart } from './on-demand.ts';
import { texts } from './texts.ts';

export type Command = {
  readonly id: string;
  readonly label: string;
  /** What is found beside the label: other words for it. */
  readonly keywords?: string | undefined;
  /** At its end, in grey: “Collaborator”. */
  readonly hint?: string | undefined;
  readonly icon?: LucideIcon | undefined;
  /** Shown; `useHotkeys` listens. */
  readonly keys?: string | undefined;
  /** Where it leads, or what it does. */
  readonly href?: string | undefined;
  readonly run?: (() => void) | undefined;
};

export type CommandGroup = { readonly label: string; readonly commands: readonly Command[] };

export type CommandMenuProps = {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly groups: readonly CommandGroup[];
  /** What the service finds for a text of two letters and more: collaborators, programs, orders. */
  readonly search?: ((text: string, signal: AbortSignal) => Promise<readonly CommandGroup[]>) | undefined;
};

/** It is no part of what a page loads first: it brings a good deal along. */
const dialogs = onDemand(() => import('./command-dialog.tsx'));

/** Everything by name, on Ctrl-K or Command-K. It listens for the key itself. */
export function CommandMenu({ open, onOpenChange, groups, search }: CommandMenuProps) {
  useHotkeys([{ keys: 'mod+k', label: texts.command.title, run: () => onOpenChange(true) }]);
  const part = usePart(dialogs, open);
  return open && part && <part.CommandDialog onOpenChange={onOpenChange} groups={groups} search={search} />;
}
